-- expect: 2: pairs: keys must be numbers, strings or booleans, not a table
for k in pairs({ [{}] = 1 }) do print(k) end
