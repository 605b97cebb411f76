-- expect: 2: body 'ball': pattern 'zebra' is unknown; it is one of plain, spokes, stripe, halves, checker, rings, boards, pin, dots, ball, domino
body { name = "ball", shape = sphere { radius = 1 }, pattern = "zebra" }
