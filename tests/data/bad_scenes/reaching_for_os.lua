-- expect: 2: a scene has no 'os': scripts run in a sandbox
os.execute("true")
