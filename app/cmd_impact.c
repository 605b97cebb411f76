#include "app/cmd_impact.h"

#include "app/app.h"
#include "app/impact_batch.h"
#include "app/options.h"
#include "collision/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum Method { EXACT, JIA_WANG, BABER } Method;

typedef struct Settings {
    const char *batch, *plot;
    Method method;
    bool bench, fixed, hasK, hasU, hasMu, hasE, hasLaw;
    double step; // of the normal impulse; 0: the default of the method
    double k[6], u[3];
    ctImpactInput in;
} Settings;

static ctImpactMode solve(const Settings *s, const ctImpactInput *in, ctImpactResult *out)
{
    switch (s->method) {
    case JIA_WANG:
        return ctSolveImpactJiaWang(in, s->step, true, out);
    case BABER:
        // A thousand steps up to maximum compression, if there were no friction.
        return ctSolveImpactBaber(in, s->step > 0.0 ? s->step : 1e-3 * fabs(in->u.z) / in->K.cz.z, out);
    case EXACT:
        break;
    }
    return ctSolveImpact(in, out);
}

// ---- timing ---------------------------------------------------------------------------------------

static double nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// The best of several repeats. Each repeat makes enough calls to be measurable.
static double timeOne(const Settings *s, const ctImpactInput *in)
{
    enum { REPEATS = 7 };
    const double enough = 20e3; // ns
    double best = INFINITY;
    int calls = 1;
    for (int i = 0; i < REPEATS;) {
        volatile double keep = 0.0;
        double start = nanoseconds();
        for (int j = 0; j < calls; j++) {
            ctImpactResult r;
            solve(s, in, &r);
            keep = keep + r.p.z;
        }
        double elapsed = nanoseconds() - start;
        if (elapsed < enough && calls < 4096) {
            calls *= 2;
            continue;
        }
        best = fmin(best, elapsed / calls);
        i++;
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool bench(const Settings *s, const ctImpactBatch *batch)
{
    if (batch->count == 0) {
        fputs("median_ns=0 mean_ns=0 p99_ns=0\n", stderr);
        return true;
    }
    double *times = malloc((size_t)batch->count * sizeof *times), sum = 0.0;
    if (times == NULL) {
        fputs("clatter: out of memory\n", stderr);
        return false;
    }
    for (int i = 0; i < batch->count; i++) {
        times[i] = timeOne(s, &batch->cases[i]);
        sum += times[i];
    }
    qsort(times, (size_t)batch->count, sizeof *times, ascending);
    int last = batch->count - 1, p99 = (int)ceil(0.99 * batch->count) - 1;
    fprintf(stderr, "median_ns=%.0f mean_ns=%.0f p99_ns=%.0f\n", times[last / 2], sum / batch->count,
            times[p99 > 0 ? p99 : 0]);
    free(times);
    return true;
}

// ---- one impact, or a batch -----------------------------------------------------------------------

static int runBatch(const Settings *s)
{
    ctImpactBatch batch;
    ctError error = {ct_ok, ""};
    if (!ctImpactBatch_Read(&batch, s->batch, &error)) {
        fprintf(stderr, "clatter: %s\n", error.message);
        return error.status == ct_outOfMemory ? CT_EXIT_FAILED : CT_EXIT_USAGE;
    }
    bool allValid = true;
    ctWriteImpactHeader(stdout);
    for (int i = 0; i < batch.count; i++) {
        ctImpactResult r;
        allValid = solve(s, &batch.cases[i], &r) != ct_impactInvalid && allValid;
        ctWriteImpactLine(stdout, &r);
    }
    bool written = fflush(stdout) == 0 && ferror(stdout) == 0;
    if (!written) {
        fputs("clatter: impact: cannot write to standard output\n", stderr);
    }
    bool timed = !s->bench || bench(s, &batch);
    ctImpactBatch_Free(&batch);
    return allValid && written && timed ? CT_EXIT_OK : CT_EXIT_FAILED;
}

static int runOne(Settings *s)
{
    ctImpactInput *in = &s->in;
    in->K = ctMat3Symmetric(s->k[0], s->k[1], s->k[2], s->k[3], s->k[4], s->k[5]);
    in->u = ctV3(s->u[0], s->u[1], s->u[2]);
    const char *bad = ctCheckImpact(in);
    ctImpactCourse *course = malloc(sizeof *course);
    if (course == NULL) {
        fputs("clatter: out of memory\n", stderr);
        return CT_EXIT_FAILED;
    }
    int status = CT_EXIT_OK;
    ctError error = {ct_ok, ""};
    ctSolveImpactCourse(in, course);
    if (bad == NULL && s->method != EXACT) {
        solve(s, in, &course->result);
    }
    if (bad == NULL && course->result.mode == ct_impactInvalid) {
        bad = s->method != EXACT ? "this method knows Stronge's law only"
                                 : "this law has no solution here, or none within the range of numbers";
    }
    if (bad != NULL) {
        fprintf(stderr, "clatter: impact: not a valid impact: %s\n", bad);
        status = CT_EXIT_FAILED;
    } else {
        ctReportImpact(course, stdout);
        if (s->plot != NULL && !ctPlotImpact(course, s->plot, &error)) {
            fprintf(stderr, "clatter: %s\n", error.message);
            status = CT_EXIT_FAILED;
        }
    }
    if (s->bench && status == CT_EXIT_OK) {
        ctImpactBatch batch = {in, 1};
        bench(s, &batch);
    }
    free(course);
    return status;
}

// ---- options --------------------------------------------------------------------------------------

static bool parseMethod(const char *word, void *target, ctError *error)
{
    static const char *const names[] = {"exact", "jia-wang", "baber", NULL};
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(word, names[i]) == 0) {
            *(Method *)target = (Method)i;
            return true;
        }
    }
    return ctFail(error, ct_badArgument, "is exact, jia-wang or baber, not '%.40s'", word);
}

static bool parseLaw(const char *word, void *target, ctError *error)
{
    return ctLawFromName(word, target) ||
           ctFail(error, ct_badArgument,
                  "is stronge, poisson, algebraic, composite, compliant, whittaker, smith or bilinear, not '%.40s'",
                  word);
}

static int wrongUse(const char *what)
{
    fprintf(stderr, "clatter: impact: %s; clatter impact --help says more\n", what);
    return CT_EXIT_USAGE;
}

int ctCommandImpact(int argc, char **argv)
{
    Settings s = {.in = {.law = ct_lawStronge, .eta2 = CT_DEFAULT_ETA2}};
    const ctOption options[] = {
        CT_TEXT("batch", &s.batch, "FILE.csv", "solve a table of impacts; - is standard input"),
        CT_CUSTOM("method", &s.method, NULL, "NAME", parseMethod, "exact (default), jia-wang or baber"),
        CT_NUMBER("step", &s.step, NULL, "N", 1e-300, 1e300, "fixed step of the normal impulse for jia-wang and baber"),
        CT_FLAG("bench", &s.bench, "also time each case: best of several repeats, on standard error"),
        CT_NUMBERS("k", s.k, &s.hasK, "A,B,C,D,E,F", 6, "the collision matrix: k11,k12,k13,k22,k23,k33 (1/kg)"),
        CT_NUMBERS("u", s.u, &s.hasU, "X,Y,Z", 3, "the relative velocity before; z is the normal (m/s)"),
        CT_NUMBER("mu", &s.in.mu, &s.hasMu, "M", 0, 0, "coefficient of friction"),
        CT_NUMBER("e", &s.in.e, &s.hasE, "E", 0, 0, "coefficient of restitution, 0 to 1"),
        CT_NUMBER("et", &s.in.et, NULL, "T", 0, 0, "tangential restitution, -1 to 1 (algebraic, composite, bilinear)"),
        CT_NUMBER("sigma", &s.in.sigma, NULL, "S", 0, 0, "share of the algebraic law, 0 to 1 (composite)"),
        CT_NUMBER("eta2", &s.in.eta2, NULL, "X", 0, 0, "tangential over normal stiffness, above 0 (compliant); 14/17"),
        CT_CUSTOM("law", &s.in.law, &s.hasLaw, "NAME", parseLaw,
                  "stronge (default), poisson, algebraic, composite, compliant, whittaker, smith, bilinear"),
        CT_TEXT("plot", &s.plot, "FILE.svg", "draw the course of the impact"),
        {.name = NULL},
    };
    const ctOptionSet set = {
        "impact",
        "clatter impact --k A,B,C,D,E,F --u X,Y,Z --mu M --e E [--law NAME] [--plot FILE.svg]\n"
        "       clatter impact --batch FILE.csv [--method NAME] [--bench]\n",
        "A table has the columns k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e,et,sigma,eta2,law in any order; the\n"
        "answer has px,py,pz,vx,vy,vz,mode. Cases that are not impacts answer nan and `invalid`, and the exit\n"
        "status is 1. docs/impact.md explains laws, methods and pictures.\n",
        options,
        NULL,
        0};
    int status;
    if (!ctParseOptions(&set, argc, argv, NULL, &status)) {
        return status;
    }
    if (s.batch != NULL) {
        if (s.hasK || s.hasU || s.hasMu || s.hasE || s.hasLaw || s.plot != NULL) {
            return wrongUse("--batch takes its impacts from the file: no --k, --u, --mu, --e, --law or --plot with it");
        }
        return runBatch(&s);
    }
    if (!s.hasK || !s.hasU || !s.hasMu || !s.hasE) {
        return wrongUse("one impact needs --k, --u, --mu and --e, a table of them --batch FILE.csv");
    }
    size_t length = s.plot != NULL ? strlen(s.plot) : 0;
    if (s.plot != NULL && (length < 5 || strcmp(s.plot + length - 4, ".svg") != 0)) {
        return wrongUse("--plot takes FILE.svg");
    }
    return runOne(&s);
}
