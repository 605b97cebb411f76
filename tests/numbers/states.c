// states NUMBER FACTOR SCENE[:SECONDS[:MODE]] ...: the state of each scene after some seconds, and what the audit has
// found, with one of the engine's numbers taken times a factor. tools/try-numbers compiles it together with an engine
// whose numbers are variables.
#include "scenes/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern double ctNumberFactors[];

static bool printState(char *what, ctError *error)
{
    char *name = strtok(what, ":"), *seconds = strtok(NULL, ":"), *mode = strtok(NULL, ":");
    ctScene *scene = ctScene_Load(name, NULL, error);
    if (scene == NULL) {
        return false;
    }
    double end = seconds != NULL ? atof(seconds) : scene->seconds;
    bool ok = mode == NULL || ctWorld_SetContactMode(scene->world, ct_contactMicrocollision, error);
    ctWorld_SetAudit(scene->world, true);
    while (ok && ctWorld_GetTime(scene->world) < end - 1e-9) {
        ok = ctWorld_Step(scene->world, error);
    }
    if (ok) {
        printf("%s%s %016" PRIx64 " %" PRId64 "\n", name, mode != NULL ? ":micro" : "", ctWorld_Hash(scene->world),
               ctWorld_GetStats(scene->world).auditViolations);
    }
    ctScene_Destroy(scene);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "states NUMBER FACTOR SCENE[:SECONDS[:MODE]] ...\n");
        return 2;
    }
    ctNumberFactors[atoi(argv[1])] = atof(argv[2]);
    for (int i = 3; i < argc; i++) {
        ctError error = {ct_ok, ""};
        if (!printState(argv[i], &error)) {
            printf("%s failed: %s\n", argv[i], error.message);
        }
    }
    return 0;
}
