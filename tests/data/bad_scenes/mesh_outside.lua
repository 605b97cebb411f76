-- expect: 2: mesh: file must be a path below the scene's folder, without '..', not '../../secret.obj'
local m = mesh { file = "../../secret.obj" }
