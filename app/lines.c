#include "app/lines.h"

#include <errno.h>
#include <stdlib.h>

// Reserves memory for one more character and the terminating zero.
static int widen(char **text, size_t *size, size_t length)
{
    if (length + 2 <= *size) {
        return 1;
    }
    size_t wider = *size > 0 ? 2 * *size : 128;
    char *grown = realloc(*text, wider);
    if (grown == NULL) {
        errno = ENOMEM;
        return 0;
    }
    *text = grown;
    *size = wider;
    return 1;
}

ssize_t ctLine_Read(char **text, size_t *size, FILE *in)
{
    size_t length = 0;
    errno = 0;
    for (int c = 0; c != '\n' && (c = getc_unlocked(in)) != EOF;) {
        if (length == CT_LONGEST_LINE) {
            errno = EFBIG;
            return -1;
        }
        if (!widen(text, size, length)) {
            return -1;
        }
        (*text)[length++] = (char)c;
    }
    if (length == 0 || ferror(in)) {
        return -1;
    }
    (*text)[length] = '\0';
    return (ssize_t)length;
}
