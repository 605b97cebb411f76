#include "tests/support/statics.h"

#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

enum { ROWS = 3 * CT_STATIC_BODIES, COLUMNS = 2 * CT_STATIC_POINTS };

// The first phase of the simplex method. Row i: sum over j of t[i][j] x_j + artificial variable i = t[i][COLUMNS].
// Cost: the sum of the artificial variables, which is zero where the equations have a solution x >= 0.
typedef struct Program {
    int rows, columns;
    double t[ROWS][COLUMNS + 1], cost[COLUMNS + 1];
    int basis[ROWS]; // variable of the row; -1: its artificial one
} Program;

static void pivot(Program *p, int row, int column)
{
    double scale = 1.0 / p->t[row][column];
    for (int j = 0; j <= COLUMNS; j++) {
        p->t[row][j] *= scale;
    }
    for (int i = 0; i <= p->rows; i++) {
        double *line = i < p->rows ? p->t[i] : p->cost, factor = line[column];
        for (int j = 0; j <= COLUMNS && i != row; j++) {
            line[j] -= factor * p->t[row][j];
        }
    }
    p->basis[row] = column;
}

// The row that limits the column; ties go to the lowest variable (Bland's rule, which cannot cycle).
static int limitOf(const Program *p, int column)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < p->rows; i++) {
        if (p->t[i][column] > 1e-11) {
            double ratio = p->t[i][COLUMNS] / p->t[i][column];
            if (ratio < least - 1e-14 || (ratio < least + 1e-14 && p->basis[i] < p->basis[best])) {
                best = i;
                least = ratio;
            }
        }
    }
    return best;
}

static double minimise(Program *p)
{
    for (int i = 0; i < p->rows; i++) {
        p->basis[i] = -1;
        for (int j = 0; j <= COLUMNS; j++) {
            p->cost[j] += p->t[i][j];
        }
    }
    for (int j = 0; j < p->columns;) {
        int row = p->cost[j] > 1e-11 ? limitOf(p, j) : -1;
        if (row >= 0) {
            pivot(p, row, j);
            j = 0;
        } else {
            j++;
        }
    }
    return p->cost[COLUMNS];
}

// A force (fx, fz) per unit of variable j at a point, on a body.
static void apply(Program *p, int body, const ctStaticBody *b, const ctStaticPoint *at, int j, double fx, double fz)
{
    if (body >= 0) {
        p->t[3 * body][j] += fx;
        p->t[3 * body + 1][j] += fz;
        p->t[3 * body + 2][j] += (at->x - b->x) * fz - (at->z - b->z) * fx;
    }
}

bool ctStatics_CanStand(const ctStaticBody *bodies, int bodyCount, const ctStaticPoint *points, int pointCount,
                        double friction)
{
    static Program p; // large
    ctAssert(bodyCount <= CT_STATIC_BODIES && pointCount <= CT_STATIC_POINTS);
    memset(&p, 0, sizeof p);
    p.rows = 3 * bodyCount;
    p.columns = 2 * pointCount;
    double total = 0.0;
    for (int i = 0; i < bodyCount; i++) {
        total += bodies[i].weight;
    }
    for (int i = 0; i < pointCount; i++) {
        const ctStaticPoint *at = &points[i];
        for (int side = 0; side < 2; side++) { // the two edges of the cone
            double s = side == 0 ? friction : -friction, fx = at->nx - s * at->nz, fz = at->nz + s * at->nx;
            apply(&p, at->upper, &bodies[at->upper], at, 2 * i + side, fx, fz);
            apply(&p, at->lower, &bodies[at->lower < 0 ? 0 : at->lower], at, 2 * i + side, -fx, -fz);
        }
    }
    for (int i = 0; i < bodyCount; i++) {
        p.t[3 * i + 1][COLUMNS] = bodies[i].weight / total;
    }
    return minimise(&p) < 1e-9;
}
