// The trace: the state of every body at time 0 and after each frame, as CSV.
#ifndef CT_TRACE_H
#define CT_TRACE_H

#include "engine/clatter.h"

#include <stdio.h>

#define CT_TRACE_HEADER "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"

// One line per body: centre of mass, rotation of the shape's frame, velocity and spin, 17 digits. The scene language
// ensures that every body has a name and that no name needs quotes in CSV.
void ctTrace_Write(FILE *out, const ctWorld *world);

// ",x,y,z" with 17 digits.
void ctTrace_WriteVec3(FILE *out, ctVec3 v);

#endif
