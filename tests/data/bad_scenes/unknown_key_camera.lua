-- expect: 2: unknown key 'fieldofview' in camera; it takes eye, target, fov, follow
scene { camera = { eye = {1, 1, 1}, target = {0, 0, 0}, fieldofview = 40 } }
