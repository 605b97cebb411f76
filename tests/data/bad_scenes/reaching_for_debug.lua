-- expect: 2: a scene has no 'debug': scripts run in a sandbox
debug.sethook()
