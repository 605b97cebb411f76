-- expect: 2: scene: seconds must be positive, not 0
scene { seconds = 0 }
