#include "render/record/record_overlay.h"

#include "collision/memory.h"
#include "collision/vec3.h"
#include "render/draw/marks.h"
#include "render/draw/trails.h"
#include "render/gui/annotations.h"
#include "render/gui/history_plot.h"
#include "render/gui/impact_diagrams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How long impacts stay visible, simulated s; and the height of a picture for which the panels are designed, pixels.
#define FADE_SECONDS 0.25
#define ORDINARY_HEIGHT 720.0f

enum { SHOW_HODOGRAPH = 1 << 16 }; // in addition to the overlays of a scene (ct_show...)

struct ctRecordOverlay {
    unsigned show;
    float scale; // of the panels
    double typicalMass;
    ctHistory history;
    ctImpactStudy study; // of the strongest impact in the last frame with impacts
    bool studied;
    ctTransform *poses;
    uint8_t *states;
    int poseCapacity, stateCapacity;
    bool notes; // labels, curves and histograms of the scene
    ctSimState state;
    ctPathLog paths;
    ctTrails trails;
};

static bool parse(const char *list, unsigned *show, ctError *error)
{
    *show = 0;
    for (const char *word = list; *word != '\0';) {
        size_t length = strcspn(word, ",");
        bool none = length == 4 && strncmp(word, "none", 4) == 0;
        unsigned found =
            length == 9 && strncmp(word, "hodograph", 9) == 0 ? SHOW_HODOGRAPH : ctShow_Parse(word, length);
        found &= ~(unsigned)(ct_showBoxes | ct_showPending);
        if (found == 0 && !none) {
            return ctFail(error, ct_badArgument,
                          "--overlay knows contacts, trails, sleeping, energy, hodograph, time and none, not '%.*s'",
                          (int)(length < 60 ? length : 60), word);
        }
        *show |= found;
        word += length + (word[length] == ',' ? 1 : 0);
    }
    return true;
}

bool ctRecordOverlay_Check(const char *list, ctError *error)
{
    unsigned show;
    return parse(list, &show, error);
}

bool ctRecordOverlay_IsNeeded(const char *list, const ctScene *scene)
{
    const ctAnnotations *a = &scene->annotations;
    return list != NULL || a->show != 0 || a->labelCount > 0 || a->curveCount > 0 || a->histogramCount > 0;
}

// Lets the world report its impacts to the log. The bodies that the scene marks leave trails, or all bodies.
static bool watchPaths(ctRecordOverlay *overlay, const ctScene *scene, ctError *error)
{
    ctPathLog_Watch(&overlay->paths, scene->world);
    overlay->paths.on = (overlay->show & ct_showTrails) != 0;
    return ctTrails_Mark(&overlay->paths, scene) || ctFailMemory(error, "the overlay");
}

ctRecordOverlay *ctRecordOverlay_Create(const char *list, const ctScene *scene, int height, ctError *error)
{
    unsigned show = scene->annotations.show;
    if (list != NULL && !parse(list, &show, error)) {
        return NULL;
    }
    ctRecordOverlay *overlay = calloc(1, sizeof *overlay);
    if (overlay == NULL) {
        ctFailMemory(error, "the overlay");
        return NULL;
    }
    overlay->show = show;
    overlay->notes = list == NULL || strcmp(list, "none") != 0;
    overlay->scale = fmaxf(0.85f, (float)height / ORDINARY_HEIGHT);
    overlay->typicalMass = ctTypicalMass(scene->world);
    if (!watchPaths(overlay, scene, error) || !ctGui_Open(NULL, NULL, overlay->scale, error)) {
        ctPathLog_Free(&overlay->paths);
        free(overlay);
        return NULL;
    }
    ctRecordOverlay_Follow(overlay, scene);
    return overlay;
}

void ctRecordOverlay_Destroy(ctRecordOverlay *overlay)
{
    if (overlay != NULL) {
        ctGui_Close();
        ctHistory_Free(&overlay->history);
        ctFree(overlay->poses);
        ctFree(overlay->states);
        ctPathLog_Free(&overlay->paths);
        ctTrails_Free(&overlay->trails);
        ctSimState_Free(&overlay->state);
        free(overlay);
    }
}

void ctRecordOverlay_Follow(ctRecordOverlay *overlay, const ctScene *scene)
{
    ctStats stats = ctWorld_GetStats(scene->world);
    const ctImpact *impacts;
    int count = ctWorld_GetImpacts(scene->world, &impacts);
    ctHistory_AddSample(&overlay->history,
                        (ctSample){ctWorld_GetTime(scene->world), stats.kineticEnergy, stats.potentialEnergy, 0.0,
                                   stats.impacts, stats.asleep, stats.contacts});
    ctHistory_AddImpacts(&overlay->history, impacts, count);
    if (ctSimState_Capture(&overlay->state, scene->world, (ctCaptureWhat){0})) {
        ctPathLog_AddState(&overlay->paths, &overlay->state);
    }
    ctTrails_Take(&overlay->trails, &overlay->paths);
    // The hodograph shows the strongest impact of the frame.
    const ctImpact *best = NULL;
    for (int i = 0; i < count; i++) {
        if (best == NULL || ctLength(impacts[i].impulse) > ctLength(best->impulse)) {
            best = &impacts[i];
        }
    }
    if (best != NULL && (overlay->show & SHOW_HODOGRAPH) != 0) {
        ctImpactStudy_Make(&overlay->study, best);
        overlay->studied = true;
    }
}

// ---- drawing ----------------------------------------------------------------------------------

static void drawMarks(const ctRecordOverlay *overlay, const ctStage *stage, const ctView *view)
{
    const ctWorld *world = stage->scene->world;
    ctStats stats = ctWorld_GetStats(world);
    ctMarkScale scale = ctMarks_Scale(&stats, ctWorld_GetSettings(world).gravity, overlay->typicalMass,
                                      ctDistance(view->eye, view->target));
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts);
    ctMarks_Contacts(stage->renderer, contacts, count, scale);
    ctMarks_Impacts(stage->renderer, &overlay->history, ctWorld_GetTime(world), FADE_SECONDS, scale);
}

static void bodyName(const ctWorld *world, ctBodyId body, char *text, size_t size)
{
    const char *name = ctBody_GetName(world, body);
    snprintf(text, size, "%s", name[0] != '\0' ? name : "a body");
}

static void drawHodograph(const ctRecordOverlay *overlay, const ctWorld *world, float width)
{
    float unit = overlay->scale, w = 300.0f * unit, h = 330.0f * unit;
    ctRect place = {width - w - 12.0f * unit, 12.0f * unit, w, h};
    if (ctGui_BeginPanel("Strongest recent impact", NULL, place, ct_guiStay | ct_guiScrollless)) {
        if (overlay->studied) {
            const ctImpact *impact = &overlay->study.impact;
            char one[48], two[48];
            bodyName(world, impact->body1, one, sizeof one);
            bodyName(world, impact->body2, two, sizeof two);
            ctGui_Text("%s on %s, %.4f s", one, two, impact->time);
            ctDiagram_Hodograph(&overlay->study, ctGui_AvailableWidth(), 240.0f * unit, unit);
            ctGui_Text("impulse %.3g N s, energy lost %.3g J", ctLength(impact->impulse), impact->energyLost);
        } else {
            ctGui_TextFaint("no impact yet");
        }
    }
    ctGui_EndPanel();
}

static void drawNotes(const ctRecordOverlay *overlay, const ctScene *scene, const ctView *view, int width, int height)
{
    ctCanvasPart part = {view, (float)width, (float)height, {0.0f, 0.0f, (float)width, (float)height}, overlay->scale};
    ctGui_OnScreen(false);
    ctAnnotations_Labels(&part, &scene->annotations, overlay->poses, ctWorld_GetBodyCount(scene->world));
    ctAnnotations_Histograms(&part, scene, &overlay->state);
}

static void drawPanels(const ctRecordOverlay *overlay, const ctScene *scene, const ctView *view, int width, int height)
{
    float unit = overlay->scale;
    const ctWorld *world = scene->world;
    ctGui_BeginFrame(width, height);
    if (overlay->notes) {
        drawNotes(overlay, scene, view, width, height);
    }
    if ((overlay->show & ct_showEnergy) != 0) {
        ctRect place = {12.0f * unit, (float)height - 172.0f * unit, 420.0f * unit, 160.0f * unit};
        if (ctGui_BeginPanel("##energy", NULL, place, ct_guiBare | ct_guiStay | ct_guiScrollless)) {
            ctHistoryPlot_Draw(&overlay->history, ct_plotEnergy, ctGui_AvailableWidth(), ctGui_AvailableHeight(), 0.0,
                               unit);
        }
        ctGui_EndPanel();
    }
    if ((overlay->show & SHOW_HODOGRAPH) != 0) {
        drawHodograph(overlay, world, (float)width);
    }
    if ((overlay->show & ct_showTime) != 0) {
        char text[48];
        snprintf(text, sizeof text, "%.3f s", ctWorld_GetTime(world));
        float w, h, margin = 12.0f * unit;
        ctGui_OnScreen(true);
        ctGui_LabelSize(text, &w, &h);
        ctGui_Box((ctRect){margin, margin, w + 16.0f * unit, h + 8.0f * unit}, (ctRgba){0.08f, 0.09f, 0.11f, 0.75f},
                  4.0f * unit);
        ctGui_Label(margin + 8.0f * unit, margin + 4.0f * unit, 0.0f, (ctRgba){1.0f, 1.0f, 1.0f, 1.0f}, text);
    }
    ctGui_CloseFrame();
}

bool ctRecordOverlay_Compose(ctRecordOverlay *overlay, ctStage *stage, const ctView *view, const ctGhost *ghost,
                             ctError *error)
{
    if (!ctStage_Sync(stage, error)) {
        return false;
    }
    if (!ctReserve((void **)&overlay->poses, &overlay->poseCapacity, stage->count, sizeof *overlay->poses) ||
        !ctReserve((void **)&overlay->states, &overlay->stateCapacity, stage->count, sizeof *overlay->states)) {
        return ctFailMemory(error, "the bodies' poses");
    }
    ctStage_Capture(stage, overlay->poses, overlay->states);
    ctStage_Draw(stage, view, overlay->poses, (overlay->show & ct_showSleeping) != 0 ? overlay->states : NULL);
    ctStage_AddGhosts(stage, ghost, ctWorld_GetTime(stage->scene->world));
    if (overlay->notes) {
        ctMarks_Curves(stage->renderer, &stage->scene->annotations);
    }
    if ((overlay->show & ct_showTrails) != 0) {
        ctTrails_Draw(&overlay->trails, stage->renderer, view, HUGE_VAL);
    }
    if ((overlay->show & ct_showContacts) != 0) {
        drawMarks(overlay, stage, view);
    }
    int width, height;
    ctRenderer_GetSize(stage->renderer, &width, &height);
    drawPanels(overlay, stage->scene, view, width, height);
    return true;
}

bool ctRecordOverlay_Paint(const ctStage *stage, ctError *error)
{
    if (!ctRenderer_End(stage->renderer, error)) {
        return false;
    }
    ctRenderer_BindTarget(stage->renderer);
    ctGui_PaintFrame();
    return true;
}
