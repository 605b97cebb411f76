// The laws of impact, by name. This header needs no other: the public header includes it as it is.
#ifndef CT_LAW_H
#define CT_LAW_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ctLaw {
    // Friction and restitution integrated through the impact; it ends when the normal force has given
    // back e squared of the work that it took in (Stronge 1990; Baber, section 3.4).
    ct_lawStronge,
    // The same course; it ends at 1 + e times the normal impulse of the first greatest compression.
    ct_lawPoisson,
    // Chatterjee & Ruina 1998, equations 3 to 14: restitution e along the normal, et along the tangent.
    ct_lawAlgebraic,
    // sigma times algebraic plus 1 - sigma times stronge (Chatterjee & Ruina, section 5.3).
    ct_lawComposite,
    // Springs along the normal and the tangent, in the time of the contact (Stronge 2000, chapter 5): eta2 is the
    // tangential stiffness over the normal one. eta2 -> infinity is ct_lawStronge.
    ct_lawCompliant,
    // For comparison in `clatter impact` only; a world does not take these.
    ct_lawWhittaker, // Whittaker; Kane & Levinson: it can create energy
    ct_lawSmith,     // Smith 1991
    ct_lawBilinear,  // for a diagonal K only
} ctLaw;

#ifdef __cplusplus
}
#endif

#endif
