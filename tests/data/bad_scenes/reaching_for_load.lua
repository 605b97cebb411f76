-- expect: 2: a scene has no 'load': scripts run in a sandbox
local f = load("return 1")
