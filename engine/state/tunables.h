// The numbers that the loop is tuned by: unit, meaning, and what breaks when they are changed.
#ifndef CT_STATE_TUNABLES_H
#define CT_STATE_TUNABLES_H

// Longest contact micro-step, s. A frame is cut into the smallest number of equal steps no longer than
// this. Longer: friction and stacks become coarse (errors grow with its square); shorter: cost.
#define CT_MAX_CONTACT_STEP (1.0 / 480.0)

// Approach speed, m/s, at and above which touching bodies always collide; below it a pair that is being
// pressed together goes over to sustained contact. Larger: restitution is lost; smaller: a ball coming
// to rest costs more impacts. The world uses max(this, 2 g h) (h: the micro-step).
#define CT_IMPACT_SPEED 0.05
// The same for small bodies: they collide when they approach by more than this share of their size in a micro-step. A
// contact that begins faster would turn them over within its first step.
#define CT_IMPACT_REACH 0.2

// Below the impact speed, a rebound whose flight lasts longer than this many micro-steps is still an
// impact: marbles that drift apart slowly without gravity between them are not glued together.
#define CT_REBOUND_STEPS 4.0

// A pair that has collided this often within one micro-step goes over to contact whatever its speed
// below the impact speed: bodies caught between others rattle infinitely often in finite time.
#define CT_RATTLE_LIMIT 12

// Gap at which surfaces count as touching, as a share of the smaller body's size, and of the coordinates
// (rounding). Larger: events come early by gap / speed; smaller: lost in rounding.
#define CT_TOUCH_SIZE 4e-13
#define CT_TOUCH_ROUNDING 4e-15

// Gap below which points of two bodies strike together, as a share of the smaller body's size: at 1 m/s the face of a
// body of 0.1 m arrives within 1e-6 s, a hundredth of the time for which an impact of such bodies lasts. Larger: faces
// that arrive tilted strike as if they did not; smaller: what a slide leaves of tilt turns a square hit into a spin.
#define CT_TOGETHER 1e-5

// Gap at which a slow pair becomes a contact, as a share of the smaller body's size: a body that settles
// would take for ever to close the last micrometre.
#define CT_CONTACT_MARGIN 1e-4

// A pair that has been looked at this often in a row, each time for less than this share of a micro-step,
// rubs: it becomes a contact whatever the bodies' speeds along each other.
#define CT_GRIND_LOOKS 24
#define CT_GRIND_STEP 1e-3

// How far a body may travel inside its broadphase box, as a share of its bounding radius. Larger: more
// candidate pairs per body; smaller: boxes are renewed more often.
#define CT_BOX_REACH 0.5
// The same for balls in flight, whose pairs are cheap: about the free path of a gas.
#define CT_BALL_REACH 2.0
// Room on every side of a box, as a share of the bounding radius: a body that bounces about stays inside.
#define CT_BOX_MARGIN 0.2
// The same for a body that sleeps: points of a pile may be as far from where they were found, and a box that does not
// reach a point which bears would end that contact.
#define CT_SLEEP_MARGIN 0.03
// A ball that is about to leave its box within this share of a new one's life gets the new one at once.
#define CT_BOX_KEEP 0.1
// A ball's box whose extents add up to more than this many times those of a new one is a leftover.
#define CT_BOX_LEFTOVER 2.0
// Longest life of a broadphase box, in frames: a body is flown at least this often.
#define CT_BOX_FRAMES 16.0

// The side of the cells of the gas, as a share of the largest radius in it: 2, and room for rounding. Larger: more
// balls to look at; smaller (never): touching balls that are not neighbours.
#define CT_GAS_CELL 2.05
// The smallest ball of the gas against the largest. Smaller: more in a cell.
#define CT_GAS_SMALLEST 0.125
// Places in the table of cells for each member, at least. Fewer: strangers are met there.
#define CT_GAS_PLACES 5
// Slow hits of a ball in one micro-step; beyond, it may be rattling between others (CT_RATTLE_LIMIT).
#define CT_GAS_SLOW 4
// Cells that a ball may cross in a frame; faster ones have a long box instead.
#define CT_GAS_CROSSINGS 16.0
// Cells from the origin at most: their borders are known to 1e-7 of the side.
#define CT_GAS_FARTHEST 1e9
// Cells on every side of its own that the broadphase box of a ball of the gas holds, while no more than a few others,
// which are not of the gas, are near.
#define CT_GAS_ROOM 2
#define CT_GAS_FEW 4

// Events in one frame, per body and at least: beyond it the rest of the frame is skipped (docs/engine.md).
#define CT_FRAME_EVENTS_PER_BODY 4000
#define CT_FRAME_EVENTS_MIN 100000
// What the contact solver does counts too, by about the time it takes: so many points swept are an event, and a
// matrix is so many sweeps.
#define CT_EVENT_POINTS 64
#define CT_MATRIX_SWEEPS 20

// Two-body impacts in one simultaneous sequence, per touching point and at least. Restitution is taken
// as zero in the second half, so that the sequence ends (Chatterjee & Ruina 1998, section 6.4).
#define CT_SEQUENCE_IMPACTS_PER_BODY 200
#define CT_SEQUENCE_IMPACTS_MIN 400
// Restitution above which a sequence of hundreds of impacts gives something back: less is left of it otherwise.
#define CT_SPRINGY 0.97
// Sequences at one time after which one that begins with a rattling pair ends with such an impulse, and the gap, as a
// share of the smaller body's size, at which points of contacts take part in it.
#define CT_STUCK_SEQUENCES 50
#define CT_STUCK_MARGIN 2e-3
// Rounds of impulses at all places at once, each of which may reach further bodies.
#define CT_SETTLE_ROUNDS 64

// Speeds below this share of the largest speed in an impact are rounding, not approach.
#define CT_SPEED_ROUNDING 1e-13

// Mirtich's threshold of normal speed for a microcollision, m/s; more for bodies that hover faster than a quarter of
// it.
#define CT_MICRO_SPEED 0.03
// The height, as a share of the smaller body's size, in which a body at rest hovers by microcollisions.
// Larger: bodies are seen to hover, and creep more; smaller: more microcollisions (with the inverse square root).
#define CT_MICRO_ENVELOPE 5e-5
// Two that approach no faster than this many times the speed that takes them out of the envelope hover on each other:
// they collide at all points within it.
#define CT_MICRO_HOP 4.0
// What presses a pair together is a mean over so many times the time of falling through the envelope, and no more than
// so many times gravity. More: bodies that are jammed shake each other harder; less: they collide more often.
#define CT_MICRO_MEMORY 8.0
#define CT_MICRO_PRESS 8.0
// How much of the tangential velocity is reversed where a pair touches at several points. One: shaking never fades;
// zero: what others push creeps.
#define CT_MICRO_REVERSAL 0.9

// Two-body impacts in one simultaneous sequence in microcollision mode, per touching point.
#define CT_MICRO_IMPACTS_PER_TOUCH 20

// Events in one frame in microcollision mode, per body and at least. A body at rest has about a hundred.
#define CT_MICRO_EVENTS_PER_BODY 1000
#define CT_MICRO_EVENTS_MIN 50000
// What hangs on an event counts too, by about the time it takes: so many pairs that get a new time.
#define CT_EVENT_PAIRS 8

// Overlap, as a share of the smaller body's radius, that the audit lets pass. Impacts leave none. Islands of dozens of
// bodies that are struck at many places within a step leave up to 0.6 %.
#define CT_AUDIT_OVERLAP 0.01

// Overlap at which a new body is refused, as a share of the smaller size; exact touching is no overlap.
#define CT_START_OVERLAP 1e-9

// Pairs of bodies whose sums are kept after they have parted; later pairs are not added up.
#define CT_MAX_TALLIES (1 << 20)
// Pairs that part are taken into the table of sums so many at a time: its memory is far away, and one waits for all
// of them together.
#define CT_KEPT_TALLIES 64
// Fastest spin that a body may be given, rad/s: flight takes steps of a radian or so.
#define CT_MAX_SPIN 1e6
// Least mass, kg: the squares of inverse masses stay numbers.
#define CT_MIN_MASS 1e-30
// Least moment of inertia that may be given, as a share of that of the shape filled evenly: with less, a touch
// would set a body spinning faster than its flight can be followed.
#define CT_MIN_INERTIA 1e-6
#define CT_MAX_MATERIALS 1024
#define CT_MAX_BODIES (1 << 24)

// Balls that bounce better than this (restitution) never form a crowd, which contact takes in as a whole: their impacts
// do not multiply without end. Only such balls are members of the gas.
#define CT_CROWD_RESTITUTION 0.5

// What a program may ask for: accelerations by forces (m/s^2), rates of drag (1/s), speeds of surfaces (m/s).
#define CT_MAX_PULL 1e6
#define CT_MAX_DRAG 1e6
#define CT_MAX_SURFACE 1e4

#endif
