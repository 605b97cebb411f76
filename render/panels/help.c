// Keys and mouse, and short notes.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

typedef struct helpLine {
    const char *keys, *what;
} helpLine;

static const helpLine lines[] = {
    {"Mouse", NULL},
    {"left drag", "turn the view; on a body: pull it with a spring"},
    {"left click", "select a body"},
    {"right drag", "move the view (also Shift + left drag)"},
    {"wheel", "nearer, further"},
    {"Time", NULL},
    {"Space", "play, pause"},
    {"→   ←", "one frame on, one frame back"},
    {"N", "on to the next impact"},
    {"[   ]   1", "slower, faster, real time"},
    {"R", "start again"},
    {"timeline", "drag to go back to any moment"},
    {"View", NULL},
    {"V   Home", "the scene's cameras in turn, the first one"},
    {"A", "everything into the picture"},
    {"F", "follow the selected body"},
    {"B   Delete", "throw a ball; take the selected body away"},
    {"Tab", "hide the panels"},
    {"Inside the physics", NULL},
    {"C   X   P", "contacts and impulses, swept boxes, pending pairs"},
    {"Z   T", "sleeping bodies in blue, trails"},
    {"I   ,   /", "impact inspector; previous, next impact"},
    {"G   K   M", "plots, curves of bodies, tweaking panel"},
    {"D", "measure: distances and an angle between clicked points"},
    {"S", "sound of impacts, on and off"},
    {"Scenes and pictures", NULL},
    {"O", "all scenes, and files; or drop a .lua on the window"},
    {"Page up/down", "previous, next scene"},
    {"Ctrl+S", "save the world as it is, for clatter run FILE.snap"},
    {"F12", "picture of the scene (with Shift: of the window)"},
    {"F9", "start and stop recording"},
    {"Esc", "close, deselect"},
    {"Ctrl+Q", "quit"},
};

void ctPanel_Help(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float w = fminf(520.0f * unit, width - 8.0f * unit), h = fminf(720.0f * unit, height - 50.0f * unit);
    ctRect place = {0.5f * (width - w), fmaxf(44.0f * unit, 0.5f * (height - h)), w, h};
    if (ctGui_BeginPanel("Help", &v->show.help, place, ct_guiSolid)) {
        for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++) {
            if (lines[i].what == NULL) {
                ctGui_Space(2.0f * unit);
                ctGui_TextColor((ctRgba){1.0f, 0.7f, 0.3f, 1.0f}, "%s", lines[i].keys);
            } else {
                ctGui_Text("   %s", lines[i].keys);
                ctGui_SameLine(fminf(150.0f * unit, 0.34f * w));
                ctGui_TextWrapped(lines[i].what);
            }
        }
    }
    ctGui_EndPanel();
}

// A box with text, centred at the window's upper edge.
static void banner(ctViewer *v, float y, ctRgba back, const char *title, const char *text)
{
    float width, height, w, h, tw, th, unit = v->scale;
    ctGui_GetSize(&width, &height);
    ctGui_LabelSize(text, &w, &h);
    ctGui_LabelSize(title, &tw, &th);
    w = fmaxf(w, tw) + 28.0f * unit;
    ctRect box = {fmaxf(4.0f, 0.5f * (width - w)), y, w, h + (title[0] != '\0' ? th + 4.0f : 0.0f) + 16.0f * unit};
    ctGui_OnScreen(true);
    ctGui_Box(box, back, 6.0f * unit);
    float line = y + 8.0f * unit;
    if (title[0] != '\0') {
        ctGui_Label(box.x + 14.0f * unit, line, 0.0f, (ctRgba){1.0f, 0.85f, 0.75f, 1.0f}, title);
        line += th + 4.0f;
    }
    ctGui_Label(box.x + 14.0f * unit, line, 0.0f, (ctRgba){1.0f, 1.0f, 1.0f, 1.0f}, text);
}

void ctPanel_Notes(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    if (v->sceneError[0] != '\0') {
        banner(v, height - 164.0f * unit, (ctRgba){0.5f, 0.08f, 0.06f, 0.95f},
               "The scene has an error; the old one stays:", v->sceneError);
    } else if (v->stopped[0] != '\0') {
        banner(v, height - 164.0f * unit, (ctRgba){0.5f, 0.08f, 0.06f, 0.95f}, "The run has stopped:", v->stopped);
    }
    if (v->clock < v->messageUntil) {
        float fade = fminf(1.0f, (float)(v->messageUntil - v->clock));
        banner(v, height - 104.0f * unit, (ctRgba){0.08f, 0.1f, 0.13f, 0.9f * fade}, "", v->message);
    }
    if (v->record) {
        ctGui_OnScreen(true);
        char text[32];
        double seconds = v->recordedFrames / CT_RECORD_FPS;
        snprintf(text, sizeof text, "REC %d:%04.1f", (int)(seconds / 60.0), fmod(seconds, 60.0));
        float blink = 0.55f + 0.45f * (float)cos(5.0 * v->clock);
        float x = width - 132.0f * unit, y = height - 72.0f * unit;
        ctGui_Box((ctRect){x - 16.0f * unit, y - 13.0f * unit, 136.0f * unit, 26.0f * unit},
                  (ctRgba){0.1f, 0.1f, 0.1f, 0.75f}, 6.0f * unit);
        ctGui_Disc(x, y, 6.5f * unit, (ctRgba){1.0f, 0.1f, 0.08f, blink});
        ctGui_Label(x + 14.0f * unit, y - 0.5f * ctGui_LineHeight(), 0.0f, (ctRgba){1.0f, 1.0f, 1.0f, 1.0f}, text);
    }
}
