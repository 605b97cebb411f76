// Dear ImGui behind a C interface: the panels, and drawing of diagrams inside them. One context per process.
// Lengths are in units of the interface, which its scale turns into pixels.
#ifndef CT_IMGUI_C_H
#define CT_IMGUI_C_H

#include "collision/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct SDL_Window;
union SDL_Event;

typedef struct ctRgba {
    float r, g, b, a;
} ctRgba;

typedef struct ctRect {
    float x, y, w, h;
} ctRect;

// ---- life -------------------------------------------------------------------------------------

// window NULL: no input, for drawing panels into a recording. scale multiplies everything (2 on dense displays).
// Needs a current OpenGL context.
bool ctGui_Open(struct SDL_Window *window, void *glContext, float scale, ctError *error);
void ctGui_Close(void);
bool ctGui_IsOpen(void);
void ctGui_Event(const union SDL_Event *event);
// Sets the pointer's place in pixels and the buttons that are down (bit 0: left), as of the last event handled.
void ctGui_Pointer(float x, float y, unsigned buttons);
bool ctGui_WantsMouse(void);
bool ctGui_WantsKeyboard(void);
// width and height of the picture in pixels; used only without a window.
void ctGui_BeginFrame(int width, int height);
void ctGui_CloseFrame(void); // ends the frame
void ctGui_PaintFrame(void); // draws the frame that was ended last into the bound framebuffer
void ctGui_EndFrame(void);   // ctGui_CloseFrame and ctGui_PaintFrame
void ctGui_DropFrame(void);  // ends the frame without drawing it: widgets have processed the pointer and the buttons
void ctGui_GetSize(float *width, float *height);

// The places of widgets, for tests that click on them. The function is called for each enabled widget.
typedef void ctGuiWidgetFn(void *context, const char *panel, const char *label, ctRect rect);
void ctGui_OnWidget(ctGuiWidgetFn *fn, void *context);
// The texts of ctGui_Label, for tests that read them. Labels over the picture have the panel "picture".
void ctGui_OnLabel(ctGuiWidgetFn *fn, void *context);

// ---- panels -----------------------------------------------------------------------------------

enum {
    ct_guiBare = 1,        // no title bar
    ct_guiFit = 2,         // as large as its content
    ct_guiStay = 4,        // may not be moved or resized
    ct_guiGhost = 8,       // takes no input, clear background
    ct_guiScrollless = 16, // no scroll bar
    ct_guiSolid = 32,      // opaque background
};
// open may be NULL. Always call ctGui_EndPanel. Draw the content only when ctGui_BeginPanel returns true.
bool ctGui_BeginPanel(const char *title, bool *open, ctRect place, int flags);
void ctGui_EndPanel(void);
ctRect ctGui_PanelRect(void); // of the panel begun last; of a folded panel: its title
void ctGui_BeginChild(const char *id, float width, float height);
void ctGui_EndChild(void);

// ---- widgets ----------------------------------------------------------------------------------

void ctGui_Text(const char *format, ...) CT_PRINTF(1, 2);
void ctGui_TextColor(ctRgba color, const char *format, ...) CT_PRINTF(2, 3);
void ctGui_TextFaint(const char *format, ...) CT_PRINTF(1, 2);
void ctGui_TextIn(float width, const char *text); // in a field of at least that width: the next widgets do not move
void ctGui_TextWrapped(const char *text);
// The first `length` characters of a text, wrapped. The lines of a paragraph are joined; empty lines stay.
void ctGui_Paragraphs(const char *text, size_t length);
void ctGui_AlignText(void); // aligns the next text vertically with the widget after it
void ctGui_Separator(void);
void ctGui_Space(float height);
void ctGui_SameLine(float x); // 0: directly after the last widget
// The next text follows the last widget, at x or further right, where it fits on that line. Else it begins a line.
void ctGui_SameLineIfFits(float x, const char *text);
bool ctGui_Button(const char *label, float width, bool lit);
bool ctGui_Checkbox(const char *label, bool *value);
// A bar with a knob, without its number. True while it changes.
bool ctGui_SliderBar(const char *label, double *value, double min, double max, bool logarithmic);
// The same followed by its number, which can be dragged or, after a click, typed. Tests find the bar by its label, and
// the number by the label followed by " number".
bool ctGui_Slider(const char *label, double *value, double min, double max, const char *format, bool logarithmic);
// Three numbers to drag or, after a click, to type. True when they have changed.
bool ctGui_Vector(const char *label, double v[3], double step);
bool ctGui_Combo(const char *label, int *current, const char *const *items, int count);
bool ctGui_Selectable(const char *label, bool selected);
// A picture (an OpenGL texture, its first row at the top; 0: a plain field) with its label below, as one button.
bool ctGui_PictureButton(unsigned texture, float width, float height, const char *label, bool lit);
bool ctGui_Header(const char *label, bool openAtFirst);
bool ctGui_BeginTabs(const char *id);
bool ctGui_BeginTab(const char *label);
void ctGui_EndTab(void);
void ctGui_EndTabs(void);
void ctGui_Hint(const char *text); // shown when the pointer rests on the last widget
bool ctGui_ItemReleased(void);     // the last widget was in use and has just been released
void ctGui_ItemWidth(float width); // of the next widgets; 0: the default; negative: leave this much on the right
void ctGui_PushId(int id);
void ctGui_PopId(void);
void ctGui_BeginDisabled(bool disabled);
void ctGui_EndDisabled(void);
void ctGui_Copy(const char *text); // to the clipboard
float ctGui_AvailableWidth(void);
float ctGui_AvailableHeight(void);

// ---- diagrams ---------------------------------------------------------------------------------

// Reserves an area of the panel. *hovered and the pointer's place in it are optional.
ctRect ctGui_Canvas(const char *id, float width, float height, bool *hovered, float *mouseX, float *mouseY);
// Whether the pointer is over the last canvas; its place there, and the turn of its wheel since the last frame.
bool ctGui_CanvasPointer(float *x, float *y, float *wheel);
bool ctGui_CanvasHeld(void); // the pointer is held down on the last canvas
void ctGui_Clip(ctRect rect);
void ctGui_Unclip(void);
void ctGui_Line(float x0, float y0, float x1, float y1, ctRgba color, float width);
void ctGui_Polyline(const float *xy, int count, ctRgba color, float width);
void ctGui_Quad(const float xy[8], ctRgba color);
void ctGui_Box(ctRect rect, ctRgba color, float rounding);
void ctGui_Disc(float x, float y, float radius, ctRgba color);
void ctGui_Circle(float x, float y, float radius, ctRgba color, float width);
void ctGui_Arrow(float x0, float y0, float x1, float y1, ctRgba color, float width);
// align: 0 left, 0.5 centred, 1 right of x.
void ctGui_Label(float x, float y, float align, ctRgba color, const char *text);
void ctGui_LabelSize(const char *text, float *width, float *height);
float ctGui_LineHeight(void);
// After this call, the functions above draw outside panels until the end of the frame or the next panel. foreground:
// over all panels.
void ctGui_OnScreen(bool foreground);

#ifdef __cplusplus
}
#endif

#endif
