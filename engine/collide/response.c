// One impact at one point: the impulse, its effect on the two bodies, its record and its audit.
#include "collision/memory.h"
#include "engine/collide/collide_internal.h"

// The contact frame of a touch: z is the normal.
typedef struct Frame {
    ctVec3 x, y, z;
} Frame;

static ctVec3 toWorld(const Frame *f, ctVec3 v)
{
    return ctAdd(ctAdd(ctScale(v.x, f->x), ctScale(v.y, f->y)), ctScale(v.z, f->z));
}

static ctVec3 toFrame(const Frame *f, ctVec3 v)
{
    return ctV3(ctDot(f->x, v), ctDot(f->y, v), ctDot(f->z, v));
}

// K of two balls is diagonal: along the normal the masses alone, across it the spins as well. The arms are not exactly
// the radii, because the point is in the middle of the gap.
static ctMat3 ballsMatrix(const ctBody *a, const ctBody *b, ctVec3 normalOfB, ctVec3 point)
{
    double normal = a->invMass + b->invMass;
    double ra = ctDot(normalOfB, ctSub(a->x, point)), rb = ctDot(normalOfB, ctSub(point, b->x));
    double across = normal + ra * ra * a->invInertia + rb * rb * b->invInertia;
    return ctMat3Diagonal(across, across, normal);
}

// Two bodies that meet, and their pair unless both are of the gas.
typedef struct Meeting {
    int a, b;
    int pair; // or -1
    bool round;
} Meeting;

// Two balls, or a ball and a plane. In sustained contact there may be a gap. The impulse acts in its middle, so the
// arms are not the radii.
static bool isRound(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    bool roundA = a->invInertia > 0.0 || !ctBody_IsMovable(a), roundB = b->invInertia > 0.0 || !ctBody_IsMovable(b);
    return pair->kind != ct_pairGeneral && pair->state == ct_pairApart && roundA && roundB;
}

static ctMat3 matrixOf(const ctWorld *world, const Meeting *m, const Frame *f, ctVec3 point)
{
    const ctBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    if (m->round) {
        return ballsMatrix(a, b, f->z, point);
    }
    ctImpactBody one = {a->invMass, ctBody_InverseInertia(world, a), ctSub(point, a->x)};
    ctImpactBody two = {b->invMass, ctBody_InverseInertia(world, b), ctSub(point, b->x)};
    return ctImpactMatrix(&one, &two, f->x, f->y, f->z);
}

// F K F^T, in world axes. round: K is the same in every direction across the normal, K_x I + (K_z - K_x) z z^T.
static ctMat3 matrixToWorld(const Frame *f, ctMat3 k, bool round)
{
    if (round) {
        double across = k.cx.x;
        ctVec3 z = f->z, d = ctScale(k.cz.z - across, z);
        return ctMat3Symmetric(across + d.x * z.x, d.x * z.y, d.x * z.z, across + d.y * z.y, d.y * z.z,
                               across + d.z * z.z);
    }
    ctMat3 r = ctMat3Columns(f->x, f->y, f->z);
    return ctMulMM(ctMulMM(r, k), ctTranspose(r));
}

// A frictionless impact has a closed form. It is the most frequent one in a gas.
static void solveFrictionless(const ctImpactInput *in, ctImpactResult *out)
{
    double p = -(1.0 + in->e) * in->u.z / in->K.cz.z;
    out->p = ctV3(0.0, 0.0, p);
    out->v = ctMulAdd(in->u, p, in->K.cz);
    out->mode = ct_impactSlide;
    out->frictionLoss = 0.0;
    out->restitutionLoss = 0.5 * (1.0 - in->e * in->e) * in->u.z * in->u.z / in->K.cz.z;
}

static void solveFull(const ctImpactInput *in, ctImpactResult *out)
{
    if (in->mu == 0.0 && (in->law == ct_lawStronge || in->law == ct_lawPoisson)) {
        solveFrictionless(in, out);
    } else {
        ctSolveImpact(in, out);
    }
}

// Mirtich's rule. Where it would leave the point slower than the rebound, the surface rises at that speed
// (collide/microcollision.c).
static void solveMicro(const ctImpactInput *in, double rebound, ctImpactResult *out)
{
    if (ctMicro_Reverse(in, rebound, out)) {
        return;
    }
    if (in->u.z < 0.0) {
        solveFull(in, out);
        if (out->v.z >= rebound) {
            return;
        }
    }
    ctImpactInput rising = *in;
    rising.u.z -= rebound;
    rising.e = 0.0;
    solveFull(&rising, out);
    out->v.z += rebound;
}

// ---- records ----------------------------------------------------------------------------------

static void addTally(ctTally *tally, double impulse, double lost)
{
    tally->impacts++;
    tally->impulse += impulse;
    tally->energyLost += lost;
}

// The place for the record of the next impact: in the list of the step or, when memory is short, in the spare one.
static ctImpact *nextRecord(ctWorld *world, ctImpact *spare)
{
    if (ctReserve((void **)&world->impacts, &world->impactCapacity, world->impactCount + 1, sizeof(ctImpact))) {
        return &world->impacts[world->impactCount++];
    }
    world->outOfMemory = true;
    return spare;
}

// Adds the impact to all sums, and calls the program's function.
static void account(ctWorld *world, const Meeting *m, const ctImpact *impact, double size)
{
    addTally(&world->infos[m->a].tally, size, impact->energyLost);
    addTally(&world->infos[ctBody_Owner(world, m->b)].tally, size, impact->energyLost);
    if (m->pair >= 0) {
        addTally(&world->extras[m->pair].tally, size, impact->energyLost);
    } else {
        ctTally_Put(world, impact->body1, impact->body2, 1, size, impact->energyLost);
    }
    if (impact->kind == ct_eventMicro) {
        world->stats.microcollisions++;
    } else {
        world->stats.impacts++;
    }
    if (impact->kind == ct_eventMicro && impact->energyLost < 0.0) {
        world->stats.pushWork -= impact->energyLost; // work that lifts the bodies into the envelope
    } else {
        world->stats.frictionLoss += impact->frictionLoss;
        world->stats.restitutionLoss += impact->restitutionLoss;
    }
    if (world->onImpact != NULL) {
        world->onImpact(world->onImpactContext, world, impact);
    }
}

static void record(ctWorld *world, const Meeting *m, const ctImpact *impact)
{
    ctImpact spare, *place = nextRecord(world, &spare);
    *place = *impact;
    account(world, m, place, ctLength(impact->impulse));
}

// An impulse does work at the mean of the velocities before and after. A kinematic body keeps its velocity; its work is
// what its partner gets.
static void push(ctWorld *world, int index, ctVec3 impulse, ctVec3 point, ctVec3 n)
{
    const ctBody *body = &world->bodies[index];
    ctVec3 before = ctAdd(ctBody_PointVelocity(body, point), ctBody_BeltAcross(world, index, point, n));
    if (body->mode == ct_modeKinematic || body->mode == ct_modeFixed) {
        world->stats.kinematicWork -= ctDot(impulse, before);
        return;
    }
    ctBody_Push(world, index, impulse, point);
    if (ctBody_IsInContact(body)) {
        ctEnergy_Account(world, index, 0.5 * ctDot(impulse, ctAdd(before, ctBody_PointVelocity(body, point))));
    }
}

// Applies the impulse to both bodies, and records it.
static void apply(ctWorld *world, const Meeting *m, const ctImpact *impact, bool central)
{
    push(world, m->a, impact->impulse, central ? world->bodies[m->a].x : impact->point, impact->normal);
    push(world, m->b, ctNeg(impact->impulse), central ? world->bodies[m->b].x : impact->point, impact->normal);
    ctContact_Strike(world, m->a);
    ctContact_Strike(world, m->b);
    record(world, m, impact);
}

// ---- the impact -------------------------------------------------------------------------------

// Balls and planes without friction, the usual case in a gas: only masses count, and spins do not change. Not for
// bodies in contact, whose energy is accounted for, nor under audit, which needs all values.
static bool isSmooth(const ctWorld *world, const Meeting *m, const ctCoefficients *c)
{
    const ctBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    return m->round && c->friction == 0.0 && (world->def.law == ct_lawStronge || world->def.law == ct_lawPoisson) &&
           !world->def.audit && world->def.contact == ct_contactIsland && ctBody_IsFlying(a) &&
           (ctBody_IsFlying(b) || b->mode == ct_modeFixed);
}

static bool collideSmooth(ctWorld *world, const Meeting *m, ctVec3 normal, ctVec3 point, const ctCoefficients *c,
                          double e)
{
    ctBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    Frame f = {.z = normal};
    ctVec3 u = ctBodies_VelocityAt(a, b, point);
    ctMat3 k = ballsMatrix(a, b, normal, point);
    double speed = ctDot(normal, u), lost = 0.5 * (1.0 - e * e) * speed * speed / k.cz.z;
    double size = -(1.0 + e) * speed / k.cz.z;
    ctVec3 impulse = ctScale(size, normal);
    if (!ctIsFinite3(impulse)) {
        return false;
    }
    ctImpact spare, *impact = nextRecord(world, &spare);
    *impact = (ctImpact){.time = world->now,
                         .kind = ct_eventImpact,
                         .body1 = ctBody_IdOf(world, m->a),
                         .body2 = ctBody_IdOf(world, m->b),
                         .point = point,
                         .normal = normal,
                         .velocity = u,
                         .impulse = impulse,
                         .energyLost = lost,
                         .restitutionLoss = lost,
                         .k = matrixToWorld(&f, k, true),
                         .pair = *c,
                         .law = world->def.law};
    a->v = ctMulAdd(a->v, a->invMass, impulse);
    b->v = ctMulAdd(b->v, -b->invMass, impulse);
    ctContact_Strike(world, m->a);
    ctContact_Strike(world, m->b);
    account(world, m, impact, fabs(size));
    return true;
}

static bool resolve(ctWorld *world, const Meeting *m, ctVec3 normal, ctVec3 point, double gap, const ctCoefficients *c,
                    double restitutionShare)
{
    if (isSmooth(world, m, c)) {
        return collideSmooth(world, m, normal, point, c, c->restitution * restitutionShare);
    }
    const ctBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    Frame f = {.z = normal};
    ctFrameFromNormal(f.z, &f.x, &f.y);
    ctVec3 belt = ctBody_BeltAcross(world, m->b, point, normal);
    ctVec3 u = ctSub(ctBodies_VelocityAt(a, b, point), belt);
    ctImpactInput in = {.K = matrixOf(world, m, &f, point),
                        .u = toFrame(&f, u),
                        .mu = c->friction,
                        .e = c->restitution * restitutionShare,
                        .et = c->tangentialRestitution,
                        .sigma = c->sigma,
                        .law = world->def.law,
                        .eta2 = ctEta2Of(c->tangentialStiffness)};
    ctImpactResult out;
    // Microcollisions are a mode of worlds without a gas.
    bool micro =
        world->def.contact == ct_contactMicrocollision && ctMicro_IsSlow(world, &world->pairs[m->pair], -in.u.z);
    double rebound = micro ? ctMicro_Rebound(world, &world->pairs[m->pair], gap) : 0.0;
    ctEventKind kind = micro ? ct_eventMicro : ct_eventImpact;
    if (micro) {
        solveMicro(&in, rebound, &out);
    } else {
        solveFull(&in, &out);
    }
    if (!ctIsFinite3(out.p)) {
        return false;
    }
    if (kind == ct_eventMicro) {
        ctMicro_Note(world, m->pair, out.v.z - in.u.z);
    }
    if (world->def.audit) { // a microcollision is an impact with a rising surface
        ctImpactInput rising = in;
        rising.u.z -= rebound;
        ctWorld_AuditImpulse(world, ctCheckPermissible(&rising, out.p, 1e-9), m->a, m->b);
    }
    // The loss is the work at the mean of the velocities before and after; a part of it is friction's.
    double lost = -0.5 * ctDot(out.p, ctAdd(in.u, ctMulAdd(ctMulAdd(ctMulAdd(in.u, out.p.x, in.K.cx), out.p.y, in.K.cy),
                                                           out.p.z, in.K.cz)));
    double friction = ctFmin(out.frictionLoss, ctFmax(lost, 0.0));
    // Without friction balls get no spin, not even by rounding.
    bool central = m->round && out.p.x == 0.0 && out.p.y == 0.0;
    ctImpact impact = {.time = world->now,
                       .kind = kind,
                       .body1 = ctBody_IdOf(world, m->a),
                       .body2 = ctBody_IdOf(world, m->b),
                       .point = point,
                       .normal = normal,
                       .velocity = u,
                       .impulse = toWorld(&f, out.p),
                       .energyLost = lost,
                       .frictionLoss = friction,
                       .restitutionLoss = lost - friction,
                       .k = matrixToWorld(&f, in.K, m->round),
                       .pair = *c,
                       .law = in.law};
    apply(world, m, &impact, central);
    return true;
}

static Meeting meetingOf(const ctWorld *world, const ctTouch *touch)
{
    const ctBodyPair *pair = &world->pairs[touch->pair];
    return (Meeting){pair->a, pair->b, touch->pair, isRound(world, pair)};
}

bool ctTouch_Resolve(ctWorld *world, const ctTouch *touch, double restitutionShare)
{
    Meeting m = meetingOf(world, touch);
    ctCoefficients c = ctBodies_Coefficients(world, m.a, m.b);
    return resolve(world, &m, touch->normal, touch->point, touch->gap, &c, restitutionShare);
}

void ctTouch_Apply(ctWorld *world, const ctTouch *touch, ctVec3 impulse, ctVec3 before, ctVec3 after, ctEventKind kind)
{
    Meeting m = meetingOf(world, touch);
    Frame f = {.z = touch->normal};
    ctFrameFromNormal(f.z, &f.x, &f.y);
    ctVec3 mean = ctScale(0.5, ctAdd(before, after));
    double lost = -ctDot(impulse, mean), normal = -ctDot(impulse, f.z) * ctDot(mean, f.z);
    ctImpact impact = {.time = world->now,
                       .kind = kind,
                       .body1 = ctBody_IdOf(world, m.a),
                       .body2 = ctBody_IdOf(world, m.b),
                       .point = touch->point,
                       .normal = touch->normal,
                       .velocity = before,
                       .impulse = impulse,
                       .energyLost = lost,
                       .frictionLoss = lost - normal,
                       .restitutionLoss = normal,
                       .k = matrixToWorld(&f, matrixOf(world, &m, &f, touch->point), m.round),
                       .pair = ctBodies_Coefficients(world, m.a, m.b),
                       .law = world->def.law};
    apply(world, &m, &impact, false);
}

bool ctBalls_Collide(ctWorld *world, int indexA, int indexB, ctVec3 normal, const ctCoefficients *coefficients)
{
    const ctBody *a = &world->bodies[indexA], *b = &world->bodies[indexB];
    Meeting m = {indexA, indexB, -1, true};
    ctVec3 point = ctLerp(ctMulAdd(a->x, -a->radius, normal), ctMulAdd(b->x, b->radius, normal), 0.5);
    return resolve(world, &m, normal, point, 0.0, coefficients, 1.0);
}
