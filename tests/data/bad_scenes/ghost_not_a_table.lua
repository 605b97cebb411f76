-- expect: 2: ghost: the file must be a trace and end in '.csv', not 'poses.txt'
ghost("poses.txt")
