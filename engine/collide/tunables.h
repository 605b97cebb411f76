// The tuned numbers of impacts and verdicts: unit, meaning, and what changes with them.
#ifndef CT_COLLIDE_TUNABLES_H
#define CT_COLLIDE_TUNABLES_H

// Bodies that touch, and separate or approach more slowly than this multiple of the speed of a fall by their size, are
// in contact, pressed together or not: a wall that is built at rest begins as one island. Larger: marbles that drift on
// a table stick; smaller: rows of bricks begin with impacts at speeds of rounding (tests/test_sleep.c).
#define CT_STILL_SPEED (0.1 * CT_SLOW)

// Below the impact speed, a rebound that lasts longer than this many micro-steps is still an impact. Larger: marbles
// that drift apart slowly without gravity stick together; smaller: a ball that comes to rest takes more impacts.
#define CT_REBOUND_STEPS 4.0

// A pair below the impact speed that has collided this often within one micro-step becomes a contact: bodies caught
// between others rattle infinitely often in finite time. More: more time; fewer: a body that bounces between others
// stops too early.
#define CT_RATTLE_LIMIT 12

// A pair that has been looked at this often in a row, each time for less than CT_SHORTEST_STEP, rubs: it becomes a
// contact whatever its tangential speed.
#define CT_GRIND_LOOKS (2 * CT_RATTLE_LIMIT)

// [cap] Impacts of two bodies in one sequence: for each touching point, and at least. Restitution is zero in the second
// half, so that the sequence ends (Chatterjee & Ruina 1998, section 6.4).
#define CT_SEQUENCE_IMPACTS_PER_BODY 200
#define CT_SEQUENCE_IMPACTS_MIN 400
// [cap] Rounds of impulses at all places at once; each may reach further bodies.
#define CT_SETTLE_ROUNDS 64

// Mirtich's threshold of normal speed for a microcollision, m/s; it is higher for bodies that hover faster than a
// quarter of it. Larger: slow impacts lose their restitution; smaller: bodies at rest have impacts.
#define CT_MICRO_SPEED 0.03
// Two bodies that approach no faster than this multiple of the speed that takes them out of the envelope hover on each
// other: they collide at all points within it.
#define CT_MICRO_HOP 4.0
// The acceleration that presses a pair together is a mean over this multiple of the time of falling through the
// envelope, and at most this multiple of gravity. More: jammed bodies shake each other harder; less: they collide more
// often.
#define CT_MICRO_MEMORY 8.0
#define CT_MICRO_PRESS CT_MICRO_MEMORY
// The share of the tangential velocity that is reversed where a pair touches at several points. One: shaking never
// fades; zero: pushed bodies creep.
#define CT_MICRO_REVERSAL 0.9

// [cap] Impacts of two bodies in one sequence in microcollision mode, for each touching point.
#define CT_MICRO_IMPACTS_PER_TOUCH 20

// The work that an event causes counts as events too, by its time: this many pairs that get a new time are one event.
#define CT_EVENT_PAIRS (CT_EVENT_POINTS / 8)

#endif
