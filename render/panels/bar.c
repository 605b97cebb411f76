// The bar at the top: the scene, and time.
#include "render/viewer/viewer_internal.h"

#include <stdio.h>

static void timeButtons(ctViewer *v)
{
    if (ctGui_Button(v->playing ? "❚❚ Pause" : "▶ Play", 84.0f * v->scale, !v->playing)) {
        ctViewer_Play(v, !v->playing);
    }
    ctGui_Hint("Space");
    ctGui_SameLine(0.0f);
    if (ctGui_Button("◀|", 0.0f, false)) {
        ctViewer_StepBack(v);
    }
    ctGui_Hint("One frame back (←)");
    ctGui_SameLine(0.0f);
    if (ctGui_Button("|▶", 0.0f, false)) {
        ctViewer_Ask(v, ct_advanceFrame);
    }
    ctGui_Hint("One frame on (→)");
    ctGui_SameLine(0.0f);
    if (ctGui_Button("Impact ▶|", 0.0f, false)) {
        ctViewer_Ask(v, ct_advanceImpact);
    }
    ctGui_Hint("On to just after the next impact (N)");
    ctGui_SameLine(0.0f);
    if (ctGui_Button("Reset", 0.0f, false)) {
        v->restart = true;
    }
    ctGui_Hint("Start the scene again, with the settings as they are (R)");
}

static void speedSlider(ctViewer *v)
{
    char format[32];
    if (v->speed > 0.995) {
        snprintf(format, sizeof format, "real time");
    } else {
        snprintf(format, sizeof format, "1/%.*f slow motion", v->speed > 0.2 ? 1 : 0, 1.0 / v->speed);
    }
    ctGui_ItemWidth(150.0f * v->scale);
    double speed = v->speed;
    if (ctGui_Slider("##speed", &speed, 0.001, 1.0, format, true)) {
        ctViewer_SetSpeed(v, speed > 0.97 ? 1.0 : speed);
    }
    ctGui_Hint("Speed: simulated seconds per second, from 1/1000 to 1   ([ and ], 1 for real time)");
    ctGui_ItemWidth(0.0f);
}

static void clockText(ctViewer *v)
{
    ctGui_Text("t = %.*f s", v->speed < 0.05 ? 5 : 3, v->pictureTime);
    ctGui_SameLine(0.0f);
    if (!v->playing) {
        ctGui_TextFaint("paused");
    } else {
        bool slow = v->factor < 0.9 * v->speed;
        ctRgba color = slow ? (ctRgba){1.0f, 0.45f, 0.3f, 1.0f} : (ctRgba){0.5f, 0.85f, 0.55f, 1.0f};
        ctGui_TextColor(color, "×%.*f%s", v->factor < 0.1 ? 4 : 2, v->factor, slow ? " (cannot keep up)" : "");
        ctGui_Hint("Simulated seconds per second. Red: the simulation needs more time than there is, and runs slower.");
    }
    ctGui_SameLine(0.0f);
    ctGui_TextFaint("%.0f fps", v->frameRate);
}

void ctPanel_Bar(ctViewer *v)
{
    float width, height;
    ctGui_GetSize(&width, &height);
    if (ctGui_BeginPanel("bar", NULL, (ctRect){0.0f, 0.0f, width, 40.0f * v->scale},
                         ct_guiBare | ct_guiStay | ct_guiScrollless)) {
        if (ctGui_Button("Scenes ▾", 0.0f, v->show.scenes)) {
            v->show.scenes = !v->show.scenes;
        }
        ctGui_Hint("All demos (O)");
        ctGui_SameLine(0.0f);
        timeButtons(v);
        ctGui_SameLine(0.0f);
        speedSlider(v);
        ctGui_SameLine(0.0f);
        clockText(v);
        float buttons = 292.0f * v->scale;
        if (width > 1060.0f * v->scale) {
            ctGui_SameLine(width - buttons);
            struct {
                const char *label, *hint;
                bool *flag;
            } panels[] = {{"Tweak", "Friction, restitution, parameters (M)", &v->show.tweak},
                          {"Plots", "Energy, impacts and cost over time (G)", &v->show.plots},
                          {"Impacts", "The impact inspector (I)", &v->show.inspector},
                          {"Help", "Keys and mouse (H)", &v->show.help}};
            for (int i = 0; i < 4; i++) {
                if (ctGui_Button(panels[i].label, 0.0f, *panels[i].flag)) {
                    *panels[i].flag = !*panels[i].flag;
                }
                ctGui_Hint(panels[i].hint);
                ctGui_SameLine(0.0f);
            }
        }
    }
    ctGui_EndPanel();
}
