-- expect: 2: body 'ball': shape must be a shape, such as sphere { radius = 1 }, not a string
body { name = "ball", shape = "sphere" }
