// Suggestions for mistyped names.
#ifndef CT_NEAREST_H
#define CT_NEAREST_H

#include "engine/clatter.h"

// The entry of names (ended by NULL) that is closest to a mistyped word, or NULL when none is close.
const char *ctNearestName(const char *word, const char *const *names);

// The same for the name of a body.
const char *ctNearestBody(const char *word, const ctWorld *world);

// The number of letters to insert, delete, replace or swap that turn one word into the other. INT_MAX for words that
// are too long to be mistyped names.
int ctTypingDistance(const char *a, const char *b);

// The largest distance at which a word is taken for a mistyped name.
int ctTypingTolerance(const char *word);

#endif
