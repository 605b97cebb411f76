-- expect: 2: body: name must have 1 to 100 characters
body { name = "", shape = sphere { radius = 1 } }
