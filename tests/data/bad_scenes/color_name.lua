-- expect: 2: body 'b': color has no colour 'bluu'; did you mean 'blue'?
body { name = 'b', shape = sphere { radius = 1 }, color = 'bluu' }
