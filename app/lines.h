// Reading text line by line.
#ifndef CT_LINES_H
#define CT_LINES_H

#include <stdio.h>
#include <sys/types.h>

// Bytes. A longer line is an error, so that a wrong file does not fill the memory.
#define CT_LONGEST_LINE (1 << 20)

// The next line with its newline, in memory that grows as with getline. Returns the length; -1 at the end of the file,
// with errno = 0, and on failure: errno is EFBIG when the line is longer than CT_LONGEST_LINE.
ssize_t ctLine_Read(char **text, size_t *size, FILE *in);

#endif
