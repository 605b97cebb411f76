// Errors as values: the library never prints and never exits.
#ifndef CT_ERROR_H
#define CT_ERROR_H

#include "collision/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CT_PRINTF(text, first)
#endif

// Fills in *error (when it is not NULL) and returns false, so that a check reads
//     if (!(radius > 0.0)) return ctFail(error, ct_badArgument, "radius must be positive, not %g", radius);
bool ctFail(ctError *error, ctStatus status, const char *format, ...) CT_PRINTF(3, 4);

// The same for a failed allocation of what.
bool ctFailMemory(ctError *error, const char *what);

// Copies text for a terminal or a file: control characters, marks that turn the direction of writing, and bytes that
// are no UTF-8 become \xNN. At most size - 1 bytes and a zero are written, cut between characters. Returns their
// number.
size_t ctEscape(char *out, size_t size, const char *text, size_t length);
// Whether ctEscape would change nothing.
bool ctIsPlainText(const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
