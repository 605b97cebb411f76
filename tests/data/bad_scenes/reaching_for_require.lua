-- expect: 2: a scene has no 'require': scripts run in a sandbox
local lfs = require "lfs"
