-- expect: 2: mesh: tests/data/bad_scenes/nowhere.obj: No such file or directory
local m = mesh { file = "nowhere.obj" }
