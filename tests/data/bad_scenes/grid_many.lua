-- expect: 2: grid: at most 100000 places
grid({1000, 1000, 1}, {1, 1, 1})
