-- A bright ball in front of a plain background, and a box that tumbles: for the tests of recording.
scene { title = "Recording", seconds = 1, gravity = {0, 0, -9.81},
        camera = { eye = {0, -3, 0.6}, target = {0, 0, 0.6}, fov = 40 } }
local speed = param("speed", 1.0, 0, 5, "speed of the ball (m/s)")
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, color = {0.5, 0.5, 0.5} }
body { name = "ball", shape = sphere { radius = 0.08 }, position = {-0.5, 0, 0.9}, velocity = {speed, 0, 1.5},
       color = {1, 0, 0} }
body { name = "box", shape = box { size = {0.2, 0.1, 0.1} }, position = {0.3, 0.4, 0.5}, spin = {1, 5, 2},
       color = {0.2, 0.4, 0.8} }
