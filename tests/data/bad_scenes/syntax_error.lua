-- expect: 3: '}' expected (to close '{' at line 2) near 'body'
scene { title = "unfinished"
body { shape = sphere { radius = 1 } }
