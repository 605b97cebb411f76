-- expect: 2: functions of the table library take no tables with __len
table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)
