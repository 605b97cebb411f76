#include "collision/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ctFail(ctError *error, ctStatus status, const char *format, ...)
{
    if (error != NULL) {
        va_list args;
        va_start(args, format);
        error->status = status;
        char text[sizeof error->message];
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        ctEscape(error->message, sizeof error->message, text, strlen(text));
    }
    return false;
}

bool ctFailMemory(ctError *error, const char *what)
{
    return ctFail(error, ct_outOfMemory, "out of memory for %s", what);
}

// The bytes of the UTF-8 character at p, or 0 when there is none.
static int characterLength(const unsigned char *p, size_t left, uint32_t *code)
{
    static const struct {
        unsigned char mask, mark;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (int extra = 0; extra < 4; extra++) {
        if ((p[0] & forms[extra].mask) != forms[extra].mark || left <= (size_t)extra) {
            continue;
        }
        *code = p[0] & (unsigned char)~forms[extra].mask;
        for (int i = 1; i <= extra; i++) {
            if ((p[i] & 0xc0) != 0x80) {
                return 0;
            }
            *code = *code << 6 | (p[i] & 0x3f);
        }
        bool surrogate = *code >= 0xd800 && *code < 0xe000;
        return *code < forms[extra].least || *code > 0x10ffff || surrogate ? 0 : extra + 1;
    }
    return 0;
}

static bool isPlain(uint32_t code)
{
    bool control = (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
                   code == 0xfeff;
    bool direction = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069) || code == 0x61c;
    return !control && !direction;
}

size_t ctEscape(char *out, size_t size, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        int bytes = characterLength(p + i, length - i, &code);
        bool plain = bytes > 0 && isPlain(code);
        size_t take = bytes > 0 ? (size_t)bytes : 1, need = plain ? take : 4 * take;
        if (used + need + 1 > size) {
            break;
        }
        for (size_t k = 0; k < take; k++) {
            used += plain ? 1 : 4;
            if (plain) {
                out[used - 1] = text[i + k];
            } else {
                snprintf(out + used - 4, 5, "\\x%02x", p[i + k]);
            }
        }
        i += take;
    }
    if (size > 0) {
        out[used] = '\0';
    }
    return used;
}

bool ctIsPlainText(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        int bytes = characterLength(p + i, length - i, &code);
        if (bytes == 0 || !isPlain(code)) {
            return false;
        }
        i += (size_t)bytes;
    }
    return true;
}
