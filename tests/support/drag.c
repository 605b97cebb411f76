#include "tests/support/drag.h"

#include "tests/support/session.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <string.h>

typedef struct source {
    Display *display;
    Window window, target;
    char uris[600];
} source;

static Atom atom(const source *s, const char *name)
{
    return XInternAtom(s->display, name, False);
}

static void tell(const source *s, const char *what, long a, long b, long c, long d)
{
    XEvent e = {.xclient = {.type = ClientMessage, .window = s->target, .format = 32}};
    e.xclient.display = s->display;
    e.xclient.message_type = atom(s, what);
    const long data[5] = {(long)s->window, a, b, c, d};
    memcpy(e.xclient.data.l, data, sizeof data);
    XSendEvent(s->display, s->target, False, NoEventMask, &e);
    XFlush(s->display);
}

static bool knowsOfDropping(const source *s, Window window)
{
    Atom type = None;
    int format;
    unsigned long count, rest;
    unsigned char *data = NULL;
    XGetWindowProperty(s->display, window, atom(s, "XdndAware"), 0, 1, False, XA_ATOM, &type, &format, &count, &rest,
                       &data);
    XFree(data);
    return type == XA_ATOM && count == 1;
}

// The outermost window at a place that takes part.
static Window windowAt(const source *s, int x, int y)
{
    Window root = DefaultRootWindow(s->display), at = root, child = None;
    int insideX, insideY;
    while (XTranslateCoordinates(s->display, root, at, x, y, &insideX, &insideY, &child) && child != None) {
        at = child;
        if (knowsOfDropping(s, at)) {
            return at;
        }
    }
    return None;
}

// Hands the list of files over to who asks for it.
static void answer(const source *s, const XSelectionRequestEvent *ask)
{
    XEvent e = {.xselection = {.type = SelectionNotify, .requestor = ask->requestor, .selection = ask->selection}};
    e.xselection.target = ask->target;
    e.xselection.time = ask->time;
    if (ask->target == atom(s, "text/uri-list")) {
        e.xselection.property = ask->property;
        XChangeProperty(s->display, ask->requestor, ask->property, ask->target, 8, PropModeReplace,
                        (const unsigned char *)s->uris, (int)strlen(s->uris));
    }
    XSendEvent(s->display, ask->requestor, False, NoEventMask, &e);
    XFlush(s->display);
}

// Waits for a message of the target. True when it came; its data are in *message.
static bool await(const source *s, const char *what, double until, XClientMessageEvent *message)
{
    while (ctSession_Now() < until) {
        if (XPending(s->display) == 0) {
            ctSession_Nap(0.02);
            continue;
        }
        XEvent e;
        XNextEvent(s->display, &e);
        if (e.type == SelectionRequest) {
            answer(s, &e.xselectionrequest);
        } else if (e.type == ClientMessage && e.xclient.message_type == atom(s, what)) {
            *message = e.xclient;
            return true;
        }
    }
    return false;
}

static ctDragEnd drag(source *s, int x, int y, double patience)
{
    XClientMessageEvent said;
    double until = ctSession_Now() + patience;
    s->target = windowAt(s, x, y);
    if (s->target == None) {
        return ct_dragNoWindow;
    }
    XSetSelectionOwner(s->display, atom(s, "XdndSelection"), s->window, CurrentTime);
    tell(s, "XdndEnter", 5L << 24, (long)atom(s, "text/uri-list"), None, None);
    for (int i = 1; i <= 4; i++) { // the pointer on its way
        long place = (long)(x * i / 4) << 16 | (long)(y * i / 4);
        XWarpPointer(s->display, None, DefaultRootWindow(s->display), 0, 0, 0, 0, x * i / 4, y * i / 4);
        tell(s, "XdndPosition", 0, place, CurrentTime, (long)atom(s, "XdndActionCopy"));
        if (!await(s, "XdndStatus", until, &said)) {
            return ct_dragSilent;
        }
    }
    if ((said.data.l[1] & 1) == 0) {
        tell(s, "XdndLeave", 0, 0, 0, 0);
        return ct_dragRefused;
    }
    tell(s, "XdndDrop", 0, CurrentTime, 0, 0);
    if (!await(s, "XdndFinished", until, &said)) {
        return ct_dragSilent;
    }
    return (said.data.l[1] & 1) != 0 ? ct_dragTaken : ct_dragRefused;
}

ctDragEnd ctDrag_File(const char *path, int x, int y, double patience)
{
    source s = {.display = XOpenDisplay(NULL)};
    if (s.display == NULL) {
        return ct_dragNoWindow;
    }
    snprintf(s.uris, sizeof s.uris, "file://%s\r\n", path);
    s.window = XCreateSimpleWindow(s.display, DefaultRootWindow(s.display), 0, 0, 1, 1, 0, 0, 0);
    ctDragEnd end = drag(&s, x, y, patience);
    XDestroyWindow(s.display, s.window);
    XCloseDisplay(s.display);
    return end;
}
