// The numbers that impacts and verdicts on touches are tuned by: unit, meaning, and what changes with them.
#ifndef CT_COLLIDE_TUNABLES_H
#define CT_COLLIDE_TUNABLES_H

// Bodies that touch and part or approach more slowly than this, in units of the speed of a fall by their size, are in
// contact, pressed together or not: a wall that is put up at rest begins as one island. Larger: marbles that drift on a
// table stick; smaller: rows of bricks begin with impacts at the speeds of rounding (tests/test_sleep.c).
#define CT_STILL_SPEED (0.1 * CT_SLOW)

// Below the impact speed, a rebound whose flight lasts longer than this many micro-steps is still an
// impact: marbles that drift apart slowly without gravity between them are not glued together.
#define CT_REBOUND_STEPS 4.0

// A pair that has collided this often within one micro-step goes over to contact whatever its speed
// below the impact speed: bodies caught between others rattle infinitely often in finite time.
// More: time; fewer: what bounces between others stops too early.
#define CT_RATTLE_LIMIT 12

// A pair that has been looked at this often in a row, each time for less than CT_SHORTEST_STEP, rubs: it becomes a
// contact whatever the bodies' speeds along each other.
#define CT_GRIND_LOOKS (2 * CT_RATTLE_LIMIT)

// [cap] Two-body impacts in one simultaneous sequence, per touching point and at least. Restitution is taken
// as zero in the second half, so that the sequence ends (Chatterjee & Ruina 1998, section 6.4).
#define CT_SEQUENCE_IMPACTS_PER_BODY 200
#define CT_SEQUENCE_IMPACTS_MIN 400
// [cap] Rounds of impulses at all places at once, each of which may reach further bodies.
#define CT_SETTLE_ROUNDS 64

// Mirtich's threshold of normal speed for a microcollision, m/s; more for bodies that hover faster than a quarter of
// it. Larger: slow impacts lose their restitution; smaller: bodies at rest take impacts.
#define CT_MICRO_SPEED 0.03
// Two that approach no faster than this many times the speed that takes them out of the envelope hover on each other:
// they collide at all points within it.
#define CT_MICRO_HOP 4.0
// What presses a pair together is a mean over so many times the time of falling through the envelope, and no more than
// so many times gravity. More: bodies that are jammed shake each other harder; less: they collide more often.
#define CT_MICRO_MEMORY 8.0
#define CT_MICRO_PRESS CT_MICRO_MEMORY
// How much of the tangential velocity is reversed where a pair touches at several points. One: shaking never fades;
// zero: what others push creeps.
#define CT_MICRO_REVERSAL 0.9

// [cap] Two-body impacts in one simultaneous sequence in microcollision mode, per touching point.
#define CT_MICRO_IMPACTS_PER_TOUCH 20

// What hangs on an event counts too, by about the time it takes: so many pairs that get a new time.
#define CT_EVENT_PAIRS (CT_EVENT_POINTS / 8)

#endif
