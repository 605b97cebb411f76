// The laws of impact, by name.
#ifndef CT_LAW_H
#define CT_LAW_H

typedef enum ctLaw {
    ct_lawStronge,   // energetic restitution, work summed over all phases (the default)
    ct_lawPoisson,   // kinetic restitution: 1 + e times the normal impulse at the first maximum compression
    ct_lawAlgebraic, // Chatterjee & Ruina, with tangential restitution
    ct_lawComposite, // sigma * algebraic + (1 - sigma) * stronge
    // For comparison in `clatter impact` only; a world refuses them.
    ct_lawWhittaker,
    ct_lawSmith,
    ct_lawBilinear,
} ctLaw;

#endif
