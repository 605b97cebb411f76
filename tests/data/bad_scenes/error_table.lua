-- expect: 2: error value is a table
error({ code = 1 })
