#include "app/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double wallSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

ctProgress ctProgress_Begin(const char *what, double total)
{
    double now = wallSeconds();
    ctProgress progress = {what, total, isatty(STDERR_FILENO) == 1, now, now, ""};
    return progress;
}

void ctProgress_Update(ctProgress *p, double done)
{
    double now = wallSeconds();
    if (!p->shown || now - p->last < 0.1) {
        return;
    }
    p->last = now;
    enum { WIDTH = 30 };
    double share = p->total > 0.0 ? done / p->total : 1.0;
    int filled = (int)(share * WIDTH + 0.5);
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    bar[WIDTH] = '\0';
    double elapsed = now - p->begin, rate = elapsed > 0.0 ? done / elapsed : 0.0;
    double seconds = rate > 0.0 ? (p->total - done) / rate + 0.5 : 0.0;
    int left = seconds < 1e6 ? (int)seconds : 1000000;
    fprintf(stderr, "\r[%s] %3.0f %%  %.7g/%.7g %s  %.3g %s/s  %d:%02d left%s \033[K", bar, 100.0 * share, done,
            p->total, p->what, rate, p->what, left / 60, left % 60, p->note);
    fflush(stderr);
}

void ctProgress_End(ctProgress *p)
{
    if (p->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
