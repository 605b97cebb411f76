// Reading text line by line.
#ifndef CT_LINES_H
#define CT_LINES_H

#include <stdio.h>
#include <sys/types.h>

// Longer lines are in no table that is meant for people.
#define CT_LONGEST_LINE (1 << 20)

// The next line with its end, in memory that grows as getline's does. Returns its length; -1 at the end of the file,
// with errno = 0, and where it fails: EFBIG, when the line is longer than CT_LONGEST_LINE.
ssize_t ctLine_Read(char **text, size_t *size, FILE *in);

#endif
