-- expect: 2: body 'b': color must be '#' and six hexadecimal digits, not '#12345g'
body { name = 'b', shape = sphere { radius = 1 }, color = '#12345g' }
