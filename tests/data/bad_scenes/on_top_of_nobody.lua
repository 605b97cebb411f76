-- expect: 2: on_top_of: there is no body 'slab'
on_top_of('slab', sphere { radius = 1 })
