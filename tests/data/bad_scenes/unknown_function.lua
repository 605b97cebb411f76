-- expect: 2: unknown name 'spehre'; did you mean 'sphere'?
body { shape = spehre { radius = 1 } }
