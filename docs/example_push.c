// What a program does to bodies: forces, drag, paths, conveyors, changes of place, mass and kind, filters and sensors.
// Each part prints what it finds beside what physics says.
//     cc $(pkg-config --cflags clatter) example_push.c $(pkg-config --libs clatter) -lm -o push
#include <clatter.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static ctError error;

static void check(bool ok)
{
    if (!ok) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

static ctWorld *newWorld(double gravity)
{
    ctWorldDef def = ctDefaultWorldDef();
    def.gravity = (ctVec3){0, 0, -gravity};
    ctWorld *world = ctWorld_Create(&def, &error);
    check(world != NULL);
    return world;
}

static ctBodyId newBody(ctWorld *world, ctShapeId shape, ctMotionType motion, ctVec3 position)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape;
    def.motion = motion;
    def.mass = motion == ct_motionDynamic ? 2.0 : 0.0;
    def.position = position;
    ctBodyId body = ctWorld_CreateBody(world, &def, &error);
    check(ctBody_IsValid(world, body));
    return body;
}

static void run(ctWorld *world, double seconds)
{
    for (double end = ctWorld_GetTime(world) + seconds; ctWorld_GetTime(world) < end - 1e-9;) {
        check(ctWorld_Step(world, &error));
    }
}

static void forces(void)
{
    ctWorld *world = newWorld(0.0);
    ctBodyId ball = newBody(world, ctWorld_CreateSphere(world, 0.1, &error), ct_motionDynamic, (ctVec3){0, 0, 0});
    ctVec3 none = {0, 0, 0}, push = {3, 0, 0};
    check(ctBody_SetForce(world, ball, push, &error) && ctBody_SetTorque(world, ball, (ctVec3){0, 0, 0.016}, &error));
    run(world, 2.0); // 3 N on 2 kg for 2 s; 0.016 N m on 2/5 m r^2 = 0.008 kg m^2
    printf("forces: %.3f m (exact %.3f), %.3f rad/s (exact %.3f); %.0f N and %.3f N m act\n",
           ctBody_GetCenter(world, ball).x, 3.0, ctBody_GetSpin(world, ball).z, 4.0, ctBody_GetForce(world, ball).x,
           ctBody_GetTorque(world, ball).z);
    check(ctBody_SetForce(world, ball, none, &error) && ctBody_SetTorque(world, ball, none, &error));
    check(ctBody_SetVelocity(world, ball, none, none, &error));
    check(ctBody_ApplyForce(world, ball, (ctVec3){120, 0, 0}, &error)); // for one frame: 120 N / 60 s^-1 = 2 N s
    check(ctBody_ApplyForceAt(world, ball, (ctVec3){0, 120, 0}, ctBody_GetCenter(world, ball), &error));
    check(ctBody_ApplyTorque(world, ball, (ctVec3){0, 0, 0.48}, &error));
    check(ctBody_ApplyImpulse(world, ball, (ctVec3){0, 0, 2}, ctBody_GetCenter(world, ball), &error));
    run(world, 0.1);
    ctVec3 v = ctBody_GetVelocity(world, ball);
    printf("impulses: %.3f %.3f %.3f m/s (exact 1 1 1), %.3f J\n", v.x, v.y, v.z, ctBody_GetKineticEnergy(world, ball));
    double linear, angular;
    check(ctBody_SetDrag(world, ball, 0.5, 0.0, &error));
    ctBody_GetDrag(world, ball, &linear, &angular);
    run(world, 2.0);
    printf("drag: %.6f m/s (exact %.6f)\n", ctBody_GetVelocity(world, ball).x, exp(-linear * 2.0));
    ctWorld_Destroy(world);
}

static void moving(void)
{
    ctWorld *world = newWorld(9.81);
    ctShapeId plate = ctWorld_CreateBox(world, (ctVec3){8, 2, 0.2}, &error);
    ctShapeId crate = ctWorld_CreateBox(world, (ctVec3){0.2, 0.2, 0.2}, &error);
    ctBodyId belt = newBody(world, plate, ct_motionFixed, (ctVec3){0, 0, -0.1});
    ctBodyId box = newBody(world, crate, ct_motionDynamic, (ctVec3){-2, 0, 0.1});
    ctVec3 linear, angular;
    check(ctBody_SetSurfaceVelocity(world, belt, (ctVec3){1, 0, 0}, (ctVec3){0, 0, 0}, &error));
    ctBody_GetSurfaceVelocity(world, belt, &linear, &angular);
    run(world, 1.0); // it slips for v / (mu g), and is behind the belt by v^2 / (2 mu g) then
    printf("conveyor: %.6f m (exact %.6f)\n", ctBody_GetCenter(world, box).x + 2.0, 1.0 - 1.0 / (2 * 0.5 * 9.81));
    ctBodyId lift = newBody(world, crate, ct_motionKinematic, (ctVec3){0, 3, 1});
    ctPathPoint path[2] = {{.time = ctWorld_GetTime(world), .pose = {{0, 3, 1}, {1, 0, 0, 0}}},
                           {.time = ctWorld_GetTime(world) + 1.0, .pose = {{0, 3, 2}, {1, 0, 0, 0}}}};
    check(ctBody_SetPath(world, lift, path, 2, false, &error) && ctBody_HasPath(world, lift));
    run(world, 0.5); // half of the way, at 3/2 of the mean speed
    printf("path: %.3f m at %.3f m/s (exact 1.500 at 1.500)\n", ctBody_GetTransform(world, lift).p.z,
           ctBody_GetVelocity(world, lift).z);
    ctWorld_Destroy(world);
}

static void changes(void)
{
    ctWorld *world = newWorld(9.81);
    ctBodyId floor =
        newBody(world, ctWorld_CreatePlane(world, (ctVec3){0, 0, 1}, 0, &error), ct_motionFixed, (ctVec3){0, 0, 0});
    ctShapeId ball = ctWorld_CreateSphere(world, 0.1, &error);
    ctBodyId a = newBody(world, ball, ct_motionDynamic, (ctVec3){0, 0, 0.1});
    ctBodyId b = newBody(world, ball, ct_motionDynamic, (ctVec3){1, 0, 0.1});
    ctTransform there = {{1, 0, 0.1}, {1, 0, 0, 0}}, away = {{3, 0, 0.1}, {1, 0, 0, 0}};
    bool refused = !ctBody_SetTransform(world, a, there, &error); // the other ball is there
    check(ctBody_SetTransform(world, a, away, &error));
    printf("place: %s, then %.0f m\n", refused ? "refused" : "taken", ctBody_GetCenter(world, a).x);
    ctMassData mass = ctBody_GetMassData(world, a);
    mass.mass = 5.0;
    check(ctBody_SetMass(world, a, &mass, &error) && ctBody_SetMotionType(world, b, ct_motionFixed, &error));
    ctBody_SetUserData(world, a, 42);
    printf("mass: %.0f kg, %.3f kg m^2; kind: %s; mine: %d\n", ctBody_GetMass(world, a),
           ctBody_GetInertia(world, a).cx.x, ctBody_GetMotionType(world, b) == ct_motionFixed ? "fixed" : "not fixed",
           (int)ctBody_GetUserData(world, a));
    check(ctBody_SetMotionType(world, b, ct_motionDynamic, &error));
    run(world, 2.0);
    bool slept = ctBody_IsAsleep(world, a);
    ctBody_Wake(world, a);
    printf("sleep: %s, %s\n", slept ? "asleep" : "awake", ctBody_IsAsleep(world, a) ? "asleep" : "awake");
    check(ctWorld_DestroyBody(world, b, &error));
    printf("gone: %d bodies, the floor is number %d, the ball was %s\n", ctWorld_GetBodyCount(world),
           ctBody_GetOrdinal(world, floor), ctBody_IsValid(world, b) ? "valid" : "removed");
    ctWorld_Destroy(world);
}

static bool onlyEven(void *context, const ctWorld *world, ctBodyId a, ctBodyId b)
{
    (void)context;
    return (ctBody_GetUserData(world, a) + ctBody_GetUserData(world, b)) % 2 == 0;
}

static void touching(void)
{
    ctWorld *world = newWorld(9.81);
    ctBodyId floor =
        newBody(world, ctWorld_CreatePlane(world, (ctVec3){0, 0, 1}, 0, &error), ct_motionFixed, (ctVec3){0, 0, 0});
    ctShapeId shape = ctWorld_CreateSphere(world, 0.1, &error);
    ctBodyId ghost = newBody(world, shape, ct_motionDynamic, (ctVec3){0, 0, 1});
    ctBodyId odd = newBody(world, shape, ct_motionDynamic, (ctVec3){1, 0, 1});
    ctBodyId even = newBody(world, shape, ct_motionDynamic, (ctVec3){2, 0, 1});
    ctFilter filter = ctBody_GetFilter(world, floor);
    filter.category = 2; // the floor is in group 2, which the ghost does not touch
    check(ctBody_SetFilter(world, floor, filter, &error));
    check(ctBody_SetFilter(world, ghost, (ctFilter){.category = 1, .mask = 1}, &error));
    ctBody_SetUserData(world, odd, 1);
    check(ctWorld_SetFilter(world, onlyEven, NULL, &error));
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, (ctVec3){1, 1, 0.1}, &error);
    def.motion = ct_motionFixed;
    def.position = (ctVec3){2, 0, 0.5};
    def.sensor = true;
    ctBodyId sensor = ctWorld_CreateBody(world, &def, &error);
    check(ctBody_IsSensor(world, sensor));
    const ctSensorEvent *events;
    const ctTouchPair *pairs;
    ctBodyId visitor;
    double enters = 0.0;
    int visits = 0, begins = 0, ends = 0;
    for (int frame = 0; frame < 120; frame++) {
        check(ctWorld_Step(world, &error));
        int count = ctWorld_GetSensorEvents(world, &events);
        enters = count > 0 && enters == 0.0 ? events[0].time : enters;
        int inside = ctBody_GetVisitors(world, sensor, &visitor, 1);
        visits = inside > visits ? inside : visits;
        begins += ctWorld_GetContactBegins(world, &pairs);
        ends += ctWorld_GetContactEnds(world, &pairs);
    }
    ctVec3 normal, friction;
    ctWorld_GetContactForce(world, even, floor, &normal, &friction);
    int fallen = (ctBody_GetCenter(world, ghost).z < 0) + (ctBody_GetCenter(world, odd).z < 0);
    printf("filters: %d fall, one lies there at %.3f m\n", fallen, ctBody_GetCenter(world, even).z);
    printf("sensor: %d inside, from %.6f s on (exact %.6f)\n", visits, enters, sqrt(2.0 * 0.35 / 9.81));
    printf("contact: %d began, %d ended, %.2f N and %.2f N (exact %.2f and 0)\n", begins, ends, normal.z,
           fabs(friction.x) + fabs(friction.y), 2.0 * 9.81);
    ctWorld_Destroy(world);
}

int main(void)
{
    forces();
    moving();
    changes();
    touching();
    return 0;
}
