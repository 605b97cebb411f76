// What a program makes and asks: shapes, materials, rays and other questions, drawing, sums and snapshots.
//     cc $(pkg-config --cflags clatter) example_look.c $(pkg-config --libs clatter) -lm -o look
#include <clatter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ctError error;

static void check(bool ok)
{
    if (!ok) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

// One body of every shape in a row along x, a metre apart, over hills.
static ctWorld *collection(void)
{
    ctWorldDef settings = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&settings, &error);
    check(world != NULL);
    const ctVec3 corners[4] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0}, {0, 0, 0.3}};
    const double r[3] = {0.0, 0.1, 0.0}, z[3] = {0.0, 0.1, 0.3};
    const char tetrahedron[] = "v 0 0 0\nv .3 0 0\nv 0 .3 0\nv 0 0 .3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    ctShapeId shapes[10] = {
        ctWorld_CreateSphere(world, 0.1, &error),
        ctWorld_CreateHollowSphere(world, 0.1, &error),
        ctWorld_CreateBox(world, (ctVec3){0.2, 0.2, 0.2}, &error),
        ctWorld_CreateCylinder(world, 0.1, 0.2, &error),
        ctWorld_CreateCapsule(world, 0.1, 0.2, &error),
        ctWorld_CreateCone(world, 0.1, 0.2, &error),
        ctWorld_CreateEllipsoid(world, (ctVec3){0.1, 0.1, 0.2}, &error),
        ctWorld_CreateHull(world, corners, 4, &error),
        ctWorld_CreateLathe(world, r, z, 3, &error),
        ctWorld_CreateMesh(world, tetrahedron, strlen(tetrahedron), "tetrahedron.obj", false, &error),
    };
    for (int i = 0; i < 11; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        char name[16];
        snprintf(name, sizeof name, "body %d", i);
        ctPart dumbbell[2] = {{shapes[0], {{-0.2, 0, 0}, {1, 0, 0, 0}}}, {shapes[0], {{0.2, 0, 0}, {1, 0, 0, 0}}}};
        def.name = name;
        def.shape = i < 10 ? shapes[i] : ctWorld_CreateCompound(world, dumbbell, 2, &error);
        def.position = (ctVec3){i, 0, 2};
        check(ctWorld_CreateBody(world, &def, &error).index1 != 0);
    }
    const double heights[4] = {0, 0, 0, 0};
    const ctVec3 vertices[3] = {{-40, 0, -1}, {-30, 0, -1}, {-40, 10, -1}};
    const int triangle[3] = {0, 1, 2};
    const char obj[] = "v -40 0 -2\nv -30 0 -2\nv -40 10 -2\nf 1 2 3\n";
    ctTerrainDef both = ctDefaultTerrainDef();
    both.twoSided = true;
    ctShapeId ground[3] = {
        ctWorld_CreateHeightfield(world, 40, 40, 2, 2, heights, NULL, &error),
        ctWorld_CreateTrimesh(world, vertices, 3, triangle, 1, &both, &error),
        ctWorld_CreateTrimeshFromObj(world, obj, strlen(obj), "triangle.obj", NULL, &error),
    };
    for (int i = 0; i < 3; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ground[i];
        def.motion = ct_motionFixed;
        check(ctWorld_CreateBody(world, &def, &error).index1 != 0);
    }
    printf("%d bodies, clatter %s\n", ctWorld_GetBodyCount(world), ctVersion());
    return world;
}

static void materials(ctWorld *world)
{
    ctMaterialId ice, standard = ctBody_GetMaterial(world, ctWorld_GetBody(world, 0));
    ctMaterialDef def = ctDefaultMaterialDef();
    def.name = "ice";
    def.density = 917;
    def.self.friction = 0.02;
    check(ctWorld_CreateMaterial(world, &def, &ice, &error));
    double mean = ctWorld_GetPair(world, ice, standard).friction; // sqrt(0.02 0.5) = 0.1
    def.self.restitution = 0.3;
    check(ctWorld_SetMaterial(world, ice, def.self, &error));
    check(ctWorld_SetPair(world, ice, standard, (ctCoefficients){.friction = 0.05, .restitution = 0.4}, &error));
    check(ctBody_SetMaterial(world, ctWorld_FindBody(world, "body 2"), ice, &error));
    printf("materials: %d, the last is %s with %.0f kg/m^3; friction on others %.2f, then %.2f\n",
           ctWorld_GetMaterialCount(world), ctWorld_GetMaterialName(world, ice), ctWorld_GetMaterialDensity(world, ice),
           mean, ctWorld_GetPair(world, ice, standard).friction);
}

static void questions(ctWorld *world)
{
    ctRayHit hit, hits[16];
    ctBodyId ball = ctWorld_FindBody(world, "body 0"), found[4];
    ctNearest nearest;
    ctTransform above = {{0, 0, 5}, {1, 0, 0, 0}}, at = {{0.1, 0, 2}, {1, 0, 0, 0}};
    ctShapeId shape = ctBody_GetShape(world, ball);
    check(ctWorld_RayCast(world, (ctVec3){0, 0, 5}, (ctVec3){0, 0, -1}, 10, &hit));
    int count = ctWorld_RayCastAll(world, (ctVec3){-1, 0, 2.05}, (ctVec3){1, 0, 0}, 20, NULL, hits, 16);
    printf("rays: down to %s after %.2f m; %d along the row\n", ctBody_GetName(world, hit.body), hit.t, count);
    check(ctWorld_ShapeCast(world, shape, above, (ctVec3){0, 0, -4}, NULL, &hit)); // 4 m down: it touches after 2.8 m
    printf("cast: %.2f of the way; overlaps: %d\n", hit.t, ctWorld_Overlap(world, shape, at, NULL, found, 4));
    check(ctWorld_Closest(world, ball, ctWorld_FindBody(world, "body 2"), &nearest));
    printf("closest: %.2f m", nearest.distance);
    check(ctWorld_ClosestToPoint(world, (ctVec3){0, 0, 2.5}, 1.0, NULL, &nearest));
    printf(", and %.2f m from a point to %s\n", nearest.distance, ctBody_GetName(world, nearest.body));
}

static void addLine(void *context, ctVec3 a, ctVec3 b, uint32_t color)
{
    (void)a, (void)b, (void)color;
    ++*(int *)context;
}

static void pictures(ctWorld *world)
{
    ctMesh mesh;
    ctVec3 *lines = NULL, lo, hi;
    int count = 0, drawn = 0;
    ctShapeId box = ctBody_GetShape(world, ctWorld_FindBody(world, "body 2"));
    check(ctShape_GetMesh(world, box, 24, &mesh, &error) && ctShape_GetLines(world, box, &lines, &count, &error));
    ctDebugDraw draw = {.line = addLine, .context = &drawn, .shapes = true};
    check(ctWorld_DebugDraw(world, &draw, &error));
    check(ctBody_GetSweptBox(world, ctWorld_FindBody(world, "body 2"), &lo, &hi) && hi.z > lo.z);
    printf("drawing: a box has %d triangles and %d edges; all have %s lines\n", mesh.indexCount / 3, count / 2,
           drawn > 100 ? "more than 100" : "few");
    ctMesh_Free(&mesh);
    ctFreeLines(lines);
}

static void running(ctWorld *world)
{
    void *saved;
    size_t size;
    bool impact = false;
    const ctImpact *impacts;
    const ctContact *contacts;
    const ctPending *pending;
    ctWorld_SetAudit(world, true);
    ctWorld_SetProfiling(world, true);
    check(ctWorld_SetThreads(world, 2, NULL, &error));
    check(ctWorld_Save(world, &saved, &size, &error));
    while (!impact) {
        check(ctWorld_StepToImpact(world, &impact, &error));
    }
    check(ctWorld_GetImpacts(world, &impacts) > 0);
    printf("first impact: %s at %.4f s\n", ctBody_GetName(world, impacts[0].body1), impacts[0].time);
    ctWorld *twin = ctWorld_Load(saved, size, &error);
    check(twin != NULL && ctWorld_Restore(world, saved, size, &error));
    ctFreeSnapshot(saved);
    for (int i = 0; i < 120; i++) {
        check(ctWorld_Step(world, &error) && ctWorld_Step(twin, &error));
    }
    printf("a twin from the snapshot: %s\n", ctWorld_Hash(world) == ctWorld_Hash(twin) ? "the same bits" : "different");
    ctWorld_Destroy(twin);
    ctStats stats = ctWorld_GetStats(world);
    ctBodyId ball = ctWorld_FindBody(world, "body 0"), hills = ctWorld_GetBody(world, 11);
    ctAudit audit = ctWorld_GetAudit(world);
    printf("%s contacts, %s pairs pending, audit: %d of \"%s\"\n",
           ctWorld_GetContacts(world, &contacts) > 0 ? "some" : "no",
           ctWorld_GetPending(world, &pending) > 0 ? "some" : "no", (int)audit.counts[ct_auditOverlap],
           ctAuditKind_Name(ct_auditOverlap));
    printf("impacts: %s in all; the ball's with the hills: %s\n", stats.impacts > 10 ? "more than 10" : "few",
           ctWorld_GetPairTally(world, ball, hills).impacts == ctBody_GetTally(world, ball).impacts ? "all" : "some");
}

static void settings(ctWorld *world)
{
    check(ctWorld_SetGravity(world, (ctVec3){0, 0, -1.62}, &error) && ctWorld_SetLaw(world, ct_lawPoisson, &error));
    check(ctWorld_SetFrameTime(world, 0.01, &error));
    check(ctWorld_SetContactMode(world, ct_contactMicrocollision, &error));
    bool refused = !ctWorld_SetFrameTime(world, -1.0, &error);
    ctWorldDef now = ctWorld_GetSettings(world);
    printf("settings: %.2f m/s^2, frames of %.2f s; a bad one: %s\n", now.gravity.z, now.frameTime,
           refused ? error.message : "taken");
}

int main(void)
{
    ctWorld *world = collection();
    materials(world);
    questions(world);
    pictures(world);
    running(world);
    settings(world);
    ctWorld_Destroy(world);
    return 0;
}
