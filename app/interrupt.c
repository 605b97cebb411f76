#include "app/interrupt.h"

#include "collision/error.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void onSignal(int number)
{
    interrupted = number;
}

// A signal that is ignored at the start stays ignored, as nohup asks.
static void watch(int number)
{
    // The first signal resets the handler, so that a second one ends the program without waiting for the frame's end.
    struct sigaction action = {.sa_handler = onSignal, .sa_flags = (int)SA_RESETHAND}, old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

void ctInterrupt_FailWrites(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void ctInterrupt_Watch(void)
{
    interrupted = 0;
    watch(SIGINT);
    watch(SIGTERM);
    watch(SIGHUP);
}

int ctInterrupt_Signal(void)
{
    return interrupted;
}

bool ctInterrupt_Check(ctError *error)
{
    return interrupted == 0 ||
           ctFail(error, ct_io, "interrupted by signal %d; no file was written", ctInterrupt_Signal());
}
