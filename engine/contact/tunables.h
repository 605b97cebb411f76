// The tuned numbers of sustained contact: unit, meaning, and what changes with them. tools/try-numbers says which
// scenes notice when one is doubled or halved.
#ifndef CT_CONTACT_TUNABLES_H
#define CT_CONTACT_TUNABLES_H

// [method] Share of a step's force that acts in the geometry at its end. One half is symmetric in time: no energy
// is gained or lost by turning.
#define CT_THETA 0.5
// Share of an overlap that is pushed out in one step, and of a gap that a resting point may close; the most sweeps for
// that, and the overlap or gap that is left (of the size). Larger: stacks are lifted; smaller: overlaps stay visible,
// and more sweeps cost time.
#define CT_PUSH_OUT 0.2
#define CT_REST_PUSH_OUT (4.0 * CT_PUSH_OUT) // in an island at rest, also of a gap
#define CT_PUSH_SWEEPS 16
#define CT_OVERLAP_SLOP (0.1 * CT_POINT_TOUCH)
// Fastest push-out, as a multiple of the speed of a fall by the size. Larger: deep overlaps burst; smaller: they stay.
#define CT_PUSH_SPEED 0.4
// Lengths as shares of the size, beside those of pairs/tunables.h. Gap at which a point touches for an impact inside an
// island, overlap at which a new point bears, and precision of pushing out in a pile. Larger: impacts come early;
// smaller: they are looked for in vain.
#define CT_POINT_TOUCH 1e-7
// Error of a place, or depth of a new overlap, within a step that needs no shorter step. Larger: corners visibly sink
// in; smaller: more time.
#define CT_ASTRAY 3e-4
// Distance of two different points; a point nearer to a corner or an edge is on it; distance that a point may be beyond
// the edge of its face when a motion begins. Larger: coins roll on their faces; smaller: courses end early.
#define CT_APART 1e-3
// Overlap that is left to the next step, of a pile or of a stuck sequence; radius of the patch that a single point of a
// pile represents. Larger: piles visibly overlap; smaller: they cost more (tests/test_pile.c).
#define CT_SHALLOW (2.0 * CT_APART)
// Overlap of a pile that is pushed out fast; gap of points whose motion limits a step; corners rounder than this roll.
// Larger: steps are short for far points; smaller: points arrive inside other bodies.
#define CT_DEEP (10.0 * CT_APART)
// Distance within which a point of the same parts is the same point, even if its features have other ids. Larger:
// points take over forces of their neighbours; smaller: forces are lost.
#define CT_SAME_POINT 0.05
// rad: a disc tilted by less lies flat. Larger: coins lie down too early; smaller: the last wobbles are costly.
#define CT_FLAT 1e-3
// rad: the rim of a disc tilted by less counts as a face where points are predicted, and a plan takes longer steps for
// it, by up to 1.4 times; tilted by more, shorter ones. Larger: coins that stand up cost more; smaller: they cost less,
// and their last wobbles are coarse.
#define CT_STEEP 0.1
// Sine of the angle at which two edges, or a way and an edge, count as parallel. Larger: crossing edges have no normal
// of their own; smaller: normals of nearly parallel edges are rounding.
#define CT_ALONG 0.02
// Share of a step that is too short for a step of its own, or that is made while forces are not known yet; a plan ends
// where the remaining room allows no more than twice that share. Larger: balls stay in grooves that they would leave;
// smaller: more steps.
#define CT_PART_STEP 0.25
// Gravities: acceleration by which contacts push a slow body, and surfaces bend away, without an impact. Larger:
// landings pass for smooth motion; smaller: bodies that roll over edges take short steps.
#define CT_HARD 16.0
// Turn (rad) of a body in one step, and of a contact point around it (the point races along the rim of a wobbling coin
// that hardly turns), beyond which the island's step is halved. Points with gaps below CT_DEEP count. Larger: coins
// lose energy; smaller: more time.
#define CT_TURN_PER_STEP 0.05
#define CT_PATH_TURN (0.15 * CT_TURN_PER_STEP) // the same of the ground under a ball, whose path turns with it
// The most halvings of a step; where a body turns, twice as many. More: more time; fewer: fast turning is coarse.
#define CT_MAX_HALVINGS 5
// The most doublings of the step of a body on one smooth point (CT_LONGEST_STEPS is the limit), and halvings of the
// step of a fast pile. More: fast piles cost more; fewer: they overlap more, and rolling costs more.
#define CT_DOUBLINGS 2
// [limit] Doublings of the shortest step in a frame, which lasts at most 1 s: for checking snapshots.
#define CT_MOST_DOUBLINGS 31
// Islands double their step after one that ended as predicted, to this share of the size; they halve it after one that
// missed by more than the second share.
#define CT_SMOOTH_MISS (10.0 * CT_POINT_TOUCH)
#define CT_ROUGH_MISS (20.0 * CT_SMOOTH_MISS)
// Speeds as multiples of the speed of a fall by the size (ctWorld_FallSpeed). Speed below which an island is at rest.
// It does not move while its points are where they belong (CT_CLOSED).
#define CT_REST_SPEED (100.0 * CT_REST_TOLERANCE)
// Speed above which a point that comes to bear makes the forces jump. Larger: forces oscillate after a landing;
// smaller: more steps of first order.
#define CT_ARRIVAL_SPEED (2.0 * CT_LANDING)
// Speed of a landing that is an impact with restitution, as a multiple of the speed of a fall by the size, in islands
// that follow their equations of motion; bodies that separate faster leave. Larger: rocking dies at once; smaller:
// infinitely many impacts.
#define CT_LANDING (10.0 * CT_SLOW)
// Contacts that begin in an island of more points than this are added together, after a step that is halved this often:
// at a time between the regular ones (tests/test_validation.c, dominoes).
#define CT_PROMPT_POINTS (CT_MANY_POINTS / 4)
#define CT_BEGIN_HALVINGS 10
// Islands of up to this many points locate the end of sliding in time, if it is faster than this multiple of the speed
// of a fall. Larger: sliding ends late; smaller: its end is looked for in rounding.
#define CT_FEW_POINTS (CT_MANY_POINTS / 2)
#define CT_SLIDING_SPEED (0.1 * CT_SLOW)
// [cap] Extra steps of an island for events between two regular ones.
#define CT_EXTRA_STEPS 24 // [cap]
// Precision of contact velocities: as a share of the speed of a fall at rest, and as a share of the fastest of them.
// Where bodies move, points of one face demand speeds that differ in second order of the step, so more precision is
// impossible. Larger: stacks creep; smaller: more matrices, down to rounding.
#define CT_REST_TOLERANCE 1e-11
#define CT_SPEED_TOLERANCE 1e-6
// In islands of more than CT_MANY_POINTS that share grows up to tenfold, as slip and approach grow to this multiple of
// the speed of a fall.
#define CT_LIVELY_SPEED (10.0 * CT_SLEEP_SPEED)
// Sleep: a body sleeps when it has been no faster than this multiple of the speed of a fall by its radius for this
// multiple of the time of such a fall, and no farther away than this share of the radius. Faster or sooner: bodies that
// creep or begin to tip stop; slower or later: more time.
#define CT_SLEEP_SPEED 0.01
#define CT_SLEEP_TIME 5.0
#define CT_SLEEP_DRIFT CT_SLEEP_SPEED

// Islands of more points than the first number become large while they are lively, of more than the second always.
// More: falling stacks cost more; fewer: walls become piles, which overlap.
#define CT_LARGE_POINTS 240
#define CT_LARGE_POINTS_CALM (5 * CT_LARGE_POINTS / 2)
// A calm large island with fewer points than this becomes a small one again.
#define CT_SMALL_POINTS (CT_LARGE_POINTS / 2)
// [cap] Failed solutions in 1/60 s that make an island of more points than that a large one.
#define CT_STRAYS 16
// A crowd: at least so many bodies near each other have been struck in 1/60 s, twice as often as this on average. The
// pairs of a body in it that has been struck this often are absorbed into a large island at their next touch, at any
// speed. A group of two dozen bodies is no crowd: it can afford exact impacts, and a pile would overlap. Impacts of
// balls are cheap, so a crowd of balls is larger; balls that bounce well form none, because their impacts do not
// multiply without end. More: a rain of boxes costs more; fewer: small groups overlap.
#define CT_CROWD_BODIES 64
#define CT_CROWD_BALLS (3 * CT_CROWD_BODIES)
#define CT_CROWD_HITS 4
// Large islands are built again after so many beats of 1/60 s, and while they are lively: parts may have come off, and
// new records are not in order of height. More: loads are carried worse (tests/test_pile.c); fewer: more time.
#define CT_PILE_BEATS ((int)CT_BOX_FRAMES)
#define CT_LIVELY_BEATS (CT_PILE_BEATS / 4)
// Share of an overlap that a step of a pile pushes out; more for deep ones. Larger: towers sway; smaller: piles visibly
// overlap. Sweeps of pushing out in a step, and sweeps between two selections of what has changed. More: more time;
// fewer: loads are carried worse (tests/test_pile.c).
#define CT_PILE_PUSH 0.02
#define CT_PILE_SWEEPS 4
// [storage] Piles whose memory is kept for the next.
#define CT_SPARE_PILES 64
// Relative speed, sizes per second, above which an island is lively. Larger: piles are kept while parts come off;
// smaller: they are built again in vain.
#define CT_CALM 0.3

// [cap] The work of the contact solver counts as events, by its time: so many swept points are one event of a frame's
// limit.
#define CT_EVENT_POINTS 64

// [cap] Sequences at one time after which a sequence that begins with a rattling pair ends with an impulse at all
// places; points of contacts with gaps below CT_SHALLOW take part in it.
#define CT_STUCK_SEQUENCES 50

// Balls with a larger restitution than this never form a crowd: their impacts do not multiply without end. Only such
// balls are members of the gas. Larger: bouncing balls stick in a crowd; smaller: the same balls cost an impact each.
#define CT_CROWD_RESTITUTION 0.5

#endif
