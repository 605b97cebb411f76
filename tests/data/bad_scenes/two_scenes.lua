-- expect: 3: scene { } may be given only once
scene { title = "one" }
scene { title = "two" }
