// A file manager that drops a file on a window, by the XDND protocol of X11 (version 5).
#ifndef CT_TEST_DRAG_H
#define CT_TEST_DRAG_H

#include <stdbool.h>

typedef enum ctDragEnd {
    ct_dragTaken,    // the window has taken the file, and said so
    ct_dragNoWindow, // there is none at that place that knows of dropping
    ct_dragRefused,  // the window does not want it
    ct_dragSilent,   // the window does not answer
} ctDragEnd;

// Drags the file at an absolute path from the upper left corner of the display to a place on it, and lets go.
ctDragEnd ctDrag_File(const char *path, int x, int y, double patience);

#endif
