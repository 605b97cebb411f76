-- expect: 2: mesh: file must be a path below the scene's folder, without '..', not '/etc/passwd'
local m = mesh { file = "/etc/passwd" }
