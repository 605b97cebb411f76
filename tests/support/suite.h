// The common frame of every Check suite: one test case per group of tests, and main().
#ifndef CT_TEST_SUITE_H
#define CT_TEST_SUITE_H

#include <check.h>

// Runs the suite and returns the process's exit status.
int ctRunSuite(Suite *suite);

// Check's own assertions tell the runner through a pipe each time they pass. In a loop of a million cases that is most
// of the time; these are silent until they fail.
#define ctAssert(condition)                                                                                            \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg("Assertion '%s' failed", #condition);                                                         \
        }                                                                                                              \
    } while (0)

// The same with a message of one's own.
#define ctRequire(condition, ...)                                                                                      \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            ck_abort_msg(__VA_ARGS__);                                                                                 \
        }                                                                                                              \
    } while (0)

// |a - b| <= tol, with both values in the message.
#define ctAssertClose(a, b, tol)                                                                                       \
    do {                                                                                                               \
        double ctA_ = (a), ctB_ = (b), ctTol_ = (tol);                                                                 \
        if (!(fabs(ctA_ - ctB_) <= ctTol_)) {                                                                          \
            ck_abort_msg("%s = %.17g, %s = %.17g differ by %.3g > %.3g", #a, ctA_, #b, ctB_, fabs(ctA_ - ctB_),        \
                         ctTol_);                                                                                      \
        }                                                                                                              \
    } while (0)

#endif
