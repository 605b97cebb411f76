-- expect: 2: a scene has no 'io': scripts run in a sandbox
local f = io.open("/etc/passwd")
