-- expect: 3: on_top_of: there is nothing of body 'slab' under that place
body { name = 'slab', motion = 'fixed', shape = box { size = {1, 1, 1} } }
on_top_of('slab', sphere { radius = 0.1 }, {5, 0, 0})
