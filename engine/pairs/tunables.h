// The tuned numbers of pairs, boxes and looks: unit, meaning, and what changes with them.
#ifndef CT_PAIRS_TUNABLES_H
#define CT_PAIRS_TUNABLES_H

// [rounding] Gap at which surfaces count as touching, as a share of the smaller body's size, and of the coordinates.
// Larger: events come early by gap / speed; smaller: lost in rounding.
#define CT_TOUCH_SIZE 4e-13
#define CT_TOUCH_ROUNDING 4e-15

// Lengths as shares of the smaller body's size. Gap below which points of two bodies strike together, bear together and
// are level: at 1 m/s the face of a body of 0.1 m arrives within 1e-6 s, a hundredth of the duration of such an impact.
// Larger: faces that arrive tilted strike as if flat; smaller: the tilt left by a slide turns a square hit into a spin.
#define CT_CLOSED 1e-5
// Gap at which a slow pair becomes a contact and a point of contact bears, and overlap that a pile leaves: a settling
// body would never close the last micrometre. Larger: bodies visibly hover; smaller: points at rest flicker.
#define CT_CONTACT_MARGIN 1e-4
// Cosine of the angle between two nearly equal directions. A ball rides where the normals of all triangles that it sees
// differ by no more from that of its own: the surface is less curved than the ball. A point on the rounded edge of a
// box leans by no more; otherwise it is on another face. Larger: balls do not ride on gentle hills; smaller: a ball may
// touch triangles that its plane leaves out.
#define CT_GENTLE 0.9
// Gap beyond which two bodies are out of reach for a while. Larger: more looks; smaller: contacts begin late.
#define CT_ROOMY 0.02

// How far a body may move inside its broadphase box, as a share of its bounding radius. Larger: more pairs for each
// body; smaller: boxes are renewed more often.
#define CT_BOX_REACH 0.5
// The same for balls in flight, whose pairs are cheap: about the free path of a gas. Larger: more pairs; smaller: boxes
// are renewed more often.
#define CT_BALL_REACH (4.0 * CT_BOX_REACH)
// Margin on every side of a box, as a share of the bounding radius: a body that bounces about stays inside. Larger:
// more pairs; smaller: boxes are renewed more often.
#define CT_BOX_MARGIN 0.2
// The margin of a sleeping body's box, and the relative motion after which points of a pile are found again: a box that
// does not reach a bearing point would end that contact. Larger: points are used at wrong places; smaller: more time.
#define CT_FIND_AGAIN 0.03
// A ball that will leave its box within this share of a new one's life gets the new one at once. Larger: boxes are
// renewed more often; smaller: they are renewed just before they end.
#define CT_BOX_KEEP (0.5 * CT_BOX_MARGIN)
// A ball's box whose extents add up to more than this multiple of those of a new one is replaced. Larger: pairs with
// bodies far behind; smaller: boxes are renewed more often.
#define CT_BOX_LEFTOVER CT_BALL_REACH

// [rounding] Speeds below this share of the largest speed in an impact are rounding, not approach.
#define CT_SPEED_ROUNDING 1e-13

// The height in which a body at rest hovers by microcollisions, as a share of the smaller body's size. Larger: bodies
// visibly hover, and creep more; smaller: more microcollisions (with the inverse square root).
#define CT_MICRO_ENVELOPE (0.5 * CT_CONTACT_MARGIN)

#endif
