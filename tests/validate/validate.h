// What the files of `make validate` share: results, the cases, and the page.
#ifndef CT_VALIDATE_H
#define CT_VALIDATE_H

#include "tests/validate/peer.h"

#include <stdio.h>

// One number of one engine.
typedef struct ctResult {
    const char *section; // "closed", "toss", "fit", "laws", "oblique", "floor"
    const char *key;     // what was measured: a word for the table of results
    const char *engine;
    double rate;   // steps per second; 0 where there are none
    double value;  // NAN: it cannot be done
    double lo, hi; // a 95 % interval, or NAN
} ctResult;

typedef struct ctResults {
    ctResult *rows;
    int count, capacity;
} ctResults;

void ctResults_Add(ctResults *results, ctResult row);
// The row, or NULL.
const ctResult *ctResults_Find(const ctResults *results, const char *section, const char *key, const char *engine,
                               double rate);

// ---- closed forms (cases.c) ------------------------------------------------------------------------

typedef struct ctCase {
    const char *key;
    const char *what;      // what happens
    const char *reference; // the right answer
    const char *error;     // what is shown
    double (*run)(const ctPeer *peer, double rate);
} ctCase;

// Those of systems.c: one body on a moving or sloping one, rows of bodies, and SimBenchmark's.
double ctSystem_Platter(const ctPeer *peer, double rate);
double ctSystem_RimlessWheel(const ctPeer *peer, double rate);
double ctSystem_DominoesClose(const ctPeer *peer, double rate);
double ctSystem_DominoesApart(const ctPeer *peer, double rate);
double ctSystem_Rolling(const ctPeer *peer, double rate);
double ctSystem_Bouncing(const ctPeer *peer, double rate);
double ctSystem_Elastic666(const ctPeer *peer, double rate);
double ctSystem_Overlap666(const ctPeer *peer, double rate);

extern const ctCase ctCases[];
extern const int ctCaseCount;

// ---- measured tosses (tosses.c) --------------------------------------------------------------------

#define CT_TOSS_FILE "tests/data/measured/cube_tosses.csv.gz"
#define CT_TOSS_RATE 148.0 // samples per second
// The coefficients that the authors of the measurements fitted.
#define CT_TOSS_MU 0.18
#define CT_TOSS_E 0.125

typedef struct ctTossSample {
    ctVec3 x;
    ctQuat q;
} ctTossSample;

typedef struct ctToss {
    ctTossSample *samples; // at 148 Hz
    int count;
    ctVec3 velocity, spin; // of the first sample, world frame
} ctToss;

typedef struct ctTosses {
    ctToss *tosses;
    int count;
} ctTosses;

// Errors of one toss, as in Acosta, Yang & Posa 2022.
typedef struct ctTossError {
    double place;    // mean over the samples of |dx| over the edge
    double rotation; // mean of the angle, degrees
    double pose;     // 1 when the last rotation is within 20 degrees, else 0
} ctTossError;

bool ctTosses_Read(const char *path, ctTosses *tosses, ctError *error);
void ctTosses_Free(ctTosses *tosses);

// Simulates from the first sample with `substeps` steps per sample. out, if given, gets the simulated samples.
ctTossError ctToss_Simulate(const ctToss *toss, const ctPeer *peer, int substeps, double mu, double e,
                            ctTossSample *out);

// The root mean square of tracking noise in flight: m, and degrees.
void ctTosses_Noise(const ctTosses *tosses, double *place, double *degrees);

// Everything about tosses: tables, fits, laws, floor.
void ctTosses_Validate(ctResults *results);

// The mean of one member over tosses, with its 95 % interval from `rounds` resamplings.
typedef struct ctMean {
    double value, lo, hi;
} ctMean;
ctMean ctBootstrap(const double *values, int count, int rounds);

// ---- the page (page.c, plots.c, numbers.c) --------------------------------------------------------------------

// A number as the page shows it.
void ctPage_Number(double value, char *text, size_t size);

// folder/validation.md and validation.csv, and folder/pictures/validation_*.svg.
bool ctPage_Write(const ctResults *results, const char *folder, const char *commit, const char *date, ctError *error);
bool ctPlot_Oblique(const char *path, ctError *error);
bool ctPlot_Tosses(const ctResults *results, const char *path, ctError *error);

#endif
