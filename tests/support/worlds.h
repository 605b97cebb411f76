// Small worlds for tests: bodies in one line each; what fails, fails the test.
#ifndef CT_TEST_WORLDS_H
#define CT_TEST_WORLDS_H

#include "engine/clatter.h"

// A world with the default material's friction and restitution.
ctWorld *ctTestWorld(ctVec3 gravity, double friction, double restitution);
ctBodyId ctTestPlane(ctWorld *world, ctVec3 normal, double offset);
ctBodyId ctTestBall(ctWorld *world, double radius, ctVec3 position, ctVec3 velocity);
ctBodyId ctTestBox(ctWorld *world, ctMotionType motion, ctVec3 size, ctVec3 position);
// One of seven shapes about 0.2 m large: sphere, box, cylinder, capsule, cone, ellipsoid, a hull.
ctShapeId ctTestSolid(ctWorld *world, int kind);
// A block, described in several ways: a box, the hull of its corners, a compound of one part, of two halves side by
// side or on each other, of four unequal quarters.
typedef enum ctTestForm {
    ct_testBox,
    ct_testHull,
    ct_testPart,
    ct_testHalvesX,
    ct_testHalvesZ,
    ct_testQuarters,
    ct_testPinwheel, // five parts, no two of which are convex together: it has seams
    ct_testForms     // their number
} ctTestForm;
ctShapeId ctTestBlock(ctWorld *world, ctTestForm form, ctVec3 size);
// Boxes of 0.15 m in random attitudes above a bin of 1 m, in columns of nine: they fall into a pile.
ctWorld *ctTestBin(int boxes);
// Steps for some seconds of simulated time.
void ctTestRun(ctWorld *world, double seconds);
// Another world, loaded from a snapshot of this one.
ctWorld *ctTestCopy(const ctWorld *world);
// Destroys a world that must have no violation of the audit and no frame cut short.
void ctTestFinish(ctWorld *world);

#endif
