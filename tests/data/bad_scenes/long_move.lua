-- expect: 2: table.move: too many entries; a scene's table may have a million
table.move({}, 1, 1e15, 2)
