// A viewer on a virtual display, driven by real keys and clicks, and what it says about itself on standard output
// (--print-state).
#ifndef CT_TEST_SESSION_H
#define CT_TEST_SESSION_H

#include "collision/error.h"
#include "tests/support/suite.h"

#include <sys/types.h>

typedef struct ctSession {
    pid_t server, viewer;
    int out;              // the viewer's standard output
    char buffer[1 << 16]; // what was read of it and not yet cut into lines
    size_t used;
    char state[2048];       // the last line of state
    char widgets[512][128]; // "PANEL|LABEL X Y W H"
    int widgetCount;
    char folder[64];
    char errors[128]; // the file with its standard error
} ctSession;

// Opens a scene of its own in a window of its own; the option (may be NULL) goes on the command line. The working
// folder and the folder of remembered files are the session's own.
ctSession *ctSession_Begin(const char *name, const char *text, const char *option);
// Quits by the keyboard, and checks that it left cleanly and said nothing on standard error.
void ctSession_End(ctSession *s);
// Writes a scene into the session's folder, whole or not at all.
void ctSession_WriteScene(const ctSession *s, const char *name, const char *text);

double ctSession_Now(void); // s
void ctSession_Nap(double seconds);

// Reads what there is, waiting at most so long for more. False when the viewer has closed its output.
bool ctSession_Listen(ctSession *s, double seconds);
double ctSession_Number(const ctSession *s, const char *key); // of the last line of state
bool ctSession_Says(const ctSession *s, const char *text);
// The place of a body, in the world and in the window.
void ctSession_Place(const ctSession *s, const char *body, double world[3], double window[2]);
#define ctSession_WaitFor(s, condition)                                                                                \
    do {                                                                                                               \
        double until_ = ctSession_Now() + 40.0;                                                                        \
        while (!(condition)) {                                                                                         \
            ck_assert_msg(ctSession_Now() < until_ && ctSession_Listen(s, 0.2), "waited in vain for %s; last: %s",     \
                          #condition, (s)->state);                                                                     \
        }                                                                                                              \
    } while (0)

void ctSession_Do(const char *format, ...) CT_PRINTF(1, 2); // xdotool
void ctSession_RectOf(const ctSession *s, const char *widget, double r[4]);
bool ctSession_HasWidget(const ctSession *s, const char *name);
void ctSession_Pin(void); // puts the window into the corner of the display
void ctSession_Press(const ctSession *s, const char *name);
// Drags a slider's knob to a share of its length.
void ctSession_Slide(const ctSession *s, const char *name, double share);

#endif
