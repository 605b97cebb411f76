-- expect: 3: body 'ball': unknown material 'ruber'; did you mean 'rubber'?
material("rubber", {})
body { name = "ball", shape = sphere { radius = 1 }, material = "ruber" }
