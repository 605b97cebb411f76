#include "collision/error.h"

#include <stdarg.h>
#include <stdio.h>

bool ctFail(ctError *error, ctStatus status, const char *format, ...)
{
    if (error != NULL) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return false;
}

bool ctFailMemory(ctError *error, const char *what)
{
    return ctFail(error, ct_outOfMemory, "out of memory for %s", what);
}
