// Tables of comma-separated values whose first line names the columns. A field may stand in
// quotes, as R and others write texts, but holds no comma.
#ifndef CT_RENDER_COLUMNS_H
#define CT_RENDER_COLUMNS_H

#include "collision/types.h"

// [limit] Fields of a line.
enum { CT_MOST_FIELDS = 256 };

typedef struct ctColumns {
    const char *file; // for messages
    int line;         // number of the line being read, from 1
    const char *const *names;
    int count, required; // number of names; the first `required` of them must be in the header
    int *place;          // by name: its column; -1: none
    int width;           // columns of the header
} ctColumns;

// Fills in an error "FILE:LINE: column: what 'value'"; column may be empty, value NULL. Returns false.
bool ctColumns_Fail(const ctColumns *columns, ctError *error, const char *column, const char *what, const char *value);
// Whether a line has nothing but white space.
bool ctColumns_IsBlank(const char *line);
// Reads the header; line is cut into fields. missing: the message for a required column that is missing.
bool ctColumns_ReadHeader(ctColumns *columns, char *line, const char *missing, ctError *error);
// Cuts a line into as many fields as the header has.
bool ctColumns_ReadRow(const ctColumns *columns, char *line, char *fields[CT_MOST_FIELDS], ctError *error);

#endif
