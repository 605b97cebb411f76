// Inside contact/plan: the motion of one body on one smooth point of the ground. contact/plan/roller.c sets it up,
// contact/plan/follow.c follows it, contact/plan/roll.c plans it and ends plans.
#ifndef CT_PLAN_ROLL_H
#define CT_PLAN_ROLL_H

#include "engine/contact/contact_internal.h"
#include "engine/contact/ground.h"

// ---- contact/plan/roller.c ----------------------------------------------------------------------------

// The one place where the record bears, or -1: its lowest point. Where the lowest point of a rim is one of the fixed
// points beside it as well, there are two of them, no farther apart than near (m).
int ctRoll_BearingPoint(const ctContactRecord *record, double near);
// The roller of the record's body on the ground, and its state y at the body's base.
void ctRoll_SetUp(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                  const ctGround *ground, ctRoller *b, double *y);

// ---- contact/plan/follow.c ----------------------------------------------------------------------------

// The longest step that follows the motion, s. A disc that sinks wobbles faster and faster.
double ctRoll_StepLength(const ctRoller *b, const ctRollPose *p);
// Whether nothing else is about to bear: another edge of the body, or the edge of the ground. foot: where it touches.
bool ctRoll_IsAlone(const ctRoller *b, const ctGround *ground, const ctRollPose *p, ctVec3 foot, double radius);
// Moves the state s on, in steps that suit a plan of length (s): as far as the motion is smooth, the body is alone on
// the ground, and strays no farther than room (m). Returns how far it got, s.
double ctRollPlan_Follow(ctRollPlan *plan, const ctGround *ground, double room, double length, double *s);

#endif
