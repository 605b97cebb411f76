// clatter info: the contents of a scene, for a person, as JSON, or as bare names for the shell's completion.
#include "app/app.h"
#include "app/scene_options.h"
#include "collision/error.h"
#include "collision/shape.h"
#include "engine/impact/impact.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *shapeOf(const ctWorld *world, ctBodyId body)
{
    const ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body));
    return shape != NULL ? ctShape_TypeName(shape->type) : "?";
}

static const char *motionOf(const ctWorld *world, ctBodyId body)
{
    static const char *const names[] = {"dynamic", "fixed", "kinematic"};
    return names[ctBody_GetMotionType(world, body)];
}

static const char *materialOf(const ctWorld *world, ctBodyId body)
{
    return ctWorld_GetMaterialName(world, ctBody_GetMaterial(world, body));
}

// ---- for a person -----------------------------------------------------------------------------

static void printParams(const ctScene *s)
{
    printf("\nparameters (--set NAME=VALUE)\n");
    for (int i = 0; i < s->paramCount; i++) {
        const ctSceneParam *p = &s->params[i];
        printf("  %-14s %-9.6g %g ... %g   %s\n", p->name, p->value, p->min, p->max, p->label);
    }
}

static void printBodies(const ctScene *s)
{
    const ctWorld *world = s->world;
    printf("\nbodies (%d)\n", ctWorld_GetBodyCount(world));
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId body = ctWorld_GetBody(world, i);
        printf("  %-20s %-9s %-12s of %s", ctBody_GetName(world, body), motionOf(world, body), shapeOf(world, body),
               materialOf(world, body));
        if (ctBody_GetMass(world, body) > 0.0) {
            printf(", %.4g kg", ctBody_GetMass(world, body));
        }
        putchar('\n');
    }
}

static void printAll(const ctScene *s)
{
    const ctWorld *world = s->world;
    ctWorldDef def = ctWorld_GetSettings(world);
    printf("%s (%s)\n", s->title, s->path);
    if (s->description[0] != '\0') {
        printf("\n%s\n", s->description);
    }
    printf("\n%g s; gravity %g, %g, %g m/s^2; law %s; contact %s\n", s->seconds, def.gravity.x, def.gravity.y,
           def.gravity.z, ctLawName(def.law), ctContactMode_Name(def.contact));
    if (s->paramCount > 0) {
        printParams(s);
    }
    printf("\ncameras\n");
    for (int i = 0; i < s->cameraCount; i++) {
        printf("  %s\n", s->cameras[i].name);
    }
    for (int i = 0; i < s->measureCount; i++) {
        printf("%s  %s: %s\n", i == 0 ? "\nmeasures\n" : "", s->measures[i].name, s->measures[i].label);
    }
    printf("\nmaterials\n");
    for (int i = 0; i < ctWorld_GetMaterialCount(world); i++) {
        ctMaterialId id = {i};
        ctCoefficients self = ctWorld_GetPair(world, id, id);
        printf("  %-16s friction %g, restitution %g, %g kg/m^3\n", ctWorld_GetMaterialName(world, id), self.friction,
               self.restitution, ctWorld_GetMaterialDensity(world, id));
    }
    printBodies(s);
}

// ---- for programs -----------------------------------------------------------------------------

static json_t *vector(ctVec3 v)
{
    return json_pack("[f,f,f]", v.x, v.y, v.z);
}

static json_t *listParams(const ctScene *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->paramCount; i++) {
        const ctSceneParam *p = &s->params[i];
        json_array_append_new(list, json_pack("{s:s,s:s,s:f,s:f,s:f,s:f}", "name", p->name, "label", p->label, "value",
                                              p->value, "default", p->initial, "min", p->min, "max", p->max));
    }
    return list;
}

static json_t *listCameras(const ctScene *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->cameraCount; i++) {
        const ctSceneCamera *c = &s->cameras[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:o,s:f}", "name", c->name, "eye", vector(c->eye), "target",
                                              vector(c->target), "fov", c->fov));
    }
    return list;
}

static json_t *listMaterials(const ctScene *s)
{
    json_t *list = json_array();
    for (int i = 0; i < ctWorld_GetMaterialCount(s->world); i++) {
        ctMaterialId id = {i};
        ctCoefficients self = ctWorld_GetPair(s->world, id, id);
        json_array_append_new(list, json_pack("{s:s,s:f,s:f,s:f}", "name", ctWorld_GetMaterialName(s->world, id),
                                              "friction", self.friction, "restitution", self.restitution, "density",
                                              ctWorld_GetMaterialDensity(s->world, id)));
    }
    return list;
}

static json_t *listBodies(const ctScene *s)
{
    json_t *list = json_array();
    for (int i = 0; i < ctWorld_GetBodyCount(s->world); i++) {
        ctBodyId body = ctWorld_GetBody(s->world, i);
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:s,s:s,s:f,s:o}", "name", ctBody_GetName(s->world, body), "motion",
                                        motionOf(s->world, body), "shape", shapeOf(s->world, body), "material",
                                        materialOf(s->world, body), "mass", ctBody_GetMass(s->world, body), "position",
                                        vector(ctBody_GetTransform(s->world, body).p)));
    }
    return list;
}

static json_t *listMeasures(const ctScene *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->measureCount; i++) {
        json_array_append_new(list, json_pack("{s:s,s:s}", "name", s->measures[i].name, "label", s->measures[i].label));
    }
    return list;
}

static bool printJson(const ctScene *s)
{
    ctWorldDef def = ctWorld_GetSettings(s->world);
    json_t *all = json_pack("{s:s,s:s,s:s,s:s,s:s,s:f,s:o,s:s,s:s}", "name", s->name, "path", s->path, "title",
                            s->title, "tab", s->tab, "description", s->description, "seconds", s->seconds, "gravity",
                            vector(def.gravity), "law", ctLawName(def.law), "contact", ctContactMode_Name(def.contact));
    bool good = all != NULL && json_object_set_new(all, "params", listParams(s)) == 0 &&
                json_object_set_new(all, "cameras", listCameras(s)) == 0 &&
                json_object_set_new(all, "measures", listMeasures(s)) == 0 &&
                json_object_set_new(all, "materials", listMaterials(s)) == 0 &&
                json_object_set_new(all, "bodies", listBodies(s)) == 0 &&
                json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0;
    putchar('\n');
    json_decref(all);
    if (!good && ferror(stdout) == 0) { // main() tells of a failed write
        fputs("clatter: info: out of memory\n", stderr);
        return false;
    }
    return true;
}

// One name per line.
static bool printNames(const ctScene *s, const char *kind)
{
    if (strcmp(kind, "params") == 0) {
        for (int i = 0; i < s->paramCount; i++) {
            puts(s->params[i].name);
        }
    } else if (strcmp(kind, "cameras") == 0) {
        for (int i = 0; i < s->cameraCount; i++) {
            puts(s->cameras[i].name);
        }
    } else if (strcmp(kind, "bodies") == 0) {
        for (int i = 0; i < ctWorld_GetBodyCount(s->world); i++) {
            puts(ctBody_GetName(s->world, ctWorld_GetBody(s->world, i)));
        }
    } else if (strcmp(kind, "measures") == 0) {
        for (int i = 0; i < s->measureCount; i++) {
            puts(s->measures[i].name);
        }
    } else {
        fprintf(stderr, "clatter: info: --names takes params, cameras, bodies or measures, not '%.40s'\n", kind);
        return false;
    }
    return true;
}

int ctCommandInfo(int argc, char **argv)
{
    static ctSceneArguments arguments;
    const char *name = NULL, *names = NULL;
    bool json = false;
    const ctOption options[] = {
        CT_FLAG("json", &json, "as JSON"),
        CT_TEXT("names", &names, "KIND", "only the names of its params, cameras, bodies or measures, a line each"),
        CT_SCENE_OPTIONS(&arguments),
        {.name = NULL},
    };
    const ctOptionSet set = {.command = "info",
                             .usage = "clatter info SCENE [--json] [options]\n",
                             .options = options,
                             .words = &name,
                             .maxWords = 1};
    int status;
    if (!ctParseOptions(&set, argc, argv, NULL, &status)) {
        return status;
    }
    if (name == NULL) {
        fprintf(stderr, "clatter: info: which scene? clatter list shows the demos\n");
        return CT_EXIT_USAGE;
    }
    ctScene *scene = ctLoadSceneOrComplain(name, &arguments);
    if (scene == NULL) {
        return CT_EXIT_USAGE;
    }
    status = CT_EXIT_OK;
    if (names != NULL) {
        status = printNames(scene, names) ? CT_EXIT_OK : CT_EXIT_USAGE;
    } else if (json) {
        status = printJson(scene) ? CT_EXIT_OK : CT_EXIT_FAILED;
    } else {
        printAll(scene);
    }
    ctScene_Destroy(scene);
    return status;
}
