// A libFuzzer target: random calls of the public interface over all shapes, sizes of 1e-6 to 1e4 m, mass ratios of up
// to 1e6, callbacks, and snapshots on the way. After every step the state is finite, the sums of energy close, a
// snapshot continues bit for bit, the step has ended in time, the audit has found nothing, and energy has not risen
// beyond what was given.
#include "collision/clock.h"
#include "engine/clatter.h"
#include "tests/fuzz/bytes.h"

enum { MOST_BODIES = 10, MOST_CALLS = 40, SHAPES = 12 };

typedef struct Play {
    Bytes b;
    ctWorld *world;
    double size;    // m, of most bodies
    bool drives;    // forces, torques, drag, belts and paths are among the calls
    double largest; // J: the most energy that there has been, which is what rounding is relative to
} Play;

static ctShapeId takeCompound(Play *p, double size)
{
    ctPart parts[3];
    int count = 1 + takeChoice(&p->b, 3);
    for (int i = 0; i < count; i++) {
        parts[i].shape = i % 2 == 0 ? ctWorld_CreateSphere(p->world, 0.4 * size, NULL)
                                    : ctWorld_CreateBox(p->world, ctV3(size, 0.3 * size, 0.2 * size), NULL);
        parts[i].pose.p = takeVec3(&p->b, size);
        parts[i].pose.q = (ctQuat){1.0, 0.0, 0.0, 0.0};
    }
    return ctWorld_CreateCompound(p->world, parts, count, NULL);
}

static ctShapeId takeHull(Play *p, double size)
{
    ctVec3 points[8];
    for (int i = 0; i < 8; i++) {
        points[i] = takeVec3(&p->b, size);
    }
    return ctWorld_CreateHull(p->world, points, 4 + takeChoice(&p->b, 5), NULL);
}

static ctShapeId takeLathe(Play *p, double size)
{
    double r[4], z[4];
    for (int i = 0; i < 4; i++) {
        r[i] = takeRange(&p->b, 0.0, size);
        z[i] = size * ((double)i + takeUnit(&p->b));
    }
    return ctWorld_CreateLathe(p->world, r, z, 4, NULL);
}

static ctShapeId takeShape(Play *p, bool *isPlane)
{
    Bytes *b = &p->b;
    ctWorld *w = p->world;
    int kind = takeChoice(b, SHAPES);
    double size = p->size * (takeChoice(b, 6) == 0 ? takeLog(b, 1e-2, 1e2) : takeLog(b, 0.3, 3.0));
    double slender = takeChoice(b, 4) == 0 ? takeLog(b, 1e-3, 1.0) : takeLog(b, 0.2, 1.0);
    *isPlane = kind == 0;
    switch (kind) {
    case 0:
        return ctWorld_CreatePlane(w, takeChoice(b, 2) == 0 ? ctV3(0.0, 0.0, 1.0) : ctNormalize(takeVec3(b, 1.0)), 0.0,
                                   NULL);
    case 1:
        return ctWorld_CreateHollowSphere(w, size, NULL);
    case 2:
        return ctWorld_CreateBox(w, ctV3(size, size * slender, size * takeLog(b, 0.1, 1.0)), NULL);
    case 3:
        return ctWorld_CreateCylinder(w, size, size * slender, NULL);
    case 4:
        return ctWorld_CreateCapsule(w, size * slender, size, NULL);
    case 5:
        return ctWorld_CreateCone(w, size * slender, size, NULL);
    case 6:
        return ctWorld_CreateEllipsoid(w, ctV3(size, size * slender, size * takeLog(b, 0.1, 1.0)), NULL);
    case 7:
        return takeHull(p, size);
    case 8:
        return takeLathe(p, size);
    case 9:
        return takeCompound(p, size);
    case 10:
        return ctWorld_CreateCylinder(w, size * slender, size, NULL);
    default:
        return ctWorld_CreateSphere(w, size, NULL);
    }
}

static double takeSpeed(Play *p)
{
    double natural = sqrt(9.81 * p->size);
    return takeChoice(&p->b, 3) == 0 ? 0.0 : natural * takeLog(&p->b, 1e-3, 100.0);
}

static ctQuat takeRotation(Bytes *b)
{
    ctVec3 v = takeVec3(b, 1.0);
    double w = takeRange(b, -1.0, 1.0);
    return takeChoice(b, 2) == 0 ? (ctQuat){1.0, 0.0, 0.0, 0.0} : (ctQuat){w + 1.5, v.x, v.y, v.z};
}

static void createBody(Play *p)
{
    Bytes *b = &p->b;
    ctBodyDef def = ctDefaultBodyDef();
    bool isPlane;
    def.shape = takeShape(p, &isPlane);
    int motion = takeChoice(b, 8);
    def.motion = isPlane || motion == 0 ? ct_motionFixed : motion == 1 ? ct_motionKinematic : ct_motionDynamic;
    def.density = takeChoice(b, 3) == 0 ? takeLog(b, 1.0, 1e6) : 1000.0;
    def.position = takeVec3(b, 4.0 * p->size);
    def.position.z = isPlane ? 0.0 : p->size * takeRange(b, 0.0, 8.0);
    def.orientation = isPlane ? (ctQuat){1.0, 0.0, 0.0, 0.0} : takeRotation(b);
    if (def.motion != ct_motionFixed) {
        def.velocity = takeVec3(b, takeSpeed(p));
        def.spin = takeVec3(b, takeSpeed(p) / p->size);
    }
    def.sensor = def.motion != ct_motionDynamic && takeChoice(b, 16) == 0;
    ctError error = {ct_ok, ""};
    ctBodyId id = ctWorld_CreateBody(p->world, &def, &error);
    require(id.index1 != 0 || error.message[0] != '\0', "refused without a message");
}

// Hills under everything.
static void createTerrain(Play *p)
{
    enum { SIDE = 6 };
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = takeRange(&p->b, -p->size, p->size);
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreateHeightfield(p->world, 16.0 * p->size, 16.0 * p->size, SIDE, SIDE, heights, NULL, NULL);
    ctError error = {ct_ok, ""};
    ctBodyId id = ctWorld_CreateBody(p->world, &def, &error);
    require(id.index1 != 0, "%s", error.message);
}

static ctBodyId takeBody(Play *p)
{
    int count = ctWorld_GetBodyCount(p->world);
    return count > 0 ? ctWorld_GetBody(p->world, takeChoice(&p->b, count)) : (ctBodyId){0, 0};
}

// A callback may change nothing.
static void meddle(void *context, const ctWorld *world, const ctImpact *impact)
{
    (void)world;
    ctWorld *w = context;
    require(!ctBody_SetVelocity(w, impact->body1, ctV3(1.0, 0.0, 0.0), ctV3(0.0, 0.0, 0.0), NULL),
            "changed by a callback");
    require(isfinite(impact->energyLost), "energy lost");
}

static void checkAudit(const Play *p)
{
    ctAudit audit = ctWorld_GetAudit(p->world);
    for (int i = 0; i < ct_auditKinds; i++) {
        require(audit.counts[i] == 0, "%s, %ld times; the first: %s at %g s", ctAuditKind_Name((ctAuditKind)i),
                (long)audit.counts[i], ctAuditKind_Name(audit.firstKind), audit.firstTime);
    }
}

// What has changed hands so far, and what moves now, J.
static double turnedOver(const ctStats *s)
{
    return fabs(s->frictionLoss) + fabs(s->restitutionLoss) + fabs(s->contactLoss) + fabs(s->kinematicWork) +
           fabs(s->driveWork) + fabs(s->pushWork) + fabs(s->stepError) + s->kineticEnergy;
}

// To be called before a change as well: what is taken away leaves its rounding.
static void noteEnergy(Play *p)
{
    ctStats s = ctWorld_GetStats(p->world);
    p->largest = ctFmax(p->largest, turnedOver(&s) + fabs(s.givenEnergy) + fabs(s.potentialEnergy));
}

static void checkEnergy(Play *p)
{
    noteEnergy(p);
    ctStats s = ctWorld_GetStats(p->world);
    double gained = s.givenEnergy + s.driveWork + s.kinematicWork + s.pushWork + s.stepError;
    double lost = s.frictionLoss + s.restitutionLoss + s.contactLoss, energy = s.kineticEnergy + s.potentialEnergy;
    require(fabs(energy - gained + lost) <= 1e-11 * p->largest, "%g J of %g J are not accounted for",
            energy - gained + lost, p->largest);
    double most = s.givenEnergy + s.driveWork + s.kinematicWork;
    require(energy <= most + 1e-3 * turnedOver(&s) + 1e-9 * p->largest, "energy %g J, given %g J", energy, most);
}

// ended: the world is at the end of a frame, where the sums of energy close.
static void checkState(Play *p, bool ended)
{
    ctWorld *w = p->world;
    int count = ctWorld_GetBodyCount(w);
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(w, i);
        bool finite = ctIsFinite3(ctBody_GetCenter(w, id)) && ctIsFinite3(ctBody_GetVelocity(w, id)) &&
                      ctIsFinite3(ctBody_GetSpin(w, id));
        require(finite, "body %d", i);
    }
    if (ended) {
        checkAudit(p);
        checkEnergy(p);
    }
}

static void step(Play *p)
{
    ctError error = {ct_ok, ""};
    double start = ctClock_Thread();
    bool impact = false;
    bool ok =
        takeChoice(&p->b, 4) == 0 ? ctWorld_StepToImpact(p->world, &impact, &error) : ctWorld_Step(p->world, &error);
    require(ok, "%s", error.message);
    require(ctClock_Thread() - start < 5.0, "a frame of %g s", ctClock_Thread() - start);
    checkState(p, !impact);
}

// The world and a copy from its snapshot take the same step.
static void checkSnapshot(Play *p)
{
    void *data = NULL;
    size_t size = 0;
    ctError error = {ct_ok, ""};
    require(ctWorld_Save(p->world, &data, &size, &error), "%s", error.message);
    ctWorld *copy = ctWorld_Load(data, size, &error);
    require(copy != NULL, "%s", error.message);
    require(ctWorld_Hash(copy) == ctWorld_Hash(p->world), "another hash at once");
    for (int i = 0; i < 2; i++) {
        require(ctWorld_Step(copy, &error) && ctWorld_Step(p->world, &error), "%s", error.message);
        require(ctWorld_Hash(copy) == ctWorld_Hash(p->world), "another hash after step %d", i + 1);
    }
    if (takeChoice(&p->b, 2) == 0) {
        require(ctWorld_Restore(p->world, data, size, &error), "%s", error.message);
    }
    checkState(p, false);
    ctWorld_Destroy(copy);
    ctFreeSnapshot(data);
}

// A way there and back, or on.
static void setPath(Play *p, ctBodyId id)
{
    Bytes *b = &p->b;
    ctPathPoint points[4];
    int count = 2 + takeChoice(b, 3);
    bool loop = takeChoice(b, 2) == 0;
    double time = ctWorld_GetTime(p->world) + takeRange(b, -0.1, 0.1), fall = sqrt(p->size / 9.81);
    ctTransform pose = ctBody_GetTransform(p->world, id), first = pose;
    for (int i = 0; i < count; i++) {
        points[i] = (ctPathPoint){.time = time, .pose = loop && i == count - 1 ? first : pose};
        points[i].hasVelocity = !loop && takeChoice(b, 4) == 0;
        points[i].velocity = takeVec3(b, sqrt(9.81 * p->size));
        time += fall * takeLog(b, 0.1, 10.0);
        pose = (ctTransform){ctAdd(pose.p, takeVec3(b, p->size)), takeRotation(b)};
    }
    ctBody_SetPath(p->world, id, points, takeChoice(b, 8) == 0 ? 0 : count, loop, NULL);
}

// What acts on a body all the time.
static void driveBody(Play *p, ctBodyId id, int what)
{
    Bytes *b = &p->b;
    double weight = 9.81 * ctBody_GetMass(p->world, id), rate = sqrt(9.81 / p->size);
    switch (what) {
    case 0:
        ctBody_SetForce(p->world, id, takeVec3(b, weight * takeLog(b, 1e-2, 3.0)), NULL);
        break;
    case 1:
        ctBody_SetTorque(p->world, id, takeVec3(b, p->size * weight * takeLog(b, 1e-2, 3.0)), NULL);
        break;
    case 2:
        ctBody_SetDrag(p->world, id, rate * takeLog(b, 1e-2, 3.0), rate * takeLog(b, 1e-2, 3.0), NULL);
        break;
    case 3:
        ctBody_SetSurfaceVelocity(p->world, id, takeVec3(b, takeSpeed(p)), takeVec3(b, takeSpeed(p) / p->size), NULL);
        break;
    default:
        setPath(p, id);
        break;
    }
}

static void changeBody(Play *p)
{
    Bytes *b = &p->b;
    ctWorld *w = p->world;
    ctBodyId id = takeBody(p);
    ctMassData mass = ctBody_GetMassData(w, id);
    int what = takeChoice(b, p->drives ? 12 : 7);
    if (what >= 7) {
        driveBody(p, id, what - 7);
        return;
    }
    switch (what) {
    case 0:
        ctBody_SetVelocity(w, id, takeVec3(b, takeSpeed(p)), takeVec3(b, takeSpeed(p) / p->size), NULL);
        break;
    case 1:
        ctBody_ApplyImpulse(w, id, takeVec3(b, ctBody_GetMass(w, id) * takeSpeed(p)),
                            ctAdd(ctBody_GetCenter(w, id), takeVec3(b, p->size)), NULL);
        break;
    case 2:
        ctBody_SetTransform(w, id, (ctTransform){takeVec3(b, 6.0 * p->size), takeRotation(b)}, NULL);
        break;
    case 3:
        ctBody_SetMotionType(w, id, (ctMotionType)takeChoice(b, 3), NULL);
        break;
    case 4:
        mass.mass *= takeLog(b, 0.01, 100.0);
        ctBody_SetMass(w, id, &mass, NULL);
        break;
    case 5:
        ctBody_SetFilter(w, id, (ctFilter){1u << takeChoice(b, 2), takeByte(b)}, NULL);
        break;
    default:
        ctWorld_DestroyBody(w, id, NULL);
        break;
    }
}

static void changeWorld(Play *p)
{
    Bytes *b = &p->b;
    ctRayHit hit;
    switch (takeChoice(b, 6)) {
    case 0:
        ctWorld_SetGravity(p->world, takeVec3(b, 20.0), NULL);
        break;
    case 1:
        ctWorld_SetLaw(p->world, (ctLaw)takeChoice(b, 4), NULL);
        break;
    case 2:
        ctWorld_SetContactMode(p->world, (ctContactMode)takeChoice(b, 2), NULL);
        break;
    case 3:
        ctWorld_SetFrameTime(p->world, takeLog(b, 1e-4, 0.3), NULL);
        break;
    case 4:
        ctWorld_OnImpact(p->world, takeChoice(b, 2) == 0 ? meddle : NULL, p->world);
        break;
    default:
        ctWorld_RayCast(p->world, takeVec3(b, 5.0 * p->size), takeVec3(b, 1.0), 100.0, &hit);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Play p = {.b = {data, data + size}};
    ctWorldDef def = ctDefaultWorldDef();
    def.audit = true;
    def.law = (ctLaw)takeChoice(&p.b, 4);
    def.contact = takeChoice(&p.b, 8) == 0 ? ct_contactMicrocollision : ct_contactIsland;
    p.size = takeChoice(&p.b, 2) == 0 ? 0.1 : takeLog(&p.b, 1e-6, 1e4);
    p.world = ctWorld_Create(&def, NULL);
    require(p.world != NULL, "no world");
    ctMaterialDef material = ctDefaultMaterialDef();
    ctCoefficients self = material.self;
    self.friction = takeChoice(&p.b, 4) == 0 ? 0.0 : takeLog(&p.b, 1e-2, 3.0);
    self.restitution = takeRange(&p.b, 0.0, 1.0);
    self.tangentialRestitution = takeRange(&p.b, -1.0, 1.0);
    self.sigma = takeUnit(&p.b);
    self.rolling = takeChoice(&p.b, 3) == 0 ? p.size * takeLog(&p.b, 1e-4, 0.1) : 0.0;
    self.spinning = takeChoice(&p.b, 3) == 0 ? p.size * takeLog(&p.b, 1e-4, 0.1) : 0.0;
    ctWorld_SetMaterial(p.world, (ctMaterialId){0}, self, NULL);
    if (size > 0 && (data[size - 1] & 10) == 2) { // the last byte, so that inputs without stay what they are
        createTerrain(&p);
    }
    p.drives = size > 0 && (data[size - 1] & 7) == 6;
    int bodies = 1 + takeChoice(&p.b, MOST_BODIES);
    for (int i = 0; i < bodies; i++) {
        createBody(&p);
    }
    for (int i = 0; i < MOST_CALLS && p.b.at < p.b.end; i++) {
        noteEnergy(&p);
        int call = takeChoice(&p.b, 16);
        if (call == 0) {
            checkSnapshot(&p);
        } else if (call == 1) {
            changeBody(&p);
        } else if (call == 2) {
            changeWorld(&p);
        } else if (call == 3 && ctWorld_GetBodyCount(p.world) < MOST_BODIES + 5) {
            createBody(&p);
        } else {
            step(&p);
        }
    }
    ctWorld_Destroy(p.world);
    return 0;
}
