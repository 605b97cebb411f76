// The picture of a sweep: the layout of the axes, and the panels.
#include "app/sweep/plot.h"

#include "collision/error.h"
#include "engine/impact/impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PANELS = 64 };

// The layout of the page.
typedef struct Layout {
    const ctSweep *sweep;
    const double *measured;
    int x, y;                              // axes of the panels; y -1: a curve of the measure
    int facets[CT_SWEEP_AXES];             // the other axes, small multiples
    int facetCount, panels, columns, rows; // panels of one measure
    double width, height;                  // of a panel
    int blockColumns;                      // number of measures side by side
    double blockWidth, blockHeight;        // of a measure
} Layout;

static const double marginLeft = 82.0, marginTop = 44.0, gapX = 86.0, gapY = 84.0, legendWidth = 96.0;

static bool isCategory(const ctSweepAxis *axis)
{
    return axis->kind == ct_axisLaw;
}

// The first two numeric axes become x and y; the others make small multiples.
static Layout layOut(const ctSweep *s, const double *measured)
{
    Layout l = {.sweep = s, .measured = measured, .x = -1, .y = -1, .panels = 1};
    for (int i = 0; i < s->axisCount; i++) {
        if (!isCategory(&s->axes[i]) && l.x < 0) {
            l.x = i;
        } else if (!isCategory(&s->axes[i]) && l.y < 0) {
            l.y = i;
        } else {
            l.facets[l.facetCount++] = i;
        }
    }
    if (l.x < 0) { // only laws are varied
        l.x = l.facets[0];
        memmove(l.facets, l.facets + 1, (size_t)--l.facetCount * sizeof *l.facets);
    }
    for (int i = 0; i < l.facetCount && s->random == 0; i++) {
        l.panels *= s->axes[l.facets[i]].count;
        l.panels = l.panels > MAX_PANELS ? MAX_PANELS + 1 : l.panels;
    }
    l.columns = l.panels == 1 ? 1 : (int)ceil(sqrt((double)l.panels));
    l.rows = (l.panels + l.columns - 1) / l.columns;
    l.width = l.panels == 1 ? 470.0 : 230.0;
    l.height = l.panels == 1 ? (l.y >= 0 ? 390.0 : 300.0) : 190.0;
    l.blockColumns = l.panels == 1 && s->measureCount > 1 ? 2 : 1;
    l.blockWidth = marginLeft + l.columns * (l.width + gapX) - gapX + (l.y >= 0 ? legendWidth : 28.0);
    l.blockHeight = 26.0 + l.rows * (l.height + gapY);
    return l;
}

bool ctSweep_CheckPlot(const ctSweep *s, const char *path, ctError *error)
{
    size_t n = strlen(path);
    if (n < 5 || (strcmp(path + n - 4, ".svg") != 0 && strcmp(path + n - 4, ".png") != 0)) {
        return ctFail(error, ct_badArgument, "--plot takes FILE.svg or FILE.png, not '%.80s'", path);
    }
    if (s->parts > 1) {
        return ctFail(error, ct_badArgument,
                      "--plot needs the whole sweep, not a part: merge the parts, then --resume");
    }
    if (layOut(s, NULL).panels > MAX_PANELS) {
        return ctFail(error, ct_badArgument, "--plot: more than %d panels; vary less", MAX_PANELS);
    }
    return true;
}

static double measuredAt(const Layout *l, int run, int measure)
{
    return l->measured[(size_t)run * (size_t)l->sweep->measureCount + (size_t)measure];
}

// The values of all repeats of a point, sorted; returns how many.
static int valuesAt(const Layout *l, int point, int measure, double *values)
{
    for (int k = 0; k < l->sweep->repeats; k++) {
        values[k] = measuredAt(l, point * l->sweep->repeats + k, measure);
    }
    return ctSortValues(values, l->sweep->repeats);
}

static double meanAt(const Layout *l, int point, int measure)
{
    double sum = 0.0;
    int n = 0;
    for (int k = 0; k < l->sweep->repeats; k++) {
        double x = measuredAt(l, point * l->sweep->repeats + k, measure);
        sum += isnan(x) ? 0.0 : x;
        n += !isnan(x);
    }
    return n > 0 ? sum / n : NAN;
}

// The point of a grid with these indices along x and y, in a panel.
static int pointOf(const Layout *l, int panel, int ix, int iy)
{
    const ctSweep *s = l->sweep;
    int index[CT_SWEEP_AXES] = {0};
    index[l->x] = ix;
    if (l->y >= 0) {
        index[l->y] = iy;
    }
    for (int i = l->facetCount - 1; i >= 0; i--) {
        index[l->facets[i]] = panel % s->axes[l->facets[i]].count;
        panel /= s->axes[l->facets[i]].count;
    }
    int point = 0;
    for (int i = 0; i < s->axisCount; i++) {
        point = point * s->axes[i].count + index[i];
    }
    return point;
}

static void facetTitle(const Layout *l, int panel, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    int run = pointOf(l, panel, 0, 0) * l->sweep->repeats;
    for (int i = 0; i < l->facetCount && used < size; i++) {
        const ctSweepAxis *axis = &l->sweep->axes[l->facets[i]];
        double value = ctSweep_Value(l->sweep, l->facets[i], run);
        const char *comma = i > 0 ? ", " : "";
        if (isCategory(axis)) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", comma, ctLawName((ctLaw)(int)value));
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s%s = %.5g", comma, axis->name, value);
        }
    }
}

// ---- maps -------------------------------------------------------------------------------------

static bool drawMap(ctCanvas *c, const Layout *l, const ctChartPanel *p, int panel, int measure,
                    const ctChartColors *colors)
{
    int nx = l->sweep->axes[l->x].count, ny = l->sweep->axes[l->y].count;
    uint8_t *cells = malloc((size_t)nx * (size_t)ny);
    double *values = malloc(sizeof(double) * (size_t)nx * (size_t)ny);
    bool good = cells != NULL && values != NULL;
    for (int j = 0; j < ny && good; j++) {
        for (int i = 0; i < nx; i++) {
            double value = meanAt(l, pointOf(l, panel, i, j), measure);
            values[j * nx + i] = value;
            cells[(ny - 1 - j) * nx + i] = ctChartColors_Of(colors, value);
        }
    }
    if (good) {
        ctCanvas_Cells(c, p->left, p->top, p->width, p->height, nx, ny, cells, colors->palette);
        if (!colors->discrete) {
            ctChart_Contours(c, p, colors, values, nx, ny);
        }
    }
    free(cells);
    free(values);
    return good;
}

static void drawScatter(ctCanvas *c, const Layout *l, const ctChartPanel *p, int measure, const ctChartColors *colors)
{
    const ctSweep *s = l->sweep;
    double radius = s->points < 300 ? 3.5 : s->points < 3000 ? 2.2 : 1.4;
    for (int point = 0; point < s->points; point++) {
        double x = ctChartScale_Place(&p->x, ctSweep_Value(s, l->x, point * s->repeats), 0),
               value = meanAt(l, point, measure);
        double y = l->y >= 0 ? ctChartScale_Place(&p->y, ctSweep_Value(s, l->y, point * s->repeats), 0) : value;
        if (!isnan(y)) {
            ctCanvas_Dot(c, ctChart_X(p, x), ctChart_Y(p, y), radius,
                         l->y >= 0 ? colors->palette[ctChartColors_Of(colors, value)] : "#1f5fa8");
        }
    }
}

// ---- curves -----------------------------------------------------------------------------------

// A piece of the curve without gaps: coordinates along x, and quantiles of the measure.
typedef struct Piece {
    int count;
    double *x, *q[5];
} Piece;

static void drawBand(ctCanvas *c, const ctChartPanel *p, const Piece *piece, int low, int high, const char *color)
{
    double *xy = malloc(sizeof(double) * 4 * (size_t)piece->count);
    for (int i = 0; xy != NULL && i < piece->count; i++) {
        int back = 2 * piece->count - 1 - i;
        xy[2 * i] = xy[2 * back] = ctChart_X(p, piece->x[i]);
        xy[2 * i + 1] = ctChart_Y(p, piece->q[low][i]);
        xy[2 * back + 1] = ctChart_Y(p, piece->q[high][i]);
    }
    if (xy != NULL) {
        ctCanvas_Fill(c, xy, 2 * piece->count, color, 1.0);
    }
    free(xy);
}

static void drawPiece(ctCanvas *c, const Layout *l, const ctChartPanel *p, const Piece *piece)
{
    if (piece->count > 1 && l->sweep->repeats > 1) {
        drawBand(c, p, piece, 0, 4, "#d3e2f3");
        drawBand(c, p, piece, 1, 3, "#a0c2e6");
    }
    double *xy = malloc(sizeof(double) * 2 * (size_t)(piece->count + 1));
    for (int i = 0; xy != NULL && i < piece->count; i++) {
        xy[2 * i] = ctChart_X(p, piece->x[i]);
        xy[2 * i + 1] = ctChart_Y(p, piece->q[2][i]);
    }
    if (xy != NULL && piece->count > 1 && !p->x.byIndex) {
        ctCanvas_Stroke(c, xy, piece->count, "#1f5fa8", 1.8);
    }
    for (int i = 0; xy != NULL && i < piece->count && (l->sweep->axes[l->x].count <= 40 || piece->count == 1); i++) {
        ctCanvas_Dot(c, xy[2 * i], xy[2 * i + 1], 3.0, "#1f5fa8");
    }
    free(xy);
}

static bool drawCurve(ctCanvas *c, const Layout *l, const ctChartPanel *p, int panel, int measure)
{
    static const double shares[5] = {0.05, 0.25, 0.5, 0.75, 0.95};
    const ctSweepAxis *axis = &l->sweep->axes[l->x];
    int n = axis->count;
    double *memory = malloc(sizeof(double) * (6 * (size_t)n + (size_t)l->sweep->repeats));
    if (memory == NULL) {
        return false;
    }
    Piece piece = {.x = memory};
    for (int k = 0; k < 5; k++) {
        piece.q[k] = memory + (k + 1) * n;
    }
    for (int i = 0; i < n; i++) {
        double *values = memory + 6 * n;
        int count = valuesAt(l, pointOf(l, panel, i, 0), measure, values);
        if (count == 0) {
            drawPiece(c, l, p, &piece);
            piece.count = 0;
            continue;
        }
        piece.x[piece.count] = ctChartScale_Place(&p->x, axis->values[i], i);
        for (int k = 0; k < 5; k++) {
            piece.q[k][piece.count] = ctQuantile(values, count, shares[k]);
        }
        piece.count++;
    }
    drawPiece(c, l, p, &piece);
    free(memory);
    return true;
}

// ---- the page ---------------------------------------------------------------------------------

// From the least to the greatest value, with a margin.
static ctChartScale scaleOfMeasure(const Layout *l, int measure)
{
    ctChartScale s = {.lo = INFINITY, .hi = -INFINITY, .label = l->sweep->measureLabels[measure]};
    for (int run = 0; run < l->sweep->runs; run++) {
        s.lo = fmin(s.lo, measuredAt(l, run, measure));
        s.hi = fmax(s.hi, measuredAt(l, run, measure));
    }
    if (!(s.lo <= s.hi)) {
        s.lo = 0.0;
        s.hi = 1.0;
    }
    double margin = s.hi > s.lo ? 0.06 * (s.hi - s.lo) : s.lo != 0.0 ? 0.5 * fabs(s.lo) : 0.5;
    s.lo -= margin;
    s.hi += margin;
    return s;
}

static bool chooseColors(const Layout *l, int measure, ctChartColors *colors)
{
    double *means = malloc(sizeof(double) * (size_t)l->sweep->points);
    if (means == NULL) {
        return false;
    }
    for (int point = 0; point < l->sweep->points; point++) {
        means[point] = meanAt(l, point, measure);
    }
    ctChartColors_Choose(colors, means, l->sweep->points, l->sweep->repeats == 1);
    free(means);
    return true;
}

static bool drawBlock(ctCanvas *c, const Layout *l, int measure, double left, double top)
{
    const ctSweep *s = l->sweep;
    bool random = s->random > 0, map = l->y >= 0;
    ctChartColors *colors = malloc(sizeof *colors);
    bool good = colors != NULL && chooseColors(l, measure, colors);
    ctCanvas_Text(c, left, top + 12.0, ct_anchorStart, 13.0, "#222222", s->measureLabels[measure]);
    for (int panel = 0; panel < l->panels && good; panel++) {
        ctChartPanel p = {.left = left + (panel % l->columns) * (l->width + gapX),
                          .top = top + 38.0 + (panel / l->columns) * (l->height + gapY),
                          .width = l->width,
                          .height = l->height,
                          .x = ctChartScale_OfAxis(&s->axes[l->x], map && !random),
                          .y = map ? ctChartScale_OfAxis(&s->axes[l->y], !random) : scaleOfMeasure(l, measure)};
        if (random || !map) {
            ctChart_Grid(c, &p);
        }
        if (random) {
            drawScatter(c, l, &p, measure, colors);
        } else {
            good = map ? drawMap(c, l, &p, panel, measure, colors) : drawCurve(c, l, &p, panel, measure);
        }
        ctChart_Axes(c, &p);
        if (l->panels > 1) {
            char title[160];
            facetTitle(l, panel, title, sizeof title);
            ctCanvas_Text(c, p.left + 0.5 * p.width, p.top - 6.0, ct_anchorMiddle, 11.0, "#444444", title);
        }
    }
    if (good && map) {
        double right = left + l->columns * (l->width + gapX) - gapX + 18.0;
        ctChartColors_Legend(c, colors, right, top + 38.0, l->height);
    }
    free(colors);
    return good;
}

bool ctSweep_Plot(const ctSweep *s, const double *measured, const char *path, ctError *error)
{
    Layout l = layOut(s, measured);
    int rows = (s->measureCount + l.blockColumns - 1) / l.blockColumns;
    double width = l.blockColumns * l.blockWidth;
    ctCanvas *c = ctCanvas_Begin(path, width, marginTop + rows * l.blockHeight + 4.0, error);
    if (c == NULL) {
        return false;
    }
    char note[96];
    snprintf(note, sizeof note,
             s->repeats == 1 ? "%d runs"
             : l.y >= 0      ? "%d runs; means of %d starts"
                             : "%d runs; median, 50 %% and 90 %% of %d starts",
             s->runs, s->repeats);
    ctCanvas_Text(c, marginLeft, 26.0, ct_anchorStart, 16.0, "#111111", s->title);
    ctCanvas_Text(c, width - 14.0, 26.0, ct_anchorEnd, 11.0, "#666666", note);
    bool good = true;
    for (int m = 0; m < s->measureCount && good; m++) {
        double left = marginLeft + (m % l.blockColumns) * l.blockWidth;
        good = drawBlock(c, &l, m, left, marginTop + (m / l.blockColumns) * l.blockHeight) ||
               ctFailMemory(error, "a picture");
    }
    return ctCanvas_End(c, good, error);
}
