// Numbers that several rooms use, and limits of what a program may ask for: unit, meaning, and what changes with them.
// Each room has a tunables.h for its own numbers; tools/try-numbers says which scenes notice one.
#ifndef CT_STATE_TUNABLES_H
#define CT_STATE_TUNABLES_H

// [method] s: regular steps of contact last this long, or this times a power of two: their multiples are the regular
// times, on whatever frames. Piles take steps of this length.
#define CT_COMMON_STEP (1.0 / 480.0)
// The longest regular step, as a share of the time in which a body falls by its size. Longer: friction and stacks
// become coarse (errors grow with its square), and bodies fall over within a step; shorter: cost.
#define CT_FALL_PER_STEP 0.04
// A ball does not fall over: it takes the steps of a body that is larger by this factor. Larger: heaps of balls become
// coarse; smaller: cost.
#define CT_BALL_SIZE 6.0
// [limit] m/s^2: a world with less gravity counts as weightless. Its times and speeds of falls are those on earth.
#define CT_LEAST_GRAVITY 0.01
#define CT_EARTH_GRAVITY 9.81

// Approach speed, as a multiple of the speed of a fall by the size, at and above which touching bodies always collide;
// below it a pair that is being pressed together goes over to sustained contact. Larger: restitution is lost; smaller:
// a ball coming to rest costs more impacts.
#define CT_IMPACT_SPEED 0.1

// Longest life of a broadphase box, as a multiple of its least life; that in steps of contact, and where a body is
// driven. A body is advanced at least this often. Larger: bounds are wide, and bodies have more pairs; smaller: boxes
// are renewed more often.
#define CT_BOX_FRAMES 16.0
#define CT_BOX_STEPS (0.5 * CT_BOX_FRAMES)
#define CT_DRIVEN_STEPS 2.0
// The longest step of contact, in regular ones: that of what moves steadily, or not at all.
#define CT_LONGEST_STEPS CT_BOX_STEPS
// s: the time after which such things are counted anew that happen too often.
#define CT_BEAT (8.0 * CT_COMMON_STEP)

// [cap] Events in one frame: for each body, and at least. Beyond, the rest of the frame passes without motion
// (docs/engine.md).
#define CT_FRAME_EVENTS_PER_BODY 4000
#define CT_FRAME_EVENTS_MIN 100000

// [cap] The same in microcollision mode, where a body at rest has about a hundred events.
#define CT_MICRO_EVENTS_PER_BODY 1000
#define CT_MICRO_EVENTS_MIN 50000

// Overlap that the audit allows, as a share of the smaller body's radius. Impacts leave none. Islands of dozens of
// bodies that are struck at many places within a step leave up to 0.6 %. Larger: the audit lets bodies sink in;
// smaller: it reports piles.
#define CT_AUDIT_OVERLAP 0.01
// Gain of energy in a second that the audit allows, as a share of the energy turned over in it plus the weight times
// the radius of each body awake (state/ledger.c). Larger: the audit overlooks gains; smaller: it reports errors of
// steps.
#define CT_LEDGER_GROWTH 1e-3
// [rounding] The same as a share of the world's energy.
#define CT_LEDGER_ROUNDING 1e-12

// [limit] Pairs of bodies whose sums are kept after they have separated; later pairs are not added up.
#define CT_MAX_TALLIES (1 << 20)
// [storage] The sums of pairs that separate are moved into the table so many at a time: the table is rarely in the
// cache, and its misses then overlap.
#define CT_KEPT_TALLIES 64
// [limit] Fastest spin that a body may be given, rad/s: flight takes steps of about a radian.
#define CT_MAX_SPIN 1e6
// [limit] Least mass, kg: squares of inverse masses stay finite.
#define CT_MIN_MASS 1e-30
// [limit] Least moment of inertia, as a share of that of the evenly filled shape. With less, a touch would spin a body
// faster than its flight can be computed.
#define CT_MIN_INERTIA 1e-6
// [limit] Materials of one world.
#define CT_MAX_MATERIALS 1024
#define CT_MAX_BODIES (1 << 24)

// [limit] What a program may ask for: accelerations by forces (m/s^2), rates of drag (1/s), speeds of surfaces (m/s).
#define CT_MAX_PULL 1e6
#define CT_MAX_DRAG 1e6
#define CT_MAX_SURFACE 1e4

#endif
