-- expect: 2: scene: seconds must be at most 1e+06, not 1e+300
scene { seconds = 1e300 }
