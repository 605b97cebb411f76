#include "app/aside.h"

static void *run(void *argument)
{
    ctAside *aside = argument;
    aside->good = aside->work(aside->context, &aside->error);
    return NULL;
}

void ctAside_Start(ctAside *aside, ctAsideFn *work, void *context)
{
    *aside = (ctAside){.work = work, .context = context};
    aside->running = pthread_create(&aside->thread, NULL, run, aside) == 0;
    if (!aside->running) {
        run(aside);
    }
}

bool ctAside_Finish(ctAside *aside, ctError *error)
{
    if (aside->running) {
        pthread_join(aside->thread, NULL);
        aside->running = false;
    }
    if (!aside->good) {
        *error = aside->error;
    }
    return aside->good;
}
