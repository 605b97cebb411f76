// The panel on the left: friction, restitution, parameters, laws, gravity, and the overlays.
#include "render/panels/panels.h"

#include "engine/impact/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One of the numbers of a pair.
typedef struct coefficient {
    const char *sign; // text before the slider
    const char *key;  // followed by the pair's name: the label by which tests find the slider
    double *value;
    double min, max;
    const char *format;
    bool logarithmic;
    const char *hint;
} coefficient;

// Two sliders side by side; b may be NULL.
static bool sliders(ctViewer *v, const char *pair, const coefficient *a, const coefficient *b)
{
    bool changed = false;
    float column = 0.5f * ctGui_AvailableWidth();
    for (int i = 0; i < 2; i++) {
        const coefficient *c = i == 0 ? a : b;
        if (c == NULL) {
            break;
        }
        float sign, height;
        ctGui_LabelSize(c->sign, &sign, &height);
        if (i == 1) {
            ctGui_SameLine(column + 14.0f * v->scale);
        }
        ctGui_AlignText();
        ctGui_Text("%s", c->sign);
        ctGui_SameLine(0.0f);
        char label[160];
        snprintf(label, sizeof label, "##%s %s", c->key, pair);
        ctGui_ItemWidth(column - sign - 16.0f * v->scale);
        changed = ctGui_Slider(label, c->value, c->min, c->max, c->format, c->logarithmic) || changed;
        ctGui_ItemWidth(0.0f);
        ctGui_Hint(c->hint);
    }
    return changed;
}

static bool frictionAndRestitution(ctViewer *v, const char *pair, double *mu, double *e)
{
    const coefficient a = {"μ", "mu", mu, 0.0, fmax(1.5, 1.5 * *mu), "%.3f", false, "Coefficient of friction"};
    const coefficient b = {"e", "e",    e,     0.0,
                           1.0, "%.3f", false, "Restitution: 0 stays down, 1 bounces back with all its energy"};
    return sliders(v, pair, &a, &b);
}

// Sliders of one pair; true when something changed.
static bool pairSliders(ctViewer *v, const char *name, ctCoefficients *pair)
{
    bool changed = frictionAndRestitution(v, name, &pair->friction, &pair->restitution);
    if (v->settings.law == ct_lawAlgebraic || v->settings.law == ct_lawComposite) {
        const coefficient et = {"e_t",  "et",  &pair->tangentialRestitution, -1.0, 1.0,
                                "%.3f", false, "Tangential restitution"};
        const coefficient sigma = {"σ", "sigma", &pair->sigma, 0.0,
                                   1.0, "%.3f",  false,        "Share of the algebraic law in the composite law"};
        changed = sliders(v, name, &et, v->settings.law == ct_lawComposite ? &sigma : NULL) || changed;
    }
    if (v->settings.law == ct_lawCompliant) {
        double ratio = ctEta2Of(pair->tangentialStiffness);
        const coefficient eta2 = {"η²", "eta2", &ratio, 0.05,
                                  20.0, "%.3g", true,   "Tangential over normal stiffness of the contact"};
        if (sliders(v, name, &eta2, NULL)) {
            pair->tangentialStiffness = ratio;
            changed = true;
        }
    }
    if (pair->rolling > 0.0 || pair->spinning > 0.0) {
        const coefficient rolling = {
            "roll", "rolling", &pair->rolling, 0.0,
            0.02,   "%.2g",    true,           "Rolling resistance (m): torque divided by the normal force"};
        const coefficient spinning = {
            "spin",
            "spinning",
            &pair->spinning,
            0.0,
            0.02,
            "%.2g",
            true,
            "Resistance to spinning about the normal (m): torque divided by the normal force"};
        changed = sliders(v, name, &rolling, &spinning) || changed;
    }
    return changed;
}

// One row that sets all pairs at once; its values are those of the first pair.
static void allPairs(ctViewer *v)
{
    ctSettings *s = &v->settings;
    double mu = s->pairs[0].value.friction, e = s->pairs[0].value.restitution, mu0 = mu, e0 = e;
    ctGui_TextColor((ctRgba){1.0f, 0.75f, 0.4f, 1.0f}, "every pair");
    if (frictionAndRestitution(v, "all", &mu, &e)) {
        for (int i = 0; i < s->pairCount; i++) {
            s->pairs[i].value.friction = mu != mu0 ? mu : s->pairs[i].value.friction;
            s->pairs[i].value.restitution = e != e0 ? e : s->pairs[i].value.restitution;
        }
        s->changed = true;
    }
}

static void pairRow(ctViewer *v, int index)
{
    ctSettings *s = &v->settings;
    ctPairRow *row = &s->pairs[index];
    char name[104];
    ctGui_PushId(index);
    snprintf(name, sizeof name, row->a.index == row->b.index ? "%s" : "%s – %s", row->nameA, row->nameB);
    ctGui_Text("%s", name);
    s->changed = pairSliders(v, name, &row->value) || s->changed;
    ctGui_PopId();
}

// Pairs that have met come first. The others, some of which may never meet, can be folded away.
static void materials(ctViewer *v)
{
    ctSettings *s = &v->settings;
    if (s->pairCount == 0 || !ctGui_Header("Materials", true)) {
        return;
    }
    if (s->pairCount > 1) {
        allPairs(v);
    }
    int met = ctSettings_CountMet(s);
    for (int i = 0; i < s->pairCount; i++) {
        if (s->pairs[i].met || met == 0) {
            pairRow(v, i);
        }
    }
    if (met == 0 || met == s->pairCount || !ctGui_Header("Have not met so far", true)) {
        return;
    }
    for (int i = 0; i < s->pairCount; i++) {
        if (!s->pairs[i].met) {
            pairRow(v, i);
        }
    }
}

static void parameters(ctViewer *v)
{
    ctSettings *s = &v->settings;
    if (s->paramCount == 0 || !ctGui_Header("Parameters", true)) {
        return;
    }
    ctGui_TextFaint("a change starts the scene again");
    ctGui_ItemWidth(-1.0f);
    for (int i = 0; i < s->paramCount; i++) {
        ctSceneParam *p = &s->params[i];
        ctGui_PushId(1000 + i);
        ctGui_TextWrapped(p->label != NULL && p->label[0] != '\0' ? p->label : p->name);
        char label[80];
        snprintf(label, sizeof label, "##%s", p->name);
        ctGui_Slider(label, &p->value, p->min, p->max, "%.4g", false);
        if (ctGui_ItemReleased()) {
            v->restart = true;
            ctViewer_Say(v, "started again with %s = %.4g", p->name, p->value);
        }
        ctGui_PopId();
    }
    ctGui_ItemWidth(0.0f);
}

static void physics(ctViewer *v)
{
    static const char *const laws[] = {"Stronge (energetic)", "Poisson (kinetic)", "algebraic (Chatterjee & Ruina)",
                                       "composite", "compliant (springs)"};
    static const char *const modes[] = {"islands", "microcollisions (Mirtich)"};
    ctSettings *s = &v->settings;
    if (!ctGui_Header("Physics", true)) {
        return;
    }
    ctGui_ItemWidth(-74.0f * v->scale);
    int law = (int)s->law, mode = (int)s->contact;
    if (ctGui_Combo("law", &law, laws, 5)) {
        s->law = (ctLaw)law;
        s->changed = true;
    }
    ctGui_Hint("The law of impact: what restitution means");
    if (ctGui_Combo("contact", &mode, modes, 2)) {
        s->contact = (ctContactMode)mode;
        s->changed = true;
    }
    ctGui_Hint("How sustained contact is computed");
    s->changed = ctGui_Slider("gravity", &s->gravity.z, -25.0, 5.0, "%.2f m/s²", false) || s->changed;
    ctGui_Hint("Along z; the Moon has -1.62, Mars -3.7");
    ctGui_ItemWidth(0.0f);
    if (ctGui_Button("Restore defaults", 0.0f, false)) {
        bool restart = false;
        for (int i = 0; i < s->paramCount; i++) {
            restart = restart || s->params[i].value != s->params[i].initial;
        }
        ctSettings_Restore(s);
        v->restart = v->restart || restart;
        ctViewer_Say(v, restart ? "defaults restored; started again" : "defaults restored");
    }
    ctGui_SameLine(0.0f);
    if (ctGui_Button("Copy as command", 0.0f, false)) {
        char text[4096];
        ctSettings_CommandLine(s, &v->sceneOptions, ctViewer_SceneWord(v), text, sizeof text);
        ctGui_Copy(text);
        v->copied = (int)strlen(text);
        ctViewer_Say(v, "copied: %.200s", text);
    }
    ctGui_Hint("Puts a command line that starts the scene with these settings on the clipboard");
    if (ctGui_Button("Save world", 0.0f, false)) {
        v->saveWorld = true;
    }
    ctGui_Hint("The world as it is now, into a file that clatter run opens: clatter-SCENE-001.snap (Ctrl+S)");
    ctGui_SameLine(0.0f);
    if (ctGui_Button("Copy as scene", 0.0f, false)) {
        v->copyScene = true;
    }
    ctGui_Hint("Puts a script that makes the world as it is now on the clipboard");
    if (v->options.copyLink != NULL) {
        ctGui_SameLine(0.0f);
        if (ctGui_Button("Copy link", 0.0f, false)) {
            v->options.copyLink();
            ctViewer_Say(v, "copied a link to this set-up");
        }
    }
}

static void display(ctViewer *v)
{
    if (!ctGui_Header("Show", false)) {
        return;
    }
    ctGui_Checkbox("contacts and impulses", &v->show.contacts);
    ctGui_Hint("Contact points with forces (green), impacts with impulses (orange). C");
    ctGui_Checkbox("swept boxes", &v->show.boxes);
    ctGui_Hint("The box that a body cannot leave in this frame unless it is hit. X");
    ctGui_Checkbox("pending pairs", &v->show.pending);
    ctGui_Hint("Pairs of bodies in the heap, with the time before which they cannot touch. P");
    ctGui_Checkbox("sleeping bodies in blue", &v->show.sleeping);
    ctGui_Hint("Z");
    if (ctGui_Checkbox("trails", &v->show.trails)) {
        ctTrails_Clear(&v->trails);
    }
    ctGui_Hint("T");
    if (ctGui_Checkbox("shadows", &v->show.shadows)) {
        ctRenderer_SetShadows(v->renderer, v->show.shadows);
    }
}

// The description of the scene: its first paragraph, the rest on demand.
static void about(const ctViewer *v)
{
    const char *text = v->scene->description, *rest = strstr(text, "\n\n");
    if (text[0] == '\0') {
        return;
    }
    ctGui_Paragraphs(text, rest != NULL ? (size_t)(rest - text) : strlen(text));
    if (rest != NULL && ctGui_Header("What to watch", false)) {
        ctGui_Paragraphs(rest + 2, strlen(rest + 2));
    }
}

static void counts(const ctViewer *v)
{
    const ctStats *s = &v->shown.stats;
    ctGui_Separator();
    ctGui_TextFaint("%d bodies, %d asleep, %d contacts", s->bodies, s->asleep, s->contacts);
    ctGui_TextFaint("%lld impacts, %lld microcollisions", (long long)s->impacts, (long long)s->microcollisions);
    ctGui_TextFaint("deepest overlap %.3g mm", 1e3 * s->maxPenetration);
}

void ctPanel_Tweak(ctViewer *v)
{
    float width, height;
    ctGui_GetSize(&width, &height);
    float top = 44.0f * v->scale, bottom = ctViewer_TimelineHeight(v) + 4.0f * v->scale;
    ctRect place = {6.0f * v->scale, top, 296.0f * v->scale, fmaxf(120.0f, height - top - bottom)};
    char title[160];
    snprintf(title, sizeof title, "%.120s###tweak", v->scene->title);
    bool open = ctGui_BeginPanel(title, NULL, place, ct_guiStay);
    ctViewer_Cover(v, ctGui_PanelRect());
    if (open) {
        if (v->printed[0] != '\0' && ctGui_Header("What the script says", true)) {
            ctGui_TextWrapped(v->printed);
        }
        about(v);
        parameters(v);
        ctPanel_Measures(&v->measures);
        ctPanel_Ghost(v);
        materials(v);
        physics(v);
        display(v);
        counts(v);
    }
    ctGui_EndPanel();
}
