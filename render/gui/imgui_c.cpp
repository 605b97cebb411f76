// The one file of C++: Dear ImGui with its SDL2 and OpenGL 3 back ends, behind render/gui/imgui_c.h.
#include "render/gui/imgui_c.h"

extern "C" {
#include "render/draw/gl_util.h"
}
#include "render/gui/font.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <imgui.h>

namespace
{
float scale = 1.0f;
bool hasWindow = false;
ImVec2 pointer(-1.0f, -1.0f);
unsigned buttons = 0;
ImDrawList *screen = nullptr; // the list for diagrams outside panels
ctGuiWidgetFn *onWidget = nullptr;
void *widgetContext = nullptr;
ctGuiWidgetFn *onLabel = nullptr;
void *labelContext = nullptr;
char panelName[64] = "";

ImU32 pack(ctRgba c)
{
    return ImGui::ColorConvertFloat4ToU32(ImVec4(c.r, c.g, c.b, c.a));
}

ImDrawList *drawing()
{
    return screen != nullptr ? screen : ImGui::GetWindowDrawList();
}

void report(const char *label)
{
    if (onWidget != nullptr && ImGui::IsItemVisible()) {
        ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
        onWidget(widgetContext, panelName, label, ctRect{lo.x, lo.y, hi.x - lo.x, hi.y - lo.y});
    }
}

void setColors()
{
    ImGui::StyleColorsDark();
    ImGuiStyle &s = ImGui::GetStyle();
    s.WindowRounding = 6.0f;
    s.FrameRounding = 4.0f;
    s.GrabRounding = 4.0f;
    s.TabRounding = 4.0f;
    s.ScrollbarSize = 11.0f;
    s.WindowBorderSize = 0.0f;
    s.WindowPadding = ImVec2(10.0f, 8.0f);
    s.ItemSpacing = ImVec2(7.0f, 5.0f);
    s.FramePadding = ImVec2(7.0f, 3.0f);
    s.Colors[ImGuiCol_WindowBg] = ImVec4(0.085f, 0.095f, 0.115f, 0.93f);
    s.Colors[ImGuiCol_PopupBg] = ImVec4(0.10f, 0.11f, 0.135f, 0.97f);
    s.Colors[ImGuiCol_FrameBg] = ImVec4(0.19f, 0.215f, 0.255f, 1.0f);
    s.Colors[ImGuiCol_FrameBgHovered] = ImVec4(0.25f, 0.285f, 0.34f, 1.0f);
    s.Colors[ImGuiCol_FrameBgActive] = ImVec4(0.28f, 0.33f, 0.4f, 1.0f);
    s.Colors[ImGuiCol_TitleBg] = ImVec4(0.12f, 0.135f, 0.165f, 1.0f);
    s.Colors[ImGuiCol_TitleBgActive] = ImVec4(0.15f, 0.175f, 0.22f, 1.0f);
    s.GrabMinSize = 8.0f;
    s.Colors[ImGuiCol_SliderGrab] = ImVec4(0.86f, 0.5f, 0.16f, 1.0f);
    s.Colors[ImGuiCol_SliderGrabActive] = ImVec4(0.98f, 0.62f, 0.22f, 1.0f);
    s.Colors[ImGuiCol_CheckMark] = ImVec4(0.98f, 0.62f, 0.22f, 1.0f);
    s.Colors[ImGuiCol_Button] = ImVec4(0.22f, 0.25f, 0.3f, 1.0f);
    s.Colors[ImGuiCol_ButtonHovered] = ImVec4(0.3f, 0.35f, 0.42f, 1.0f);
    s.Colors[ImGuiCol_ButtonActive] = ImVec4(0.85f, 0.5f, 0.16f, 1.0f);
    s.Colors[ImGuiCol_Header] = ImVec4(0.2f, 0.23f, 0.28f, 1.0f);
    s.Colors[ImGuiCol_HeaderHovered] = ImVec4(0.27f, 0.31f, 0.38f, 1.0f);
    s.Colors[ImGuiCol_HeaderActive] = ImVec4(0.32f, 0.37f, 0.45f, 1.0f);
    s.Colors[ImGuiCol_Tab] = ImVec4(0.16f, 0.18f, 0.22f, 1.0f);
    s.Colors[ImGuiCol_TabHovered] = ImVec4(0.62f, 0.4f, 0.18f, 1.0f);
    s.Colors[ImGuiCol_TabActive] = ImVec4(0.5f, 0.32f, 0.14f, 1.0f);
    s.Colors[ImGuiCol_Text] = ImVec4(0.92f, 0.93f, 0.95f, 1.0f);
    s.Colors[ImGuiCol_TextDisabled] = ImVec4(0.58f, 0.62f, 0.68f, 1.0f);
    s.ScaleAllSizes(scale);
}

// DejaVu Sans has the Greek letters, the arrows and the signs of play and pause.
bool addFont(ctError *error)
{
    static const ImWchar ranges[] = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2000, 0x209F, 0x2190, 0x22FF,
                                     0x2300, 0x23FF, 0x25A0, 0x25FF, 0x2700, 0x27BF, 0};
    char *path = ctFont_Find();
    if (path == nullptr) {
        return ctFail(error, ct_io, "the font DejaVuSans.ttf is missing; on Debian: apt install fonts-dejavu-core");
    }
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    bool added = ImGui::GetIO().Fonts->AddFontFromFileTTF(path, 14.5f * scale, &config, ranges) != nullptr;
    if (!added) {
        ctFail(error, ct_io, "%s: not a font", path);
    }
    free(path);
    return added;
}
} // namespace

bool ctGui_Open(SDL_Window *window, void *glContext, float s, ctError *error)
{
    scale = s > 0.1f ? s : 1.0f;
    hasWindow = window != nullptr;
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigDragClickToInputText = true; // a single click edits: at low frame rates double clicks are not recognised
    setColors();
    if (!addFont(error)) {
        ImGui::DestroyContext();
        return false;
    }
    if (hasWindow) {
        ImGui_ImplSDL2_InitForOpenGL(window, glContext);
    }
    ImGui_ImplOpenGL3_Init(ctGl_IsEmbedded() ? "#version 300 es" : "#version 330 core");
    return true;
}

bool ctGui_IsOpen(void)
{
    return ImGui::GetCurrentContext() != nullptr;
}

void ctGui_Close(void)
{
    if (ctGui_IsOpen()) {
        ImGui_ImplOpenGL3_Shutdown();
        if (hasWindow) {
            ImGui_ImplSDL2_Shutdown();
        }
        ImGui::DestroyContext();
    }
}

void ctGui_Event(const SDL_Event *event)
{
    ImGui_ImplSDL2_ProcessEvent(event);
}

void ctGui_Pointer(float x, float y, unsigned down)
{
    pointer = ImVec2(x, y);
    buttons = down;
}

bool ctGui_WantsMouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}

bool ctGui_WantsKeyboard(void)
{
    return ImGui::GetIO().WantTextInput;
}

void ctGui_BeginFrame(int width, int height)
{
    ImGui_ImplOpenGL3_NewFrame();
    if (hasWindow) {
        ImGui_ImplSDL2_NewFrame();
        // The picture is drawn in pixels, also when the window's units are larger. Pointer and buttons are those of the
        // last event handled, not the present ones: further clicks may be waiting.
        ImGuiIO &io = ImGui::GetIO();
        io.MousePos = pointer;
        for (int i = 0; i < 3; i++) {
            io.MouseDown[i] = (buttons >> i & 1u) != 0;
        }
        io.DisplayFramebufferScale = ImVec2(1.0f, 1.0f);
        io.DeltaTime = io.DeltaTime > 1e-5f ? io.DeltaTime : 1e-5f;
    } else {
        ImGui::GetIO().DeltaTime = 1.0f / 60.0f;
    }
    ImGui::GetIO().DisplaySize = ImVec2((float)width, (float)height);
    ImGui::NewFrame();
    screen = nullptr;
}

void ctGui_CloseFrame(void)
{
    screen = nullptr;
    ImGui::Render();
}

void ctGui_PaintFrame(void)
{
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void ctGui_EndFrame(void)
{
    ctGui_CloseFrame();
    ctGui_PaintFrame();
}

void ctGui_DropFrame(void)
{
    screen = nullptr;
    ImGui::EndFrame();
}

void ctGui_GetSize(float *width, float *height)
{
    *width = ImGui::GetIO().DisplaySize.x;
    *height = ImGui::GetIO().DisplaySize.y;
}

void ctGui_OnWidget(ctGuiWidgetFn *fn, void *context)
{
    onWidget = fn;
    widgetContext = context;
}

void ctGui_OnLabel(ctGuiWidgetFn *fn, void *context)
{
    onLabel = fn;
    labelContext = context;
}

// ---- panels -----------------------------------------------------------------------------------

bool ctGui_BeginPanel(const char *title, bool *open, ctRect place, int flags)
{
    screen = nullptr;
    ImGuiWindowFlags f =
        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;
    bool stay = (flags & ct_guiStay) != 0;
    f |= (flags & ct_guiBare) != 0 ? ImGuiWindowFlags_NoTitleBar : 0;
    f |= (flags & ct_guiFit) != 0 ? ImGuiWindowFlags_AlwaysAutoResize : 0;
    f |= stay ? ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse : 0;
    f |= (flags & ct_guiGhost) != 0 ? ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground : 0;
    f |= (flags & ct_guiScrollless) != 0 ? ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse : 0;
    ImGuiCond when = stay ? ImGuiCond_Always : ImGuiCond_Appearing;
    // Without a width the panel fits its content, and x is its right edge.
    ImGui::SetNextWindowPos(ImVec2(place.x, place.y), when, ImVec2(place.w > 0.0f ? 0.0f : 1.0f, 0.0f));
    // With a width but no height, the height fits the content.
    if (place.w > 0.0f) {
        ImGui::SetNextWindowSize(ImVec2(place.w, place.h), when);
    }
    if ((flags & ct_guiSolid) != 0) {
        ImGui::SetNextWindowBgAlpha(0.99f);
    }
    // The text after ### is ImGui's id of the panel, whatever its title.
    const char *hidden = std::strstr(title, "###");
    int length = hidden != nullptr ? (int)(hidden - title) : (int)std::strlen(title);
    std::snprintf(panelName, sizeof panelName, "%.*s", length, title);
    return ImGui::Begin(title, open, f);
}

void ctGui_EndPanel(void)
{
    ImGui::End();
    panelName[0] = '\0';
}

ctRect ctGui_PanelRect(void)
{
    ImVec2 p = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    return ctRect{p.x, p.y, size.x, size.y};
}

void ctGui_BeginChild(const char *id, float width, float height)
{
    ImGui::BeginChild(id, ImVec2(width, height));
}

void ctGui_EndChild(void)
{
    ImGui::EndChild();
}

// ---- widgets ----------------------------------------------------------------------------------

void ctGui_Text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ImGui::TextV(format, args);
    va_end(args);
}

void ctGui_TextColor(ctRgba color, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ImGui::TextColoredV(ImVec4(color.r, color.g, color.b, color.a), format, args);
    va_end(args);
}

void ctGui_TextFaint(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ImGui::TextDisabledV(format, args);
    va_end(args);
}

void ctGui_TextIn(float width, const char *text)
{
    float rest = width - ImGui::CalcTextSize(text).x;
    ImGui::TextUnformatted(text);
    ImGui::SameLine(0.0f, 0.0f);
    ImGui::Dummy(ImVec2(rest > 0.0f ? rest : 0.0f, 0.0f));
}

void ctGui_TextWrapped(const char *text)
{
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

void ctGui_Paragraphs(const char *text, size_t length)
{
    char flat[4096];
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < sizeof flat; i++) {
        bool paragraph = text[i] == '\n' && ((i + 1 < length && text[i + 1] == '\n') || (i > 0 && text[i - 1] == '\n'));
        flat[n++] = text[i] == '\n' && !paragraph ? ' ' : text[i];
    }
    flat[n] = '\0';
    ctGui_TextWrapped(flat);
}

void ctGui_AlignText(void)
{
    ImGui::AlignTextToFramePadding();
}

void ctGui_Separator(void)
{
    ImGui::Separator();
}

void ctGui_Space(float height)
{
    ImGui::Dummy(ImVec2(0.0f, height));
}

void ctGui_SameLine(float x)
{
    ImGui::SameLine(x);
}

void ctGui_SameLineIfFits(float x, const char *text)
{
    const ImGuiStyle &style = ImGui::GetStyle();
    float after = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + style.ItemSpacing.x;
    float start = x > after ? x : after;
    if (start + ImGui::CalcTextSize(text).x <= ImGui::GetContentRegionMax().x) {
        ImGui::SameLine(start);
    }
}

bool ctGui_Button(const char *label, float width, bool lit)
{
    if (lit) {
        ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.78f, 0.46f, 0.14f, 1.0f));
    }
    bool pressed = ImGui::Button(label, ImVec2(width, 0.0f));
    if (lit) {
        ImGui::PopStyleColor();
    }
    report(label);
    return pressed;
}

bool ctGui_Checkbox(const char *label, bool *value)
{
    bool changed = ImGui::Checkbox(label, value);
    report(label);
    return changed;
}

bool ctGui_SliderBar(const char *label, double *value, double min, double max, bool logarithmic)
{
    ImGuiSliderFlags flags =
        ImGuiSliderFlags_NoRoundToFormat | ImGuiSliderFlags_NoInput | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    bool changed = ImGui::SliderScalar(label, ImGuiDataType_Double, value, &min, &max, "", flags);
    report(label);
    return changed;
}

// The field of the number is wide enough for the numbers at both ends, so that it does not move with the knob.
static float numberWidth(double min, double max, const char *format)
{
    char low[64], high[64];
    std::snprintf(low, sizeof low, format, min);
    std::snprintf(high, sizeof high, format, max);
    float a = ImGui::CalcTextSize(low).x, b = ImGui::CalcTextSize(high).x, least = 3.1f * ImGui::GetFontSize();
    float widest = a > b ? a : b;
    return (widest > least ? widest : least) + ImGui::GetStyle().FramePadding.x;
}

bool ctGui_Slider(const char *label, double *value, double min, double max, const char *format, bool logarithmic)
{
    float gap = 0.5f * ImGui::GetStyle().ItemSpacing.x, number = numberWidth(min, max, format);
    float bar = ImGui::CalcItemWidth() - number - gap, least = 2.0f * ImGui::GetFontSize();
    const char *hidden = std::strstr(label, "##");
    char name[160];
    ImGui::PushID(label);
    ImGui::BeginGroup();
    ImGui::SetNextItemWidth(bar > least ? bar : least);
    std::snprintf(name, sizeof name, "%s%s", hidden != nullptr ? "" : "##", label);
    bool changed = ctGui_SliderBar(name, value, min, max, logarithmic);
    ImGui::SameLine(0.0f, gap);
    ImGui::SetNextItemWidth(number);
    std::snprintf(name, sizeof name, "%s%s number", hidden != nullptr ? "" : "##", label);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0.13f, 0.145f, 0.175f, 1.0f));
    changed = ImGui::DragScalar(name, ImGuiDataType_Double, value, (float)(0.002 * (max - min)), &min, &max, format,
                                ImGuiSliderFlags_NoRoundToFormat | ImGuiSliderFlags_AlwaysClamp |
                                    (logarithmic ? ImGuiSliderFlags_Logarithmic : 0)) ||
              changed;
    ImGui::PopStyleColor();
    report(name);
    if (hidden == nullptr) {
        ImGui::SameLine(0.0f, ImGui::GetStyle().ItemInnerSpacing.x);
        ImGui::TextUnformatted(label);
    }
    ImGui::EndGroup();
    ImGui::PopID();
    return changed;
}

bool ctGui_Vector(const char *label, double v[3], double step)
{
    bool changed = ImGui::DragScalarN(label, ImGuiDataType_Double, v, 3, (float)step, nullptr, nullptr, "%.4g");
    report(label);
    return changed;
}

bool ctGui_Combo(const char *label, int *current, const char *const *items, int count)
{
    bool changed = false;
    bool open = ImGui::BeginCombo(label, *current >= 0 && *current < count ? items[*current] : "");
    report(label);
    if (open) {
        for (int i = 0; i < count; i++) {
            if (ImGui::Selectable(items[i], i == *current)) {
                changed = i != *current;
                *current = i;
            }
            report(items[i]);
        }
        ImGui::EndCombo();
    }
    return changed;
}

bool ctGui_Selectable(const char *label, bool selected)
{
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 0.75f, 0.4f, 1.0f));
    bool pressed = ImGui::Selectable(label, selected);
    ImGui::PopStyleColor();
    report(label);
    return pressed;
}

bool ctGui_PictureButton(unsigned texture, float width, float height, const char *label, bool lit)
{
    ImVec2 p = ImGui::GetCursorScreenPos();
    float line = ImGui::GetTextLineHeightWithSpacing();
    bool pressed = ImGui::InvisibleButton(label, ImVec2(width, height + line));
    bool hovered = ImGui::IsItemHovered();
    report(label);
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 end(p.x + width, p.y + height);
    if (texture != 0) {
        list->AddImage((ImTextureID)(intptr_t)texture, p, end);
    } else {
        list->AddRectFilled(p, end, IM_COL32(60, 66, 78, 255));
    }
    if (lit || hovered) {
        list->AddRect(p, end, lit ? IM_COL32(240, 150, 50, 255) : IM_COL32(200, 205, 215, 255), 2.0f, 0, 2.0f);
    }
    list->AddText(ImVec2(p.x + 2.0f, end.y + 1.0f), lit ? IM_COL32(255, 190, 100, 255) : IM_COL32(235, 238, 242, 255),
                  label);
    return pressed;
}

bool ctGui_Header(const char *label, bool openAtFirst)
{
    bool open = ImGui::CollapsingHeader(label, openAtFirst ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    report(label);
    return open;
}

bool ctGui_BeginTabs(const char *id)
{
    return ImGui::BeginTabBar(id);
}

bool ctGui_BeginTab(const char *label)
{
    bool open = ImGui::BeginTabItem(label);
    report(label);
    return open;
}

void ctGui_EndTab(void)
{
    ImGui::EndTabItem();
}

void ctGui_EndTabs(void)
{
    ImGui::EndTabBar();
}

void ctGui_Hint(const char *text)
{
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(26.0f * ImGui::GetFontSize());
        ImGui::TextUnformatted(text);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

bool ctGui_ItemReleased(void)
{
    return ImGui::IsItemDeactivatedAfterEdit();
}

void ctGui_ItemWidth(float width)
{
    static bool pushed = false;
    if (pushed) {
        ImGui::PopItemWidth();
    }
    pushed = width != 0.0f;
    if (pushed) {
        ImGui::PushItemWidth(width);
    }
}

void ctGui_PushId(int id)
{
    ImGui::PushID(id);
}

void ctGui_PopId(void)
{
    ImGui::PopID();
}

void ctGui_BeginDisabled(bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void ctGui_EndDisabled(void)
{
    ImGui::EndDisabled();
}

void ctGui_Copy(const char *text)
{
    ImGui::SetClipboardText(text);
}

float ctGui_AvailableWidth(void)
{
    return ImGui::GetContentRegionAvail().x;
}

float ctGui_AvailableHeight(void)
{
    return ImGui::GetContentRegionAvail().y;
}

// ---- diagrams ---------------------------------------------------------------------------------

ctRect ctGui_Canvas(const char *id, float width, float height, bool *hovered, float *mouseX, float *mouseY)
{
    ImVec2 p = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, ImVec2(width, height));
    report(id);
    if (hovered != nullptr) {
        *hovered = ImGui::IsItemHovered();
    }
    if (mouseX != nullptr && mouseY != nullptr) {
        *mouseX = ImGui::GetIO().MousePos.x;
        *mouseY = ImGui::GetIO().MousePos.y;
    }
    return ctRect{p.x, p.y, width, height};
}

bool ctGui_CanvasPointer(float *x, float *y, float *wheel)
{
    const ImGuiIO &io = ImGui::GetIO();
    *x = io.MousePos.x;
    *y = io.MousePos.y;
    *wheel = ImGui::IsItemHovered() ? io.MouseWheel : 0.0f;
    return ImGui::IsItemHovered() || ImGui::IsItemActive();
}

bool ctGui_CanvasHeld(void)
{
    return ImGui::IsItemActive();
}

void ctGui_Clip(ctRect rect)
{
    drawing()->PushClipRect(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.w, rect.y + rect.h), true);
}

void ctGui_Unclip(void)
{
    drawing()->PopClipRect();
}

void ctGui_Line(float x0, float y0, float x1, float y1, ctRgba color, float width)
{
    drawing()->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), pack(color), width);
}

void ctGui_Polyline(const float *xy, int count, ctRgba color, float width)
{
    ImDrawList *list = drawing();
    for (int i = 0; i < count; i++) {
        list->PathLineTo(ImVec2(xy[2 * i], xy[2 * i + 1]));
    }
    list->PathStroke(pack(color), 0, width);
}

void ctGui_Quad(const float xy[8], ctRgba color)
{
    // Neighbours share their edges: antialiased edges would be visible as lines.
    ImDrawList *list = drawing();
    ImDrawListFlags flags = list->Flags;
    list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    list->AddQuadFilled(ImVec2(xy[0], xy[1]), ImVec2(xy[2], xy[3]), ImVec2(xy[4], xy[5]), ImVec2(xy[6], xy[7]),
                        pack(color));
    list->Flags = flags;
}

void ctGui_Box(ctRect r, ctRgba color, float rounding)
{
    drawing()->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h), pack(color), rounding);
}

void ctGui_Disc(float x, float y, float radius, ctRgba color)
{
    drawing()->AddCircleFilled(ImVec2(x, y), radius, pack(color));
}

void ctGui_Circle(float x, float y, float radius, ctRgba color, float width)
{
    drawing()->AddCircle(ImVec2(x, y), radius, pack(color), 0, width);
}

void ctGui_Arrow(float x0, float y0, float x1, float y1, ctRgba color, float width)
{
    float dx = x1 - x0, dy = y1 - y0, length = SDL_sqrtf(dx * dx + dy * dy), head = 4.0f * width;
    if (length < 1e-3f) {
        return;
    }
    dx /= length;
    dy /= length;
    head = head < 0.6f * length ? head : 0.6f * length;
    float bx = x1 - dx * head, by = y1 - dy * head, s = 0.45f * head;
    drawing()->AddLine(ImVec2(x0, y0), ImVec2(bx, by), pack(color), width);
    drawing()->AddTriangleFilled(ImVec2(x1, y1), ImVec2(bx - dy * s, by + dx * s), ImVec2(bx + dy * s, by - dx * s),
                                 pack(color));
}

void ctGui_Label(float x, float y, float align, ctRgba color, const char *text)
{
    ImVec2 size = ImGui::CalcTextSize(text);
    drawing()->AddText(ImVec2(x - align * size.x, y), pack(color), text);
    if (onLabel != nullptr) {
        const char *where = screen != nullptr ? "picture" : panelName;
        onLabel(labelContext, where, text, ctRect{x - align * size.x, y, size.x, size.y});
    }
}

void ctGui_LabelSize(const char *text, float *width, float *height)
{
    ImVec2 size = ImGui::CalcTextSize(text);
    *width = size.x;
    *height = size.y;
}

float ctGui_LineHeight(void)
{
    return ImGui::GetTextLineHeight();
}

void ctGui_OnScreen(bool foreground)
{
    screen = foreground ? ImGui::GetForegroundDrawList() : ImGui::GetBackgroundDrawList();
}
