// Clatter: rigid bodies with correct impacts. The public interface of the library.
//
// A world owns everything made in it: materials, shapes and bodies, which are named by ids. One call destroys all of
// it. Units are SI, z is up by convention, and vectors are in the world frame unless a name says otherwise. A call that
// can fail takes a ctError as its last argument (NULL is allowed) and says so by its result; a call that fails changes
// nothing. A null or stale id is answered with zeros or with an error; an id is valid in its own world only. A pointer
// for an answer may be NULL, the world may not. A world may be used from one thread at a time; different worlds are
// independent.
#ifndef CT_CLATTER_H
#define CT_CLATTER_H

#include "../collision/types.h"
#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

// The shared library exports what this header declares.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct ctWorld ctWorld;

const char *ctVersion(void); // of the library, such as "1.2.0"

// Zero is no body, no shape; material 0 is the default material and always exists.
typedef struct ctBodyId {
    int32_t index1; // one more than the index
    uint32_t generation;
} ctBodyId;
typedef struct ctShapeId {
    int32_t index1;
} ctShapeId;
typedef struct ctMaterialId {
    int32_t index;
} ctMaterialId;

// ---- the world --------------------------------------------------------------------------------

typedef enum ctContactMode {
    ct_contactIsland,         // bodies in sustained contact advance together in micro-steps (the default)
    ct_contactMicrocollision, // every contact is a series of tiny impacts (Mirtich & Canny 1995)
} ctContactMode;

// A scheduler of the program, used instead of a world's own threads. Both functions, or none, are given. The thread
// that steps the world calls them. enqueue arranges that task(taskContext) is called once, by any thread, now or later,
// and returns a handle for finish; finish returns when that call is over. Tasks are finished within their step.
typedef void ctTask(void *taskContext);
typedef struct ctTaskHost {
    void *(*enqueue)(void *context, ctTask *task, void *taskContext);
    void (*finish)(void *context, void *handle);
    void *context;
} ctTaskHost;

typedef struct ctWorldDef {
    ctVec3 gravity;   // m/s^2
    double frameTime; // s, one ctWorld_Step; 1/60 by default
    ctLaw law;
    ctContactMode contact;
    bool audit;  // check every impulse against the permissible region, every gap against the allowed overlap
    int threads; // number of threads that step the world, with the caller's, at most 64; 1 by default; 0: all cores
    ctTaskHost tasks;  // runs the threads' work; none: the world's own threads
    uint32_t internal; // set by ctDefaultWorldDef
} ctWorldDef;

ctWorldDef ctDefaultWorldDef(void);
ctWorld *ctWorld_Create(const ctWorldDef *def, ctError *error); // NULL on failure
void ctWorld_Destroy(ctWorld *world);                           // NULL is allowed

// Advances by one frame; after ctWorld_StepToImpact, to the end of the frame that it is in.
bool ctWorld_Step(ctWorld *world, ctError *error);
// Advances to just after the next impact (*impact = true) or to the end of the frame (*impact = false).
bool ctWorld_StepToImpact(ctWorld *world, bool *impact, ctError *error);

double ctWorld_GetTime(const ctWorld *world); // s since creation
ctWorldDef ctWorld_GetSettings(const ctWorld *world);

// These may be called between steps. The bodies concerned are woken and scheduled anew.
bool ctWorld_SetGravity(ctWorld *world, ctVec3 gravity, ctError *error);
bool ctWorld_SetLaw(ctWorld *world, ctLaw law, ctError *error);
bool ctWorld_SetContactMode(ctWorld *world, ctContactMode mode, ctError *error);
bool ctWorld_SetFrameTime(ctWorld *world, double seconds, ctError *error);
void ctWorld_SetAudit(ctWorld *world, bool on);
// The threads that step the world, as in ctWorldDef (tasks NULL: its own). They do not change results by a bit. They
// are not part of a snapshot: ctWorld_Restore keeps them, and a loaded world has one.
bool ctWorld_SetThreads(ctWorld *world, int threads, const ctTaskHost *tasks, ctError *error);

// ---- materials --------------------------------------------------------------------------------

// The coefficients of two touching materials. All are dimensionless but the two lengths.
typedef struct ctCoefficients {
    double friction;              // mu >= 0
    double restitution;           // e in [0, 1]
    double tangentialRestitution; // e_t in [-1, 1], laws algebraic and composite
    double tangentialStiffness;   // eta^2, tangential over normal stiffness, law compliant; 0: not given, 14/17
    double sigma;                 // weight of the algebraic law in composite, in [0, 1]
    double rolling;               // rolling resistance, m: torque = rolling * normal force
    double spinning;              // resistance to spinning about the normal, m
} ctCoefficients;

typedef struct ctMaterialDef {
    const char *name;    // copied
    ctCoefficients self; // against itself
    double density;      // kg/m^3
    uint32_t internal;
} ctMaterialDef;

ctMaterialDef ctDefaultMaterialDef(void); // friction 0.5, restitution 0.5, density 1000, the rest 0
bool ctWorld_CreateMaterial(ctWorld *world, const ctMaterialDef *def, ctMaterialId *id, ctError *error);
int ctWorld_GetMaterialCount(const ctWorld *world); // the default material included
const char *ctWorld_GetMaterialName(const ctWorld *world, ctMaterialId id);
double ctWorld_GetMaterialDensity(const ctWorld *world, ctMaterialId id);
// Changes a material against itself. Pairs that are not set one by one follow: friction is the geometric mean of the
// two materials', tangential stiffness the smaller value, and the rest the larger one.
bool ctWorld_SetMaterial(ctWorld *world, ctMaterialId id, ctCoefficients self, ctError *error);
// Sets the coefficients of a with b (in either order), whatever their own values.
bool ctWorld_SetPair(ctWorld *world, ctMaterialId a, ctMaterialId b, ctCoefficients pair, ctError *error);
ctCoefficients ctWorld_GetPair(const ctWorld *world, ctMaterialId a, ctMaterialId b);

// ---- shapes -----------------------------------------------------------------------------------

// Each returns a null id on failure. Lengths in metres; axes and origins as docs/shapes.md says.
ctShapeId ctWorld_CreateSphere(ctWorld *world, double radius, ctError *error);
ctShapeId ctWorld_CreateHollowSphere(ctWorld *world, double radius, ctError *error); // all mass on the surface
ctShapeId ctWorld_CreateBox(ctWorld *world, ctVec3 size, ctError *error);
ctShapeId ctWorld_CreateCylinder(ctWorld *world, double radius, double height, ctError *error);
ctShapeId ctWorld_CreateCapsule(ctWorld *world, double radius, double height, ctError *error);
ctShapeId ctWorld_CreateCone(ctWorld *world, double radius, double height, ctError *error);
ctShapeId ctWorld_CreateEllipsoid(ctWorld *world, ctVec3 radii, ctError *error);
ctShapeId ctWorld_CreatePlane(ctWorld *world, ctVec3 normal, double offset, ctError *error); // solid: n.x <= offset
ctShapeId ctWorld_CreateHull(ctWorld *world, const ctVec3 *points, int count, ctError *error);
ctShapeId ctWorld_CreateLathe(ctWorld *world, const double *r, const double *z, int count, ctError *error);
ctShapeId ctWorld_CreateMesh(ctWorld *world, const char *objText, size_t length, const char *name, bool decompose,
                             ctError *error);

// Terrains: surfaces made of triangles, for fixed bodies. They have no volume. No body gets through from the front,
// nor, if twoSided, from behind. Through a one-sided terrain a body passes from behind, and meets the front once it is
// completely out. Triangles in one plane, or that meet at less than the angle `smooth`, are one surface: a body that
// rolls or slides over their seams does not feel them.
typedef struct ctTerrainDef {
    bool twoSided; // bodies, rays and shape casts meet the back of a triangle too; false by default
    double smooth; // rad, 0 to pi / 2: where triangles meet at less, the surface is curved; 25 degrees by default
} ctTerrainDef;
ctTerrainDef ctDefaultTerrainDef(void);
// Three vertices of each triangle, from 0, counter-clockwise seen from the front. A side may belong to two triangles,
// which run along it in opposite directions. def may be NULL.
ctShapeId ctWorld_CreateTrimesh(ctWorld *world, const ctVec3 *vertices, int vertexCount, const int *triangles,
                                int triangleCount, const ctTerrainDef *def, ctError *error);
// The same from Wavefront OBJ text; faces with more corners are cut into triangles. name is used in messages.
ctShapeId ctWorld_CreateTrimeshFromObj(ctWorld *world, const char *objText, size_t length, const char *name,
                                       const ctTerrainDef *def, ctError *error);
// A field of heights (m) over a rectangle (m) about the origin: columns along x, rows along y, at least two of each.
ctShapeId ctWorld_CreateHeightfield(ctWorld *world, double sizeX, double sizeY, int columns, int rows,
                                    const double *heights, const ctTerrainDef *def, ctError *error);
typedef struct ctPart {
    ctShapeId shape;
    ctTransform pose; // in the compound's frame
} ctPart;
ctShapeId ctWorld_CreateCompound(ctWorld *world, const ctPart *parts, int count, ctError *error);

// The geometry itself (collision/shape.h), for programs built with the sources, such as the viewer.
const struct ctShape *ctWorld_GetShape(const ctWorld *world, ctShapeId shape);

// ---- bodies -----------------------------------------------------------------------------------

typedef enum ctMotionType {
    ct_motionDynamic,
    ct_motionFixed,
    ct_motionKinematic, // constant velocity and spin, whatever hits it: a platter, a conveyor
} ctMotionType;

// Two bodies may touch if the category of each is in the mask of the other.
typedef struct ctFilter {
    uint64_t category; // the groups that the body belongs to, one bit each; 1 by default
    uint64_t mask;     // the groups that it touches; all by default
} ctFilter;

typedef struct ctBodyDef {
    const char *name; // copied; NULL is allowed
    ctShapeId shape;
    ctMotionType motion;
    ctMaterialId material;
    double mass;        // kg, 1e-30 to 1e12; 0: from density
    double density;     // kg/m^3; 0: the material's
    bool hasInertia;    // inertia below is given
    ctMat3 inertia;     // about the centre of mass, axes of the shape's frame, kg m^2
    bool hasCenter;     // center below is given
    ctVec3 center;      // centre of mass in the shape's frame, m
    ctVec3 position;    // of the shape's origin, m
    ctQuat orientation; // shape to world; normalised
    ctVec3 velocity;    // of the centre of mass, m/s
    ctVec3 spin;        // rad/s
    uint64_t userData;
    ctFilter filter;
    bool sensor; // fixed and kinematic bodies: touches nothing, and reports the dynamic bodies inside it
    uint32_t internal;
} ctBodyDef;

ctBodyDef ctDefaultBodyDef(void);
// Refuses a body that overlaps another; exact touching (to rounding) is no overlap.
ctBodyId ctWorld_CreateBody(ctWorld *world, const ctBodyDef *def, ctError *error);
bool ctWorld_DestroyBody(ctWorld *world, ctBodyId body, ctError *error);
int ctWorld_GetBodyCount(const ctWorld *world);
// All bodies in order of creation, by ordinal 0 ... count - 1.
ctBodyId ctWorld_GetBody(const ctWorld *world, int ordinal);
ctBodyId ctWorld_FindBody(const ctWorld *world, const char *name); // null when there is none

bool ctBody_IsValid(const ctWorld *world, ctBodyId body);
int ctBody_GetOrdinal(const ctWorld *world, ctBodyId body);      // -1 when it is gone
const char *ctBody_GetName(const ctWorld *world, ctBodyId body); // "" when it has none
ctMotionType ctBody_GetMotionType(const ctWorld *world, ctBodyId body);
ctShapeId ctBody_GetShape(const ctWorld *world, ctBodyId body);
ctMaterialId ctBody_GetMaterial(const ctWorld *world, ctBodyId body);
uint64_t ctBody_GetUserData(const ctWorld *world, ctBodyId body);
double ctBody_GetMass(const ctWorld *world, ctBodyId body);           // kg; 0 for fixed and kinematic bodies
ctMat3 ctBody_GetInertia(const ctWorld *world, ctBodyId body);        // about the centre, shape's axes
ctVec3 ctBody_GetCenter(const ctWorld *world, ctBodyId body);         // centre of mass, world frame, now
ctTransform ctBody_GetTransform(const ctWorld *world, ctBodyId body); // of the shape's frame, now
ctVec3 ctBody_GetVelocity(const ctWorld *world, ctBodyId body);       // of the centre of mass
ctVec3 ctBody_GetSpin(const ctWorld *world, ctBodyId body);
double ctBody_GetKineticEnergy(const ctWorld *world, ctBodyId body);
bool ctBody_IsAsleep(const ctWorld *world, ctBodyId body);

void ctBody_SetUserData(ctWorld *world, ctBodyId body, uint64_t userData);
bool ctBody_SetVelocity(ctWorld *world, ctBodyId body, ctVec3 velocity, ctVec3 spin, ctError *error);
bool ctBody_SetMaterial(ctWorld *world, ctBodyId body, ctMaterialId material, ctError *error);
// An impulse (N s) at a world point, now.
bool ctBody_ApplyImpulse(ctWorld *world, ctBodyId body, ctVec3 impulse, ctVec3 point, ctError *error);
void ctBody_Wake(ctWorld *world, ctBodyId body);

// Forces and torques on dynamic bodies, in the world frame. They wake the body. Flight under a constant force is exact.
// These last until they are changed: a force (N) at the centre of mass, a torque (N m).
bool ctBody_SetForce(ctWorld *world, ctBodyId body, ctVec3 force, ctError *error);
bool ctBody_SetTorque(ctWorld *world, ctBodyId body, ctVec3 torque, ctError *error);
ctVec3 ctBody_GetForce(const ctWorld *world, ctBodyId body);
ctVec3 ctBody_GetTorque(const ctWorld *world, ctBodyId body);
// These last to the end of the frame, and are added to all others: a force at the centre of mass; a force at a world
// point, with the torque that it has there now; a torque.
bool ctBody_ApplyForce(ctWorld *world, ctBodyId body, ctVec3 force, ctError *error);
bool ctBody_ApplyForceAt(ctWorld *world, ctBodyId body, ctVec3 force, ctVec3 point, ctError *error);
bool ctBody_ApplyTorque(ctWorld *world, ctBodyId body, ctVec3 torque, ctError *error);
// A path for a kinematic body: poses of the shape's frame over the world's time, joined by cubics, smooth in velocity
// and spin. Impacts and contacts see the exact velocity at their time. Velocities that are not given follow from the
// points around; a path then begins and ends at rest, unless it is a loop (its last pose is its first).
typedef struct ctPathPoint {
    double time; // s, ascending
    ctTransform pose;
    bool hasVelocity; // the two below are given
    ctVec3 velocity;  // of the shape's origin, m/s
    ctVec3 spin;      // rad/s
} ctPathPoint;
// 2 to 10,000 points. The body is moved to where the path is now; refused where it would overlap another. count 0: the
// path ends, and the body keeps its velocity and spin.
bool ctBody_SetPath(ctWorld *world, ctBodyId body, const ctPathPoint *points, int count, bool loop, ctError *error);
bool ctBody_HasPath(const ctWorld *world, ctBodyId body);

// The motion of the surface of a fixed or kinematic body in the body's frame: a conveyor (linear, m/s), a turning tyre
// (angular, rad/s, about the centre of mass). Contacts and impacts see its part across their normals. Zero: none.
bool ctBody_SetSurfaceVelocity(ctWorld *world, ctBodyId body, ctVec3 linear, ctVec3 angular, ctError *error);
void ctBody_GetSurfaceVelocity(const ctWorld *world, ctBodyId body, ctVec3 *linear, ctVec3 *angular);
// Drag: the force -linear m v at the centre of mass, and the torque -angular L, with the angular momentum L; both rates
// in 1/s. Flight with drag is exact. Zero: none.
bool ctBody_SetDrag(ctWorld *world, ctBodyId body, double linear, double angular, ctError *error);
void ctBody_GetDrag(const ctWorld *world, ctBodyId body, double *linear, double *angular);
// Moves the shape's frame to a pose at once; velocity and spin stay. Refused where the body would overlap another.
bool ctBody_SetTransform(ctWorld *world, ctBodyId body, ctTransform pose, ctError *error);
// Makes the body dynamic (with the mass of ctBody_SetMass, or of its shape and material), fixed (it stops) or
// kinematic. Refused where it would overlap another, and for planes, sensors and bodies with a path that would become
// dynamic.
bool ctBody_SetMotionType(ctWorld *world, ctBodyId body, ctMotionType motion, ctError *error);

typedef struct ctMassData {
    double mass;    // kg
    ctVec3 center;  // centre of mass in the shape's frame, m
    ctMat3 inertia; // about the centre of mass, axes of the shape's frame, kg m^2
} ctMassData;
// Sets mass, centre and inertia of a dynamic body. The shape stays in place. The new centre of mass has the velocity of
// the body's point at its place; the spin does not change.
bool ctBody_SetMass(ctWorld *world, ctBodyId body, const ctMassData *mass, ctError *error);
ctMassData ctBody_GetMassData(const ctWorld *world, ctBodyId body); // zeros for fixed and kinematic bodies

// Many bodies at once: arrays of the caller with one entry for each body, by ordinal; NULL for those not wanted.
typedef struct ctBulk {
    ctVec3 *positions;    // of the shapes' origins, m
    ctQuat *orientations; // shape to world
    ctVec3 *centers;      // centres of mass, m
    ctVec3 *velocities;   // of the centres of mass, m/s
    ctVec3 *spins;        // rad/s
    ctVec3 *forces;       // of all contacts and impacts of the last step, mean over it, N
    uint8_t *asleep;      // 0 or 1
} ctBulk;
// Fills the arrays for the bodies with ordinals first ... first + count - 1. Returns the number of bodies.
int ctWorld_GetBulk(const ctWorld *world, int first, int count, const ctBulk *bulk);

// ---- who touches whom -------------------------------------------------------------------------

ctFilter ctBody_GetFilter(const ctWorld *world, ctBodyId body);
// Wakes what rests on the body. Refused where the body would now overlap one that it did not touch before.
bool ctBody_SetFilter(ctWorld *world, ctBodyId body, ctFilter filter, ctError *error);
bool ctBody_IsSensor(const ctWorld *world, ctBodyId body);
// Called, after the filters, when the boxes of two bodies meet: whether the two may touch. It must give the same answer
// for the same two bodies, and may not change the world. It is not part of a snapshot: set it again after ctWorld_Load.
// Pairs that it refuses end; pairs that it refused before are asked about when one of the two moves. NULL removes it.
typedef bool ctFilterFn(void *context, const ctWorld *world, ctBodyId a, ctBodyId b);
bool ctWorld_SetFilter(ctWorld *world, ctFilterFn *fn, void *context, ctError *error);

// ---- what happened ----------------------------------------------------------------------------

typedef enum ctEventKind { ct_eventImpact, ct_eventMicro } ctEventKind;

typedef struct ctImpact {
    double time; // s
    ctEventKind kind;
    ctBodyId body1, body2;
    ctVec3 point;
    ctVec3 normal;          // unit, from body 2 to body 1
    ctVec3 velocity;        // of body 1 relative to body 2 at the point, before
    ctVec3 impulse;         // on body 1, N s
    double energyLost;      // J, total
    double frictionLoss;    // J, to sliding
    double restitutionLoss; // J, to the normal direction
    ctMat3 k;               // inverse effective mass at the point, world axes: change of velocity = k impulse
    ctCoefficients pair;    // the coefficients used
    ctLaw law;
} ctImpact;

// The impacts of the last step in time order; valid until the next call that changes the world.
int ctWorld_GetImpacts(const ctWorld *world, const ctImpact **impacts);
// Called at each impact, after it has been resolved. A callback may read the world; changes, steps and snapshots are
// refused, and it must not destroy the world. NULL removes it.
typedef void ctImpactFn(void *context, const ctWorld *world, const ctImpact *impact);
void ctWorld_OnImpact(ctWorld *world, ctImpactFn *fn, void *context);

typedef struct ctContact {
    ctBodyId body1, body2;
    ctVec3 point, normal; // normal from body 2 to body 1
    double gap;           // m
    ctVec3 force;         // on body 1, mean over the last frame, N
} ctContact;

// Points of sustained contact at the end of the last step.
int ctWorld_GetContacts(const ctWorld *world, const ctContact **contacts);

// Two bodies that have come into sustained contact in the last step, or have left it: ctWorld_GetContacts lists them
// after the step and did not before, or the reverse. The lists are valid until the next call that changes the world.
typedef struct ctTouchPair {
    ctBodyId body1, body2;
} ctTouchPair;
int ctWorld_GetContactBegins(const ctWorld *world, const ctTouchPair **pairs);
int ctWorld_GetContactEnds(const ctWorld *world, const ctTouchPair **pairs);

// A dynamic body has entered a sensor, at the time of its first touch, or has left it, at the time of its last.
typedef struct ctSensorEvent {
    double time; // s
    ctBodyId sensor, visitor;
    bool begin;
} ctSensorEvent;
// The events of the last step in time order, valid until the next call that changes the world.
int ctWorld_GetSensorEvents(const ctWorld *world, const ctSensorEvent **events);
// The bodies inside a sensor, in order of their ids. Writes at most capacity of them, and returns their number.
int ctBody_GetVisitors(const ctWorld *world, ctBodyId sensor, ctBodyId *visitors, int capacity);

// The force of all contacts and impacts of the last step, as its mean over the step, N: of body b on body a, or (b
// null) of all bodies on a. normal: the part along the normals; friction: the rest. Either may be NULL.
void ctWorld_GetContactForce(const ctWorld *world, ctBodyId a, ctBodyId b, ctVec3 *normal, ctVec3 *friction);

typedef struct ctRayHit {
    ctBodyId body;
    double t; // along the direction as given
    ctVec3 point, normal;
} ctRayHit;
// The nearest body along origin + t direction, 0 <= t <= maxT.
bool ctWorld_RayCast(const ctWorld *world, ctVec3 origin, ctVec3 direction, double maxT, ctRayHit *hit);

// These calls concern the bodies as they are now. filter: leaves out bodies that it does not touch; NULL: none. Sensors
// are always left out. Arrays of the caller are filled up to their capacity; the result is the full number.

// All bodies along a ray, each at its first point on the ray, in order of t, then of the ids.
int ctWorld_RayCastAll(const ctWorld *world, ctVec3 origin, ctVec3 direction, double maxT, const ctFilter *filter,
                       ctRayHit *hits, int capacity);
// A shape (no plane) at a pose is moved along way without turning: the first body that it touches, t from 0 to 1, the
// point of contact, and the normal from the body to the shape. t is 0 for a body that it touches at the start.
bool ctWorld_ShapeCast(const ctWorld *world, ctShapeId shape, ctTransform pose, ctVec3 way, const ctFilter *filter,
                       ctRayHit *hit);
// The bodies that a shape (no plane) at a pose touches or overlaps, in order of their ids.
int ctWorld_Overlap(const ctWorld *world, ctShapeId shape, ctTransform pose, const ctFilter *filter, ctBodyId *bodies,
                    int capacity);

typedef struct ctNearest {
    ctBodyId body;
    double distance;       // m; negative: the depth of the overlap
    ctVec3 pointA, pointB; // on a, or the point that was asked about; on b, or on the body
    ctVec3 normal;         // unit, from b to a
} ctNearest;
// The closest points of two bodies. body is b.
bool ctWorld_Closest(const ctWorld *world, ctBodyId a, ctBodyId b, ctNearest *nearest);
// The body that is nearest to a point, no farther than maxDistance.
bool ctWorld_ClosestToPoint(const ctWorld *world, ctVec3 point, double maxDistance, const ctFilter *filter,
                            ctNearest *nearest);

// ---- drawing ----------------------------------------------------------------------------------

// The surface of a shape as triangles, smooth where it is curved. segments: of a full turn, 8 to 512. A plane is a
// square of 200 m. Free the mesh with ctMesh_Free.
bool ctShape_GetMesh(const ctWorld *world, ctShapeId shape, int segments, ctMesh *mesh, ctError *error);
void ctMesh_Free(ctMesh *mesh);
// The edges of a shape as lines, two points each, in the shape's frame; for a shape without edges, lines around it.
// Free them with ctFreeLines.
bool ctShape_GetLines(const ctWorld *world, ctShapeId shape, ctVec3 **points, int *count, ctError *error);
void ctFreeLines(ctVec3 *points);

// Functions of the program that draw the engine's view of the world. Colours are 0xRRGGBB. NULL functions are not
// called.
typedef struct ctDebugDraw {
    void (*line)(void *context, ctVec3 a, ctVec3 b, uint32_t color);
    void (*point)(void *context, ctVec3 at, double size, uint32_t color); // size: m
    void (*box)(void *context, ctVec3 lo, ctVec3 hi, uint32_t color);
    void (*arrow)(void *context, ctVec3 from, ctVec3 to, uint32_t color);
    void *context;
    bool shapes;     // lines of every body, grey when asleep
    bool boxes;      // swept boxes
    bool centers;    // centres of mass as points
    bool velocities; // arrows, m for m/s
    bool contacts;   // points, and the forces as arrows of forceScale m/N
    bool impacts;    // of the last step: points, and impulses as arrows of impulseScale m/(N s)
    double forceScale, impulseScale;
} ctDebugDraw;
bool ctWorld_DebugDraw(const ctWorld *world, const ctDebugDraw *draw, ctError *error);

// ---- steering ---------------------------------------------------------------------------------

// A function of the program that is called inside steps, between two events, where it may change the world as between
// steps. Its turns are: the beginning and the end of each step, the times that it asks for, and with atImpacts the
// moment after each impact and each sensor event. So its effect does not depend on the frame rate.
typedef struct ctTurn {
    const ctImpact *impacts; // since the last turn, in time order; valid until the world is changed
    int impactCount;
    const ctSensorEvent *sensorEvents; // the same
    int sensorEventCount;
} ctTurn;
// *next: set it to the time of the next turn, s, later than now; it is infinity, no turn, before each call. False, with
// an error, ends the step there. A turn may not step or restore the world.
typedef bool ctSteerFn(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error);
// NULL removes it. It is not part of a snapshot: set it again after ctWorld_Load; ctWorld_Restore keeps it.
bool ctWorld_SetSteering(ctWorld *world, ctSteerFn *fn, void *context, bool atImpacts, ctError *error);

// Bytes of the program, at most 16 MB, that are kept with the world and its snapshots: what a steering function needs
// to continue. They are copied; NULL and 0 remove them. The result is valid until the world is changed.
bool ctWorld_SetNotes(ctWorld *world, const void *bytes, size_t size, ctError *error);
const void *ctWorld_GetNotes(const ctWorld *world, size_t *size);

// ---- inside the loop --------------------------------------------------------------------------

// A pair of bodies whose swept boxes overlap, with the time before which the two cannot touch.
typedef struct ctPending {
    ctBodyId body1, body2;
    double time; // s; infinity for pairs in sustained contact
    // m: present distance of balls, and of a ball and a plane; otherwise at the last look, or a lower bound
    double distance;
} ctPending;
int ctWorld_GetPending(const ctWorld *world, const ctPending **pending);
// The box that the body cannot leave in the current frame unless something hits it.
bool ctBody_GetSweptBox(const ctWorld *world, ctBodyId body, ctVec3 *lo, ctVec3 *hi);

typedef struct ctStats {
    // Counts since creation.
    int64_t frames, impacts, microcollisions, contactSteps, distanceChecks, solverSweeps;
    int64_t auditViolations;
    int64_t eventLimitHits; // frames cut short by the cap on events (docs/engine.md)
    double maxPenetration;  // m, deepest overlap so far
    // Energy, J. At the end of a frame kinetic + potential energy = given + drive + kinematic + push + error
    // - friction - restitution - contact, to rounding (docs/engine.md).
    double frictionLoss;    // to sliding, rolling and spinning friction, in impacts and in contact
    double restitutionLoss; // to the normal direction of impacts
    double contactLoss;     // to the normal direction of sustained contact, and to falling asleep
    double kinematicWork;   // done by kinematic bodies
    double pushWork;        // done by moving overlapping bodies apart, and by microcollisions that lift
    double stepError;       // gained by the finite steps of contact
    double givenEnergy;     // added by the program: bodies, velocities, impulses, gravity, changes of forces
    double driveWork;       // done by torques and drag on bodies
    // Now.
    // pairs: whose boxes overlap. Balls that fly freely have none among themselves (docs/engine.md).
    int bodies, dynamicBodies, asleep, pairs, contacts, islands;
    double kineticEnergy, potentialEnergy; // J; of gravity and of the forces on bodies, zero at the origin
    ctVec3 momentum, angularMomentum;      // of dynamic bodies, about the origin
    // CPU seconds since creation, by phase; measured only when profiling is on.
    double cpuBroadphase, cpuDistance, cpuImpact, cpuContact, cpuOther;
} ctStats;
ctStats ctWorld_GetStats(const ctWorld *world);
void ctWorld_SetProfiling(ctWorld *world, bool on);

// The findings of the audit since the world was made or loaded: violations by kind, and the first of them.
typedef enum ctAuditKind {
    ct_auditEnergy,    // an impact gains energy
    ct_auditApproach,  // an impact leaves the bodies approaching each other
    ct_auditCone,      // an impulse outside of the friction cone
    ct_auditPull,      // an impulse that pulls
    ct_auditOverlap,   // bodies overlap by more than is allowed
    ct_auditStepError, // in a second, finite steps of contact gain more than 1e-3 of the energy turned over in it, and
                       // of the weight times the radius of the bodies that are awake
    ct_auditPushWork,  // the same of moving apart what overlaps
    ct_auditKinds,
} ctAuditKind;
typedef struct ctAudit {
    int64_t counts[ct_auditKinds];
    ctAuditKind firstKind;   // these hold when a count is not 0
    double firstTime;        // s
    ctBodyId firstBodies[2]; // index1 is 0 for a violation by the whole world
} ctAudit;
ctAudit ctWorld_GetAudit(const ctWorld *world);
const char *ctAuditKind_Name(ctAuditKind kind); // "energy gained", "overlap" ...

// Sums over the life of the world for one pair of bodies or for one body.
typedef struct ctTally {
    int64_t impacts;     // for a sensor, and a body with a sensor: how often a body has entered
    double impulse;      // sum of |impulse| of impacts, N s
    double contactForce; // mean |force| of sustained contact over the last frame, N
    double energyLost;   // J
} ctTally;
ctTally ctWorld_GetPairTally(const ctWorld *world, ctBodyId a, ctBodyId b);
ctTally ctBody_GetTally(const ctWorld *world, ctBodyId body);

// ---- snapshots --------------------------------------------------------------------------------

// The whole state in a portable, versioned form (docs/snapshots.md). Free *data with ctFreeSnapshot.
bool ctWorld_Save(const ctWorld *world, void **data, size_t *size, ctError *error);
void ctFreeSnapshot(void *data);
// A new world that continues exactly as the saved one. NULL on failure.
ctWorld *ctWorld_Load(const void *data, size_t size, ctError *error);
// Puts a world back into a state saved from it; ids stay valid. On failure nothing changes.
bool ctWorld_Restore(ctWorld *world, const void *data, size_t size, ctError *error);

// A hash of positions, orientations, velocities and time: equal for equal histories, on every build.
uint64_t ctWorld_Hash(const ctWorld *world);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
