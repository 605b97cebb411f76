// Suggestions for mistyped names.
#ifndef CT_NEAREST_H
#define CT_NEAREST_H

#include "engine/clatter.h"

// The entry of names (ended by NULL) that a mistyped word is closest to, or NULL when none is near.
const char *ctNearestName(const char *word, const char *const *names);

// The same for the name of a body.
const char *ctNearestBody(const char *word, const ctWorld *world);

// Letters to insert, delete, replace or swap to turn one word into the other; INT_MAX for words that
// are too long to be mistyped names.
int ctTypingDistance(const char *a, const char *b);

// How far a word may be from a name to be taken for it mistyped.
int ctTypingTolerance(const char *word);

#endif
