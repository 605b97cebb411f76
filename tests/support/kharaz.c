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

double ctKharaz_Model(ctLaw law, double eta2, ctKharazQuantity quantity, double angle)
{
    // A sphere of 1 kg, because its mass cancels; its radius is 2.5 mm.
    const double speed = 3.9, radius = 0.0025, degrees = CT_PI / 180.0;
    ctImpactInput in = {.K = ctMat3Diagonal(3.5, 3.5, 1.0),
                        .u = ctV3(speed * sin(angle * degrees), 0.0, -speed * cos(angle * degrees)),
                        .mu = 0.092,
                        .e = 0.98,
                        .law = law,
                        .eta2 = eta2};
    ctImpactResult out;
    ctSolveImpact(&in, &out);
    double along = in.u.x + out.p.x;
    switch (quantity) {
    case ct_kharazReboundAngle:
        return atan2(along, out.v.z) / degrees;
    case ct_kharazTangential:
        return along / in.u.x;
    case ct_kharazSpin:
        return -out.p.x * 2.5 / radius;
    default:
        return atan2(out.v.x, out.v.z) / degrees;
    }
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
