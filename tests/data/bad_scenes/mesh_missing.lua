-- expect: 2: mesh: nowhere.obj: No such file or directory
local m = mesh { file = "nowhere.obj" }
