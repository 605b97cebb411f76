-- expect: 2: scene: law 'strong' is unknown; did you mean 'stronge'?
scene { law = "strong" }
