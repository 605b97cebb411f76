// The numbers that sustained contact is tuned by: unit, meaning, and what changes with them. tools/try-numbers says
// which scenes notice when one is doubled or halved.
#ifndef CT_CONTACT_TUNABLES_H
#define CT_CONTACT_TUNABLES_H

// [method] Share of a step's force that acts in the geometry at its end. One half is symmetric in time: no energy
// is gained or lost by turning.
#define CT_THETA 0.5
// Share of an overlap that is pushed out in one step, and of a gap that a resting point may close, the sweeps that this
// may take, and the overlap or gap that is left alone (of the size).
// Larger: stacks are lifted; smaller: overlaps stay in sight, and more sweeps cost time.
#define CT_PUSH_OUT 0.2
#define CT_REST_PUSH_OUT (4.0 * CT_PUSH_OUT) // in an island at rest, also of a gap
#define CT_PUSH_SWEEPS 16
#define CT_OVERLAP_SLOP (0.1 * CT_POINT_TOUCH)
// Fastest push-out, sizes per second; of small bodies as much faster as their steps are shorter.
// Larger: deep overlaps burst; smaller: they stay.
#define CT_PUSH_SPEED 4.0
// Lengths as shares of the size, beside those of pairs/tunables.h. Gap at which a point counts as touching for an
// impact inside an island, overlap at which something new bears, and how well overlaps in a pile are pushed out.
// Larger: impacts come early; smaller: they are looked for in vain.
#define CT_POINT_TOUCH 1e-7
// What goes astray or through by no more within a step needs no shorter step: more, and corners are seen to sink in;
// less: time.
#define CT_ASTRAY 3e-4
// Points farther apart are two points; one that is nearer to a corner or an edge is on it; a point may be as far beyond
// the edge of its face when a motion begins. Larger: coins roll on their faces; smaller: courses end early.
#define CT_APART 1e-3
// Overlaps that are left to the next step, of a pile or of a sequence that has got stuck, and the radius of the patch
// that a single point of a pile stands for. Larger: piles are seen to overlap; smaller: they cost more
// (tests/test_pile.c).
#define CT_SHALLOW (2.0 * CT_APART)
// Overlaps of a pile that are pushed out fast; gaps of points whose motion limits a step; corners rounder than this
// roll. Larger: steps are short for points that are far away; smaller: points arrive inside of others.
#define CT_DEEP (10.0 * CT_APART)
// Points of the same parts that have moved by no more are the same point, even when the features that meet there have
// got other names. Larger: points take over forces of their neighbours; smaller: forces are lost.
#define CT_SAME_POINT 0.05
// rad: a disc that is tilted by less lies flat. Larger: coins lie down too early; smaller: the last wobbles are costly.
#define CT_FLAT 1e-3
// rad: the rim of a disc that is tilted by less counts as a face where points are followed ahead, and a plan takes
// longer steps for it, by up to 1.4 times; by more, shorter ones. Larger: coins that stand up cost more; smaller: they
// cost less, and their last wobbles are coarse.
#define CT_STEEP 0.1
// Sine of an angle at which two edges, or a way and an edge, count as parallel. Larger: edges that cross have no normal
// of their own; smaller: normals of edges that hardly cross are rounding.
#define CT_ALONG 0.02
// Part of a step that is not worth a step of its own, or that is made where forces are not known yet; a plan ends where
// the room that is left allows no more than twice that part. Larger: balls
// stay in grooves that they would leave; smaller: more steps.
#define CT_PART_STEP 0.25
// Gravities: as hard contacts push a slow body, and surfaces bend away, without a blow. Larger: landings pass for
// smooth motion; smaller: what rolls over edges falls into short steps.
#define CT_HARD 16.0
// Turn (rad) of a body in one step, and of a contact point around it (the point races along the rim of a
// wobbling coin that hardly turns), beyond which the island's step is halved. Points with gaps below CT_DEEP count.
// Larger: coins lose energy; smaller: time.
#define CT_TURN_PER_STEP 0.05
// The same for the time in which a body falls over, sqrt(size / gravity).
// Larger: small bodies fall over within a step (tests/test_grains.c); smaller: time.
#define CT_FALL_PER_STEP 0.1
// How often the step is halved, at most; for small bodies, that time. More: time; fewer: what turns fast is coarse.
#define CT_MAX_HALVINGS 6
// How often the step of a body on one smooth point is doubled where the motion allows it (the frame is the limit), and
// that of a pile halved where it moves fast. More: fast piles cost more; less: they overlap more, and rolling costs
// more.
#define CT_DOUBLINGS 2
// [limit] No frame has more doublings of the shortest step: frames are at most 1 s. What a snapshot may say.
#define CT_MOST_DOUBLINGS 31
// Up to so many bodies on the ground take steps twice as long after one that ended where it was expected, to this share
// of the size; half as long after one that did not, by the second share.
#define CT_LONG_BODIES (CT_SYSTEM_MOVABLE + 1)
#define CT_SMOOTH_MISS (10.0 * CT_POINT_TOUCH)
#define CT_ROUGH_MISS (20.0 * CT_SMOOTH_MISS)
// Slower than this (m/s) an island is at rest, and stays as it is when its points are where they belong (CT_CLOSED).
#define CT_REST_SPEED (100.0 * CT_REST_TOLERANCE)
// A point that comes to bear faster than this (m/s) gives the forces a jump.
// Larger: forces swing after a landing; smaller: more steps of the first order.
#define CT_ARRIVAL_SPEED 2e-3
// Landings that are faster than this, in units of the speed of a fall by the size, are impacts with their restitution,
// in islands that follow their equations of motion; and what parts faster leaves. More: rocking dies at once. Less:
// impacts without end.
#define CT_LANDING (10.0 * CT_SLOW)
// Contacts that begin in an island larger than this many points are taken in together, this often halved a step later:
// a time between the regular ones (tests/test_validation.c, dominoes).
#define CT_PROMPT_POINTS (CT_MANY_POINTS / 4)
#define CT_BEGIN_HALVINGS 10
// Islands of no more points than this find the end of sliding in time, where it is faster than this (m/s).
// Larger: sliding ends late; smaller: its end is looked for where it is rounding.
#define CT_FEW_POINTS (CT_MANY_POINTS / 2)
#define CT_SLIDING_SPEED 1e-5
// Extra steps of an island for events between two regular ones.
#define CT_EXTRA_STEPS 24 // [cap]
// How well contact velocities are solved: m/s at rest, and as a share of the fastest of them. Where bodies
// move, points of one face demand speeds that differ in the second order of the step: more is not to be had.
// Larger: stacks creep; smaller: matrices, down to rounding.
#define CT_REST_TOLERANCE 1e-11
#define CT_SPEED_TOLERANCE 1e-6
// In islands of more than CT_MANY_POINTS it grows up to tenfold, as slip and approach grow to this, m/s.
#define CT_LIVELY_SPEED (10.0 * CT_SLEEP_SPEED)
// Sleep: no faster than this (m/s; sizes per second), for this long (s), and no farther away than that speed leads in a
// second. Faster or sooner: what creeps or begins to tip stops; slower or later: time.
#define CT_SLEEP_SPEED 0.01
#define CT_SLEEP_TIME 0.5
#define CT_SLEEP_DRIFT (CT_SLEEP_SPEED * 1.0)

// Islands of more points than the first become large while they are lively, of more than the second always.
// More: stacks that fall cost more; fewer: walls become piles, which overlap.
#define CT_LARGE_POINTS 240
#define CT_LARGE_POINTS_CALM (5 * CT_LARGE_POINTS / 2)
// A large one that has calmed down is a small one again if it has fewer than this.
#define CT_SMALL_POINTS (CT_LARGE_POINTS / 2)
// [cap] So many solutions in a frame that have come to nothing make an island of more points than that a large one.
#define CT_STRAYS 16
// Where so many bodies near each other have been struck in a frame, twice as often as this on the mean, the pairs of
// one that has been struck this often are absorbed into a large island at their next touch, however fast: a crowd. A
// heap of two dozen is not: it would pay with deep overlaps for what it can afford to do right. Balls' impacts are
// cheap: a crowd of them is larger, and balls that bounce well are none, because their impacts do not multiply without
// end as those of balls that stick together. More: a rain of boxes costs more; fewer: small heaps overlap.
#define CT_CROWD_BODIES 64
#define CT_CROWD_BALLS (3 * CT_CROWD_BODIES)
#define CT_CROWD_HITS 4
// Large islands are built anew after so many frames, and while they are lively: parts may have come off, and records
// that have come are not in order of height. More: loads are carried worse (tests/test_pile.c). Less: time.
#define CT_PILE_FRAMES ((int)CT_BOX_FRAMES)
#define CT_LIVELY_FRAMES (CT_PILE_FRAMES / 4)
// Share of an overlap that a step of a pile pushes out; of deep ones more. More: towers sway; less: piles are seen to
// overlap. Sweeps that do so in a step, and sweeps until a step looks what has changed. More: time; less: loads are
// carried worse (tests/test_pile.c).
#define CT_PILE_PUSH 0.02
#define CT_PILE_SWEEPS 4
// [storage] The memory of so many is kept for the next.
#define CT_SPARE_PILES 64
// Bodies of a lively island move by more than this, sizes per second.
// Larger: piles are kept while parts come off; smaller: they are built anew in vain.
#define CT_CALM 0.3

// [cap] What the contact solver does counts too, by about the time it takes: so many points swept are an event to the
// limits of a frame.
#define CT_EVENT_POINTS 64

// [cap] Sequences at one time after which one that begins with a rattling pair ends with such an impulse; points of
// contacts with gaps below CT_SHALLOW take part in it.
#define CT_STUCK_SEQUENCES 50

// Balls that bounce better than this (restitution) never form a crowd, which contact takes in as a whole: their impacts
// do not multiply without end. Only such balls are members of the gas.
// Larger: balls that bounce stick in a crowd; smaller: the same balls cost an impact each.
#define CT_CROWD_RESTITUTION 0.5

#endif
