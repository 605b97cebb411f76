-- expect: 2: camera 'default': eye and target must be different points
scene { camera = { eye = {1, 1, 1}, target = {1, 1, 1} } }
