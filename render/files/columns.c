#include "render/files/columns.h"

#include "collision/error.h"

#include <stdio.h>
#include <string.h>

#define SPACE " \t\r\n\v\f"

bool ctColumns_Fail(const ctColumns *columns, ctError *error, const char *column, const char *what, const char *value)
{
    return ctFail(error, ct_badArgument, "%s:%d: %s%s%s%s%.40s%s", columns->file, columns->line, column,
                  column[0] != '\0' ? ": " : "", what, value != NULL ? " '" : "", value != NULL ? value : "",
                  value != NULL ? "'" : "");
}

bool ctColumns_IsBlank(const char *line)
{
    return line[strspn(line, SPACE)] == '\0';
}

static char *trimmed(char *text)
{
    text += strspn(text, SPACE);
    size_t n = strlen(text);
    while (n > 0 && strchr(SPACE, text[n - 1]) != NULL) {
        text[--n] = '\0';
    }
    if (n >= 2 && text[0] == '"' && text[n - 1] == '"') {
        text[n - 1] = '\0';
        text++;
    }
    return text;
}

// Cuts the line in place. -1 when there are too many fields.
static int split(char *line, char *fields[CT_MOST_FIELDS])
{
    int n = 0;
    for (char *p = line; p != NULL; n++) {
        char *comma = strchr(p, ',');
        if (n == CT_MOST_FIELDS) {
            return -1;
        }
        if (comma != NULL) {
            *comma = '\0';
        }
        fields[n] = trimmed(p);
        p = comma != NULL ? comma + 1 : NULL;
    }
    return n;
}

bool ctColumns_ReadHeader(ctColumns *columns, char *line, const char *missing, ctError *error)
{
    char *fields[CT_MOST_FIELDS];
    bool marked = strncmp(line, "\xef\xbb\xbf", 3) == 0; // a byte-order mark
    columns->width = split(line + (marked ? 3 : 0), fields);
    if (columns->width < 0) {
        return ctColumns_Fail(columns, error, "", "too many columns", NULL);
    }
    for (int i = 0; i < columns->count; i++) {
        const char *name = columns->names[i];
        columns->place[i] = -1;
        for (int j = 0; j < columns->width; j++) {
            if (strcmp(fields[j], name) == 0) {
                if (columns->place[i] >= 0) {
                    return ctColumns_Fail(columns, error, "", "two columns are called", name);
                }
                columns->place[i] = j;
            }
        }
        if (i < columns->required && columns->place[i] < 0) {
            return ctColumns_Fail(columns, error, "", missing, name);
        }
    }
    return true;
}

bool ctColumns_ReadRow(const ctColumns *columns, char *line, char *fields[CT_MOST_FIELDS], ctError *error)
{
    int width = split(line, fields);
    if (width != columns->width) {
        char what[96];
        snprintf(what, sizeof what, "%d fields where the header has %d columns", width, columns->width);
        return ctColumns_Fail(columns, error, "", what, NULL);
    }
    return true;
}
