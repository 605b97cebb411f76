#include "scenes/write.h"

#include "collision/elementary.h"
#include "collision/error.h"
#include "collision/mat3.h"
#include "collision/quat.h"
#include "collision/shape.h"
#include "engine/impact/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STANDARD "standard" // the material of bodies without one

static void writeVector(FILE *f, const char *key, ctVec3 v)
{
    fprintf(f, ", %s = {%.17g, %.17g, %.17g}", key, v.x, v.y, v.z);
}

// ---- shapes -----------------------------------------------------------------------------------

static void writeLathe(FILE *f, const ctLathe *lathe)
{
    int n = lathe->outlineCount;
    const double *r = lathe->outlineR, *z = lathe->outlineZ;
    if (n == 2 && r[0] == r[1] && z[0] == -z[1]) {
        fprintf(f, "cylinder { radius = %.17g, height = %.17g }", r[0], fabs(z[1] - z[0]));
        return;
    }
    fprintf(f, "lathe { profile = {");
    for (int i = 0; i < n; i++) {
        fprintf(f, "%s{%.17g, %.17g}", i > 0 ? ", " : " ", r[i], z[i]);
    }
    fprintf(f, " } }");
}

static void writePoints(FILE *f, const ctVec3 *points, int count)
{
    fprintf(f, "hull { points = {");
    for (int i = 0; i < count; i++) {
        fprintf(f, "%s{%.17g, %.17g, %.17g}", i > 0 ? ", " : " ", points[i].x, points[i].y, points[i].z);
    }
    fprintf(f, " } }");
}

static bool writeShape(FILE *f, const ctShape *shape, ctError *error);

static bool writeParts(FILE *f, const ctShape *shape, ctError *error)
{
    fprintf(f, "compound {");
    for (int i = 0; i < shape->leafCount; i++) {
        const ctLeaf *leaf = &shape->leaves[i];
        fprintf(f, " { shape = ");
        if (!writeShape(f, leaf->shape, error)) {
            return false;
        }
        writeVector(f, "position", leaf->pose.p);
        ctVec3 axis = ctV3(leaf->pose.q.x, leaf->pose.q.y, leaf->pose.q.z);
        double s = ctLength(axis);
        if (s > 0.0) {
            fprintf(f, ", rotate = { degrees = %.17g", 2.0 * ctAtan2(s, leaf->pose.q.w) * 180.0 / CT_PI);
            writeVector(f, "axis", axis);
            fprintf(f, " }");
        }
        fprintf(f, " },");
    }
    fprintf(f, " }");
    return true;
}

static bool writeShape(FILE *f, const ctShape *shape, ctError *error)
{
    double r = shape->round;
    switch (shape->type) {
    case ct_shapeSphere:
        fprintf(f, "sphere { radius = %.17g }", r);
        return true;
    case ct_shapeCapsule:
        fprintf(f, "capsule { radius = %.17g, height = %.17g }", r, 2.0 * shape->u.halfHeight);
        return true;
    case ct_shapeBox: {
        ctVec3 half = shape->u.half;
        fprintf(f, "box { size = {%.17g, %.17g, %.17g} }", 2.0 * (half.x + r), 2.0 * (half.y + r), 2.0 * (half.z + r));
        return true;
    }
    case ct_shapeLathe:
        writeLathe(f, &shape->u.lathe);
        return true;
    case ct_shapeEllipsoid:
        fprintf(f, "ellipsoid { radii = {%.17g, %.17g, %.17g} }", shape->u.radii.x, shape->u.radii.y, shape->u.radii.z);
        return true;
    case ct_shapeHull:
        writePoints(f, shape->u.hull.corners, shape->u.hull.cornerCount);
        return true;
    case ct_shapePlane:
        fprintf(f, "plane { offset = %.17g", shape->u.plane.offset);
        writeVector(f, "normal", shape->u.plane.normal);
        fprintf(f, " }");
        return true;
    case ct_shapeCompound:
        return writeParts(f, shape, error);
    case ct_shapeTerrain:
        break;
    }
    return ctFail(error, ct_badArgument, "a terrain cannot be written into a scene; a saved world keeps it");
}

// ---- settings and materials -------------------------------------------------------------------

static const char *materialName(const ctWorld *world, int index)
{
    return index == 0 ? STANDARD : ctWorld_GetMaterialName(world, (ctMaterialId){index});
}

static void writeCoefficients(FILE *f, const ctCoefficients *c)
{
    fprintf(f,
            "friction = %.17g, restitution = %.17g, tangential_restitution = %.17g, sigma = %.17g, rolling = %.17g, "
            "spinning = %.17g",
            c->friction, c->restitution, c->tangentialRestitution, c->sigma, c->rolling, c->spinning);
    if (c->tangentialStiffness > 0.0) {
        fprintf(f, ", tangential_stiffness = %.17g", c->tangentialStiffness);
    }
}

static void writeMaterials(FILE *f, const ctWorld *world)
{
    int count = ctWorld_GetMaterialCount(world);
    for (int a = 0; a < count; a++) {
        ctCoefficients self = ctWorld_GetPair(world, (ctMaterialId){a}, (ctMaterialId){a});
        fprintf(f, "material(\"%s\", { density = %.17g, ", materialName(world, a),
                ctWorld_GetMaterialDensity(world, (ctMaterialId){a}));
        writeCoefficients(f, &self);
        fprintf(f, " })\n");
    }
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            ctCoefficients pair = ctWorld_GetPair(world, (ctMaterialId){a}, (ctMaterialId){b});
            fprintf(f, "contact(\"%s\", \"%s\", { ", materialName(world, a), materialName(world, b));
            writeCoefficients(f, &pair);
            fprintf(f, " })\n");
        }
    }
}

static void writeCamera(FILE *f, const ctSceneCamera *c)
{
    fprintf(f, "{ fov = %.9g, eye = {%.9g, %.9g, %.9g}, target = {%.9g, %.9g, %.9g} }", c->fov, c->eye.x, c->eye.y,
            c->eye.z, c->target.x, c->target.y, c->target.z);
}

static void writeSettings(FILE *f, const ctScene *scene)
{
    ctWorldDef def = ctWorld_GetSettings(scene->world);
    fprintf(f, "-- %s, as it was at %.6g s.\n", scene->title, ctWorld_GetTime(scene->world));
    fprintf(f, "scene { seconds = %.9g, law = \"%s\", contact = \"%s\"", scene->seconds, ctLawName(def.law),
            ctContactMode_Name(def.contact));
    writeVector(f, "gravity", def.gravity);
    if (scene->hasCamera && scene->cameraCount > 0) {
        fprintf(f, ",\n        camera = ");
        writeCamera(f, &scene->cameras[0]);
    }
    fprintf(f, " }\n");
    for (int i = 1; i < scene->cameraCount; i++) {
        fprintf(f, "camera(\"%s\", ", scene->cameras[i].name);
        writeCamera(f, &scene->cameras[i]);
        fprintf(f, ")\n");
    }
}

// ---- bodies -----------------------------------------------------------------------------------

static void writeGroups(FILE *f, const char *key, uint64_t bits)
{
    fprintf(f, ", %s = {", key);
    for (int i = 0; i < 64; i++) {
        if ((bits >> i & 1) != 0) {
            fprintf(f, i == 0 ? " \"default\"," : " \"group %d\",", i);
        }
    }
    fprintf(f, " }");
}

static void writeMass(FILE *f, const ctWorld *world, ctBodyId id)
{
    ctMassData mass = ctBody_GetMassData(world, id);
    ctMat3 i = mass.inertia;
    fprintf(f, ",\n       mass = %.17g", mass.mass);
    writeVector(f, "center", mass.center);
    fprintf(f, ", inertia = {%.17g, %.17g, %.17g, %.17g, %.17g, %.17g}", i.cx.x, i.cy.y, i.cz.z, i.cy.x, i.cz.x,
            i.cz.y);
    double linear, angular;
    ctBody_GetDrag(world, id, &linear, &angular);
    if (linear > 0.0 || angular > 0.0) {
        fprintf(f, ", drag = { linear = %.17g, angular = %.17g }", linear, angular);
    }
    ctVec3 force = ctBody_GetForce(world, id), torque = ctBody_GetTorque(world, id);
    if (ctLengthSquared(force) + ctLengthSquared(torque) > 0.0) {
        writeVector(f, "force", force);
        writeVector(f, "torque", torque);
    }
}

static void writeLook(FILE *f, const ctScene *scene, ctBodyId id)
{
    uint64_t index = ctBody_GetUserData(scene->world, id);
    if (index >= (uint64_t)scene->lookCount) {
        return;
    }
    const ctLook *look = &scene->looks[index];
    fprintf(f, ",\n       color = {%.9g, %.9g, %.9g}, pattern = \"%s\", number = %d, trail = %s, visible = %s",
            look->color.x, look->color.y, look->color.z, ctPattern_Name(look->pattern), look->number,
            look->trail ? "true" : "false", look->hidden ? "false" : "true");
}

static bool writeBody(FILE *f, const ctScene *scene, ctBodyId id, ctError *error)
{
    static const char *const motions[] = {"dynamic", "fixed", "kinematic"};
    const ctWorld *world = scene->world;
    ctMotionType motion = ctBody_GetMotionType(world, id);
    ctTransform pose = ctBody_GetTransform(world, id);
    fprintf(f, "body { motion = \"%s\", material = \"%s\"", motions[motion],
            materialName(world, ctBody_GetMaterial(world, id).index));
    if (ctBody_GetName(world, id)[0] != '\0') {
        fprintf(f, ", name = \"%s\"", ctBody_GetName(world, id));
    }
    fprintf(f, ",\n       shape = ");
    if (!writeShape(f, ctWorld_GetShape(world, ctBody_GetShape(world, id)), error)) {
        return false;
    }
    fprintf(f, ",\n       orientation = {%.17g, %.17g, %.17g, %.17g}", pose.q.w, pose.q.x, pose.q.y, pose.q.z);
    writeVector(f, "position", pose.p);
    if (motion != ct_motionFixed) {
        writeVector(f, "velocity", ctBody_GetVelocity(world, id));
        writeVector(f, "spin", ctBody_GetSpin(world, id));
    }
    if (motion == ct_motionDynamic) {
        writeMass(f, world, id);
    } else {
        ctVec3 linear, angular;
        ctBody_GetSurfaceVelocity(world, id, &linear, &angular);
        if (ctLengthSquared(linear) + ctLengthSquared(angular) > 0.0) {
            fprintf(f, ",\n       surface_velocity = { linear = {%.17g, %.17g, %.17g}", linear.x, linear.y, linear.z);
            writeVector(f, "angular", angular);
            fprintf(f, " }");
        }
    }
    ctFilter filter = ctBody_GetFilter(world, id);
    if (filter.category != 1 || filter.mask != UINT64_MAX) {
        writeGroups(f, "group", filter.category);
        if (filter.mask != UINT64_MAX) {
            writeGroups(f, "collides_with", filter.mask);
        }
    }
    fprintf(f, "%s", ctBody_IsSensor(world, id) ? ", sensor = true" : "");
    writeLook(f, scene, id);
    fprintf(f, " }\n");
    return true;
}

char *ctScene_Write(const ctScene *scene, ctError *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) {
        ctFailMemory(error, "a scene's text");
        return NULL;
    }
    writeSettings(f, scene);
    writeMaterials(f, scene->world);
    bool good = true;
    for (int i = 0; i < ctWorld_GetBodyCount(scene->world) && good; i++) {
        good = writeBody(f, scene, ctWorld_GetBody(scene->world, i), error);
    }
    bool whole = fclose(f) == 0;
    if (good && whole) {
        return text;
    }
    free(text);
    if (good) {
        ctFailMemory(error, "a scene's text");
    }
    return NULL;
}
