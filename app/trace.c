#include "app/trace.h"

#include <string.h>

// A name as a field of CSV: in quotes where it has to be.
static void writeName(FILE *out, const char *name, int ordinal)
{
    if (name[0] == '\0') {
        fprintf(out, "body%d", ordinal);
    } else if (strpbrk(name, ",\"\n\r") == NULL) {
        fputs(name, out);
    } else {
        fputc('"', out);
        for (const char *c = name; *c != '\0'; c++) {
            fputs(*c == '"' ? "\"" : "", out);
            fputc(*c, out);
        }
        fputc('"', out);
    }
}

void ctTrace_Write(FILE *out, const ctWorld *world)
{
    double time = ctWorld_GetTime(world);
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId body = ctWorld_GetBody(world, i);
        const char *name = ctBody_GetName(world, body);
        ctVec3 x = ctBody_GetCenter(world, body), v = ctBody_GetVelocity(world, body), w = ctBody_GetSpin(world, body);
        ctQuat q = ctBody_GetTransform(world, body).q;
        fprintf(out, "%.17g,", time);
        writeName(out, name, i);
        fprintf(out, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", x.x, x.y, x.z,
                q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z);
    }
}
