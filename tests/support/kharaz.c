#include "tests/support/kharaz.h"

#include <stdio.h>
#include <string.h>

bool ctKharaz_Read(const char *path, ctKharazPoint points[CT_KHARAZ_POINTS])
{
    static const char *const names[ct_kharazQuantities] = {"rebound_angle_deg", "tangential_restitution_of_centre",
                                                           "spin_after_rad_s", "contact_patch_angle_deg"};
    FILE *in = fopen(path, "r");
    char line[256], name[64];
    int n = 0;
    while (in != NULL && fgets(line, sizeof line, in) != NULL && n < CT_KHARAZ_POINTS) {
        ctKharazPoint *p = &points[n];
        if (line[0] == '#' || sscanf(line, "%63[^,],%lf,%lf", name, &p->angle, &p->value) != 3) {
            continue;
        }
        for (int i = 0; i < ct_kharazQuantities; i++) {
            if (strcmp(name, names[i]) == 0) {
                p->quantity = (ctKharazQuantity)i;
                n++;
            }
        }
    }
    if (in != NULL) {
        fclose(in);
    }
    return n == CT_KHARAZ_POINTS;
}

double ctKharaz_Eta2(void)
{
    const double e1 = 380.0, e2 = 70.0, nu1 = 0.23, nu2 = 0.25; // GPa: alumina, soda-lime glass
    double normal = (1.0 - nu1 * nu1) / e1 + (1.0 - nu2 * nu2) / e2;
    double shear = 2.0 * (2.0 - nu1) * (1.0 + nu1) / e1 + 2.0 * (2.0 - nu2) * (1.0 + nu2) / e2;
    return 4.0 * normal / shear;
}

// A sphere of 1 kg, because its mass cancels.
static const double speed = 3.9, radius = 0.0025, friction = 0.092, restitution = 0.98, degrees = CT_PI / 180.0;

// The quantity after an impact at the angle whose impulse is (tangential, normal).
static double after(ctKharazQuantity quantity, double angle, double tangential, double normal)
{
    double before = speed * sin(angle * degrees), along = before + tangential;
    double rise = normal - speed * cos(angle * degrees);
    switch (quantity) {
    case ct_kharazReboundAngle:
        return atan2(along, rise) / degrees;
    case ct_kharazTangential:
        return along / before;
    case ct_kharazSpin:
        return -tangential * 2.5 / radius;
    default:
        return atan2(before + 3.5 * tangential, rise) / degrees;
    }
}

double ctKharaz_Model(ctLaw law, double eta2, ctKharazQuantity quantity, double angle)
{
    ctImpactInput in = {.K = ctMat3Diagonal(3.5, 3.5, 1.0),
                        .u = ctV3(speed * sin(angle * degrees), 0.0, -speed * cos(angle * degrees)),
                        .mu = friction,
                        .e = restitution,
                        .law = law,
                        .eta2 = eta2};
    ctImpactResult out;
    ctSolveImpact(&in, &out);
    return after(quantity, angle, out.p.x, out.p.z);
}

// One half of the row: spring i stands at x = (i + 1/2) dx and is pressed in by d - x^2 / R. Lengths are in units of R,
// and the stiffness is arbitrary, because only the ratio of the two counts. The normal springs are stiffer by 1 / e^2
// in restitution, as in the law.
double ctKharaz_Theory(double eta2, ctKharazQuantity quantity, double angle)
{
    enum { SPRINGS = 400, STEPS = 4000 };
    const double stiffness = 1e9, approach = speed * cos(angle * degrees);
    const double deepest = pow(15.0 / 16.0 * approach * approach / stiffness, 0.4);
    const double dx = 1.001 * sqrt(deepest) / SPRINGS, dt = 2.94 * deepest / approach / STEPS;
    double force[SPRINGS] = {0}, depth = 0.0, tangential = 0.0, normal = 0.0;
    do {
        double path = (speed * sin(angle * degrees) + 3.5 * tangential) * dt, sumN = 0.0, sumT = 0.0;
        for (int i = 0; i < SPRINGS; i++) {
            double x = (i + 0.5) * dx, press = 2.0 * dx * stiffness * fmax(depth - x * x, 0.0);
            double f = force[i] - eta2 * 2.0 * dx * stiffness * path, limit = friction * press;
            force[i] = fmin(fmax(f, -limit), limit);
            sumN += press;
            sumT += force[i];
        }
        normal += sumN * dt;
        tangential += sumT * dt;
        double rate = approach - normal;
        depth += (rate < 0.0 ? rate / (restitution * restitution) : rate) * dt;
    } while (depth > 0.0);
    return after(quantity, angle, tangential, normal);
}

double ctKharaz_BestEta2(const ctKharazPoint points[CT_KHARAZ_POINTS], double *worst)
{
    double best = 0.0;
    *worst = INFINITY;
    for (double eta2 = 0.2; eta2 < 3.0; eta2 += 1e-3) {
        double error = 0.0;
        for (int i = 0; i < CT_KHARAZ_POINTS; i++) {
            const ctKharazPoint *p = &points[i];
            if (p->quantity == ct_kharazTangential) {
                error =
                    fmax(error, fabs(ctKharaz_Model(ct_lawCompliant, eta2, p->quantity, p->angle) / p->value - 1.0));
            }
        }
        if (error < *worst) {
            *worst = error;
            best = eta2;
        }
    }
    return best;
}
