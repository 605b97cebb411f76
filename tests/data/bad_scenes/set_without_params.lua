-- expect: unknown parameter 'omega'; this scene has none
-- options: --set omega=5
scene { title = "nothing to set" }
