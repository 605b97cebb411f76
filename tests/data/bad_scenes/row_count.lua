-- expect: 2: row: the count must be a whole number from 1 to 100000, not 1.5
row(1.5, {1, 0, 0})
