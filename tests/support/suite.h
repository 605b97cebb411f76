// The common frame of every Check suite: one test case per group of tests, and main().
#ifndef CT_TEST_SUITE_H
#define CT_TEST_SUITE_H

#include <check.h>

// Runs the suite and returns the process's exit status.
int ctRunSuite(Suite *suite);

// |a - b| <= tol, with both values in the message.
#define ctAssertClose(a, b, tol)                                                                                       \
    do {                                                                                                               \
        double ctA_ = (a), ctB_ = (b), ctTol_ = (tol);                                                                 \
        ck_assert_msg(fabs(ctA_ - ctB_) <= ctTol_, "%s = %.17g, %s = %.17g differ by %.3g > %.3g", #a, ctA_, #b, ctB_, \
                      fabs(ctA_ - ctB_), ctTol_);                                                                      \
    } while (0)

#endif
