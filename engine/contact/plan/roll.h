// Inside contact/plan: the motion of one body on one smooth point of the ground. contact/plan/roller.c sets it up,
// contact/plan/follow.c follows it, contact/plan/roll.c plans it and ends plans.
#ifndef CT_PLAN_ROLL_H
#define CT_PLAN_ROLL_H

#include "engine/contact/contact_internal.h"
#include "engine/contact/ground.h"

// ---- contact/plan/roller.c ----------------------------------------------------------------------------

// The only place where the record bears, or -1: its lowest point. Where the lowest point of a rim is also one of the
// fixed points beside it, there are two, no farther apart than near (m).
int ctRoll_BearingPoint(const ctContactRecord *record, double near);
// The roller of the record's body on the ground, and its state y at the body's base.
void ctRoll_SetUp(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                  const ctGround *ground, ctRoller *b, double *y);

// ---- contact/plan/follow.c ----------------------------------------------------------------------------

// The longest step that resolves the motion, s. A disc that sinks wobbles faster and faster.
double ctRoll_StepLength(const ctRoller *b, const ctRollPose *p);
// Whether nothing else is about to bear: another edge of the body, or the edge of the ground. foot: the point of
// contact.
bool ctRoll_IsAlone(const ctRoller *b, const ctGround *ground, const ctRollPose *p, ctVec3 foot, double radius);
// Moves the state s on, in steps for a plan of length (s): as far as the motion is smooth, the body is alone on the
// ground, and moves no farther than room (m). Returns the time reached, s.
double ctRollPlan_Follow(ctRollPlan *plan, const ctGround *ground, double room, double length, double *s);

#endif
