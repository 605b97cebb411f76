// The shape of Jia & Wang's Table 1 on this machine: method, iterations, time and error for their two instances and for
// the public set, in one run. Errors are against the impulses computed in high precision: |p - p0| in N s for the
// instances, as in the paper, and |p - p0| / |p0| for the set.
#include "tests/support/impact_vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum Method { TINY_STEPS, PURE_EULER, FIXED_STEP, ADAPTIVE_STEP, BABER, EXACT, METHODS } Method;

static const char *const methodNames[METHODS] = {"\"truth\": Euler, step 1e-6",
                                                 "NI: Euler, no closed forms",
                                                 "FS: Algorithm 1, fixed step",
                                                 "VS: Algorithm 1, equation 36",
                                                 "Baber section 4",
                                                 "exact (Clatter)"};
// The steps of their table: "truth", NI and FS for the two instances (N s).
static const double steps[2][3] = {{1e-6, 0.00095, 0.001}, {1e-6, 0.001, 0.002}};

static void solve(Method method, int instance, const ctImpactInput *in, ctImpactResult *out)
{
    switch (method) {
    case TINY_STEPS:
        ctSolveImpactJiaWang(in, steps[instance][0], true, out);
        break;
    case PURE_EULER:
        ctSolveImpactJiaWang(in, steps[instance][1], false, out);
        break;
    case FIXED_STEP:
        ctSolveImpactJiaWang(in, steps[instance][2], true, out);
        break;
    case ADAPTIVE_STEP:
        ctSolveImpactJiaWang(in, 0.0, true, out);
        break;
    case BABER:
        ctSolveImpactBaber(in, 1e-3 * fabs(in->u.z) / in->K.cz.z, out);
        break;
    default:
        ctSolveImpact(in, out);
    }
}

static double nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// Best of several repeats of a batch of calls.
static double timeOf(Method method, int instance, const ctImpactInput *in)
{
    double best = INFINITY, first = nanoseconds();
    ctImpactResult r;
    solve(method, instance, in, &r);
    double once = nanoseconds() - first;
    int calls = once > 2e4 ? 1 : (int)(2e4 / (once + 20.0)) + 1, repeats = once > 1e6 ? 2 : 9;
    volatile double keep = 0.0;
    for (int i = 0; i < repeats; i++) {
        double start = nanoseconds();
        for (int j = 0; j < calls; j++) {
            solve(method, instance, in, &r);
            keep = keep + r.p.z;
        }
        best = fmin(best, (nanoseconds() - start) / calls);
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void instances(void)
{
    int count;
    ctImpactVector *all = ctReadImpactVectors("impact_seeds.csv", &count);
    const int rows[2] = {0, 2}; // jw_4a and jw_pin under stronge
    const char *const titles[2] = {"Icosahedron-tetrahedron (mu = 0.8, e = 0.95)", "Pin-ball (mu = 0.7, e = 0.7)"};
    for (int i = 0; i < 2; i++) {
        const ctImpactVector *v = &all[rows[i]];
        printf("%s\n  %-30s %10s %12s %12s\n", titles[i], "method", "iterations", "time (us)", "error (N s)");
        for (Method m = 0; m < METHODS; m++) {
            ctImpactResult r;
            solve(m, i, &v->in, &r);
            printf("  %-30s %10d %12.3f %12.3g\n", methodNames[m], r.steps, 1e-3 * timeOf(m, i, &v->in),
                   ctDistance(r.p, v->p));
        }
        printf("\n");
    }
    free(all);
}

static void publicSet(void)
{
    int count, n;
    ctImpactVector *all = ctReadImpactVectors("impact_public.csv", &count);
    double *times = malloc((size_t)count * sizeof *times), *errors = malloc((size_t)count * sizeof *errors);
    if (times == NULL || errors == NULL) {
        exit(1);
    }
    printf("Public set (%d impacts; the papers' methods: those under stronge)\n", count);
    printf("  %-30s %8s %10s | %9s %9s %9s (us) | %9s %9s %9s (relative)\n", "method", "impacts", "iterations",
           "median", "mean", "p99", "median", "p99", "worst");
    const Method methods[] = {ADAPTIVE_STEP, BABER, EXACT};
    for (int m = 0; m < 3; m++) {
        double sum = 0.0, iterations = 0.0;
        n = 0;
        for (int i = 0; i < count; i++) {
            if (methods[m] != EXACT && all[i].in.law != ct_lawStronge) {
                continue;
            }
            ctImpactResult r;
            solve(methods[m], 0, &all[i].in, &r);
            iterations += r.steps;
            times[n] = 1e-3 * timeOf(methods[m], 0, &all[i].in);
            sum += times[n];
            errors[n++] = ctRelativeError(r.p, all[i].p);
        }
        qsort(times, (size_t)n, sizeof *times, ascending);
        qsort(errors, (size_t)n, sizeof *errors, ascending);
        int p99 = (int)ceil(0.99 * n) - 1;
        printf("  %-30s %8d %10.1f | %9.3f %9.3f %9.3f      | %9.2g %9.2g %9.2g\n", methodNames[methods[m]], n,
               iterations / n, times[n / 2], sum / n, times[p99], errors[n / 2], errors[p99], errors[n - 1]);
    }
    free(times);
    free(errors);
    free(all);
}

static void centralImpacts(void)
{
    const ctImpactInput in = {ctMat3Diagonal(3.5, 3.5, 1), {1, 2, -3}, 0.3, 0.8, 0, 0, ct_lawStronge, 0.0};
    printf("\nCentral impact of spheres (closed form): %.1f ns\n", timeOf(EXACT, 0, &in));
}

// The same impacts under the compliant law, each kind of law of the set replaced by it.
static void compliant(void)
{
    int count;
    ctImpactVector *all = ctReadImpactVectors("impact_public.csv", &count);
    double *times = malloc((size_t)count * sizeof *times), sum = 0.0;
    if (times == NULL) {
        exit(1);
    }
    for (int i = 0; i < count; i++) {
        all[i].in.law = ct_lawCompliant;
        all[i].in.eta2 = CT_DEFAULT_ETA2;
        times[i] = 1e-3 * timeOf(EXACT, 0, &all[i].in);
        sum += times[i];
    }
    qsort(times, (size_t)count, sizeof *times, ascending);
    ctImpactInput ball = {ctMat3Diagonal(3.5, 3.5, 1), {1, 2, -3}, 0.3, 0.8, 0, 0, ct_lawCompliant, CT_DEFAULT_ETA2};
    printf("Public set under compliant: median %.3f, mean %.3f, p99 %.3f us; of spheres %.3f us\n", times[count / 2],
           sum / count, times[(int)ceil(0.99 * count) - 1], 1e-3 * timeOf(EXACT, 0, &ball));
    free(times);
    free(all);
}

int main(void)
{
    instances();
    publicSet();
    compliant();
    centralImpacts();
    return 0;
}
