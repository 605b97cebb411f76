#include "app/trace.h"

void ctTrace_WriteVec3(FILE *out, ctVec3 v)
{
    fprintf(out, ",%.17g,%.17g,%.17g", v.x, v.y, v.z);
}

void ctTrace_Write(FILE *out, const ctWorld *world)
{
    double time = ctWorld_GetTime(world);
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId body = ctWorld_GetBody(world, i);
        ctQuat q = ctBody_GetTransform(world, body).q;
        fprintf(out, "%.17g,%s", time, ctBody_GetName(world, body));
        ctTrace_WriteVec3(out, ctBody_GetCenter(world, body));
        fprintf(out, ",%.17g,%.17g,%.17g,%.17g", q.w, q.x, q.y, q.z);
        ctTrace_WriteVec3(out, ctBody_GetVelocity(world, body));
        ctTrace_WriteVec3(out, ctBody_GetSpin(world, body));
        fputc('\n', out);
    }
}
