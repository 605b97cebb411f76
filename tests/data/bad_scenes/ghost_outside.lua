-- expect: 2: ghost: the file must be a path below the scene's folder, without '..', not '../other.csv'
ghost("../other.csv")
