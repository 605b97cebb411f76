-- expect: 2: scene: contact 'islands' is unknown; did you mean 'island'?
scene { contact = "islands" }
