// The bar at the top: the scene, and time. Items that do not fit into the window's width go into a menu after the last
// button.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

// ---- the items --------------------------------------------------------------------------------

static void scenesButton(ctViewer *v)
{
    if (ctGui_Button("Scenes ▾", 0.0f, v->show.scenes)) {
        ctViewer_ToggleScenes(v);
    }
    ctGui_Hint("Demos, your own scenes, files (O)");
}

static void playButton(ctViewer *v)
{
    if (ctGui_Button(v->playing ? "❚❚ Pause" : "▶ Play", 84.0f * v->scale, !v->playing)) {
        ctViewer_Play(v, !v->playing);
    }
    ctGui_Hint("Space");
}

static void backButton(ctViewer *v)
{
    if (ctGui_Button("◀|", 0.0f, false)) {
        ctViewer_StepBack(v);
    }
    ctGui_Hint("One frame back (←)");
}

static void onButton(ctViewer *v)
{
    if (ctGui_Button("|▶", 0.0f, false)) {
        ctViewer_Ask(v, ct_advanceFrame);
    }
    ctGui_Hint("One frame on (→)");
}

static void impactButton(ctViewer *v)
{
    if (ctGui_Button("Impact ▶|", 0.0f, false)) {
        ctViewer_Ask(v, ct_advanceImpact);
    }
    ctGui_Hint("On to just after the next impact (N)");
}

static void resetButton(ctViewer *v)
{
    if (ctGui_Button("Reset", 0.0f, false)) {
        v->restart = true;
    }
    ctGui_Hint("Start the scene again, with the settings as they are (R)");
}

static void fitButton(ctViewer *v)
{
    if (ctGui_Button("Fit", 0.0f, false)) {
        ctViewer_FitView(v);
    }
    ctGui_Hint("Everything into the picture (A); V and Home go back to the scene's cameras");
}

static void speedSlider(ctViewer *v)
{
    ctGui_ItemWidth(84.0f * v->scale);
    double speed = v->speed;
    if (ctGui_SliderBar("##speed", &speed, 0.001, 1.0, true)) {
        ctViewer_SetSpeed(v, speed > 0.97 ? 1.0 : speed);
    }
    ctGui_Hint("Speed: simulated seconds per second, from 1/1000 to 1   ([ and ], 1 for real time)");
    ctGui_ItemWidth(0.0f);
    char text[32] = "real time";
    if (v->speed <= 0.995) {
        snprintf(text, sizeof text, "1/%.*f", v->speed > 0.2 ? 1 : 0, 1.0 / v->speed);
    }
    ctGui_SameLine(0.0f);
    ctGui_TextIn(70.0f * v->scale, text);
}

static void clockText(ctViewer *v)
{
    ctGui_Text("t = %.*f s", v->speed < 0.05 ? 5 : 3, v->pictureTime);
    ctGui_SameLine(0.0f);
    if (!v->playing) {
        ctGui_TextFaint("paused");
    } else {
        ctSlowness slow = ctViewer_Slowness(v);
        ctRgba color = slow != ct_slowNot ? (ctRgba){1.0f, 0.45f, 0.3f, 1.0f} : (ctRgba){0.5f, 0.85f, 0.55f, 1.0f};
        ctGui_TextColor(color, "×%.*f%s", v->factor < 0.1 ? 4 : 2, v->factor, ctSlowness_Cause(slow));
        static const char *const hints[] = {
            "Simulated seconds per second.",
            "Simulated seconds per second. Red: the physics needs more time than there is, and the scene runs slower.",
            "Simulated seconds per second. Red: a picture takes too long to draw, and the scene runs slower. A smaller "
            "window is faster.",
            "Simulated seconds per second. Red: the processor is busy, with drawing in software or with other "
            "programs, "
            "and the scene runs slower. A smaller window is faster.",
        };
        ctGui_Hint(hints[slow]);
    }
    ctGui_SameLine(0.0f);
    ctGui_TextFaint("%.0f fps", v->frameRate);
}

static void panelButton(bool *flag, const char *label, const char *hint)
{
    if (ctGui_Button(label, 0.0f, *flag)) {
        *flag = !*flag;
    }
    ctGui_Hint(hint);
}

static void tweakButton(ctViewer *v)
{
    panelButton(&v->show.tweak, "Tweak", "Friction, restitution, parameters (M)");
}

static void plotsButton(ctViewer *v)
{
    panelButton(&v->show.plots, "Plots", "Energy, impacts and cost over time (G)");
}

static void inspectorButton(ctViewer *v)
{
    panelButton(&v->show.inspector, "Impacts", "The impact inspector (I)");
}

static void helpButton(ctViewer *v)
{
    panelButton(&v->show.help, "Help", "Keys and mouse (H)");
}

// ---- the layout -------------------------------------------------------------------------------

typedef struct barItem {
    void (*draw)(ctViewer *v);
    const char *label; // text of a button, which gives its width; NULL: the width is given
    float width;       // units
    int rank;          // items of larger rank go into the menu first
    bool right;        // at the right end
} barItem;

static const barItem items[] = {
    {scenesButton, "Scenes ▾", 0.0f, 1, false},  {playButton, NULL, 84.0f, 0, false},
    {backButton, "◀|", 0.0f, 5, false},          {onButton, "|▶", 0.0f, 4, false},
    {impactButton, "Impact ▶|", 0.0f, 3, false}, {resetButton, "Reset", 0.0f, 6, false},
    {fitButton, "Fit", 0.0f, 8, false},          {speedSlider, NULL, 161.0f, 7, false},
    {clockText, NULL, 228.0f, 9, false},         {tweakButton, "Tweak", 0.0f, 10, true},
    {plotsButton, "Plots", 0.0f, 12, true},      {inspectorButton, "Impacts", 0.0f, 11, true},
    {helpButton, "Help", 0.0f, 13, true},
};
enum { ITEMS = sizeof items / sizeof *items };

static float widthOf(const ctViewer *v, const char *label, float units)
{
    float w = 0.0f, h;
    if (label != NULL) {
        ctGui_LabelSize(label, &w, &h);
        w += 14.0f * v->scale; // padding of a button
    }
    return w + units * v->scale + 7.0f * v->scale; // with the space to the next item
}

// Chooses the items that fit into a width: all of them, or else those of the lowest ranks and the button of the menu.
static bool choose(const ctViewer *v, float width, bool *fits)
{
    float total = 0.0f, more = widthOf(v, "≡", 0.0f);
    bool all = true;
    for (int i = 0; i < ITEMS; i++) {
        total += widthOf(v, items[i].label, items[i].width);
        fits[i] = true;
    }
    while (total + (all ? 0.0f : more) > width) {
        int last = -1;
        for (int i = 0; i < ITEMS; i++) {
            last = fits[i] && (last < 0 || items[i].rank > items[last].rank) ? i : last;
        }
        if (last < 0) {
            break;
        }
        fits[last] = all = false;
        total -= widthOf(v, items[last].label, items[last].width);
    }
    return all;
}

static void menu(ctViewer *v, const bool *fits)
{
    float width, height;
    ctGui_GetSize(&width, &height);
    // The largest width: buttons must not move when the text of the clock grows.
    float w = fminf(250.0f * v->scale, width - 8.0f * v->scale);
    ctRect place = {width - w - 4.0f * v->scale, 42.0f * v->scale, w, 0.0f};
    if (ctGui_BeginPanel("menu", NULL, place, ct_guiBare | ct_guiStay | ct_guiScrollless | ct_guiSolid)) {
        for (int i = 0; i < ITEMS; i++) {
            if (!fits[i]) {
                items[i].draw(v);
            }
        }
    }
    ctGui_EndPanel();
}

void ctPanel_Bar(ctViewer *v)
{
    float width, height, margin = 20.0f * v->scale;
    bool fits[ITEMS], all = false;
    ctGui_GetSize(&width, &height);
    if (ctGui_BeginPanel("bar", NULL, (ctRect){0.0f, 0.0f, width, ctViewer_BarHeight(v)},
                         ct_guiBare | ct_guiStay | ct_guiScrollless)) {
        all = choose(v, width - margin, fits);
        float right = 0.0f;
        bool first = true;
        for (int i = 0; i < ITEMS; i++) {
            right += fits[i] && items[i].right ? widthOf(v, items[i].label, items[i].width) : 0.0f;
        }
        right += all ? 0.0f : widthOf(v, "≡", 0.0f);
        bool atRight = false;
        for (int i = 0; i < ITEMS; i++) {
            if (fits[i]) {
                bool jump = items[i].right && !atRight;
                if (!first) {
                    ctGui_SameLine(jump ? width - right - 3.0f * v->scale : 0.0f);
                }
                items[i].draw(v);
                atRight = atRight || items[i].right;
                first = false;
            }
        }
        if (!all) {
            ctGui_SameLine(atRight ? 0.0f : width - right - 3.0f * v->scale);
            panelButton(&v->show.menu, "≡", "More");
        }
    }
    ctGui_EndPanel();
    if (!all && v->show.menu) {
        menu(v, fits);
    }
}
