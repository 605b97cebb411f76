-- expect: 2: camera 'default': fov must be from 1 to 150, not 200
scene { camera = { eye = {1, 1, 1}, target = {0, 0, 0}, fov = 200 } }
