// One piece of work on a thread of its own, while the caller continues.
#ifndef CT_ASIDE_H
#define CT_ASIDE_H

#include "collision/types.h"

#include <pthread.h>

typedef bool ctAsideFn(void *context, ctError *error);

typedef struct ctAside {
    ctAsideFn *work;
    void *context;
    pthread_t thread;
    bool running, good;
    ctError error;
} ctAside;

// Begins the work. When no thread can be started, the work is done before the call returns.
void ctAside_Start(ctAside *aside, ctAsideFn *work, void *context);
// Waits for the end of the work and returns its result.
bool ctAside_Finish(ctAside *aside, ctError *error);

#endif
