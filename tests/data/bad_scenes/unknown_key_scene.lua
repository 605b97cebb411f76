-- expect: 2: unknown key 'titel' in scene; did you mean 'title'?
scene { titel = "Bowling" }
