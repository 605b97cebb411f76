-- expect: 2: body 'ball': motion 'static' is unknown; it is one of dynamic, fixed, kinematic
body { name = "ball", shape = sphere { radius = 1 }, motion = "static" }
