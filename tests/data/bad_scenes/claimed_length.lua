-- expect: 2: a table is too long; a scene's may have a million entries
table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)
