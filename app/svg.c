#include "app/svg.h"

#include <math.h>
#include <string.h>

void ctSvg_Begin(ctSvg *svg, FILE *out, double width, double height)
{
    *svg = (ctSvg){.out = out};
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' viewBox='0 0 %g %g' "
            "font-family='DejaVu Sans, Verdana, sans-serif'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
            width, height, width, height);
}

void ctSvg_End(ctSvg *svg)
{
    fputs("</svg>\n", svg->out);
}

double ctSvgX(const ctSvgFrame *f, double x)
{
    return f->left + (x - f->x0) / (f->x1 - f->x0) * f->width;
}

double ctSvgY(const ctSvgFrame *f, double y)
{
    return f->top + f->height - (y - f->y0) / (f->y1 - f->y0) * f->height;
}

void ctSvgEqualUnits(ctSvgFrame *f)
{
    double perX = (f->x1 - f->x0) / f->width, perY = (f->y1 - f->y0) / f->height;
    double middleX = 0.5 * (f->x0 + f->x1), middleY = 0.5 * (f->y0 + f->y1), per = fmax(perX, perY);
    f->x0 = middleX - 0.5 * per * f->width;
    f->x1 = middleX + 0.5 * per * f->width;
    f->y0 = middleY - 0.5 * per * f->height;
    f->y1 = middleY + 0.5 * per * f->height;
}

double ctNiceStep(double range, int count)
{
    double rough = range / count, power = pow(10.0, floor(log10(rough))), digit = rough / power;
    return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

// The power of ten to factor out of the numbers of an axis; 0 when the numbers are short.
static int axisExponent(double a, double b)
{
    int exponent = (int)floor(log10(fmax(fabs(a), fabs(b))));
    return exponent >= 4 || exponent <= -3 ? exponent : 0;
}

static void axisName(char *buffer, size_t size, const char *name, int exponent)
{
    if (exponent == 0) {
        snprintf(buffer, size, "%s", name);
    } else {
        snprintf(buffer, size, "%s  &#215; 10<tspan dy='-5' font-size='10'>%d</tspan>", name, exponent);
    }
}

void ctSvg_Axes(ctSvg *svg, const ctSvgFrame *f, const char *xName, const char *yName)
{
    FILE *out = svg->out;
    double stepX = ctNiceStep(f->x1 - f->x0, (int)(f->width / 75.0) + 1);
    double stepY = ctNiceStep(f->y1 - f->y0, (int)(f->height / 48.0) + 1);
    int exponentX = axisExponent(f->x0, f->x1), exponentY = axisExponent(f->y0, f->y1);
    for (double i = ceil(f->x0 / stepX); i * stepX <= f->x1 + 1e-9 * stepX; i += 1.0) {
        double x = ctSvgX(f, i * stepX), bottom = f->top + f->height;
        fprintf(out, "<path d='M%.2f %.2fV%.2f' stroke='%s' stroke-width='%s'/>\n", x, f->top, bottom,
                i == 0.0 ? "#b0b0b0" : "#e8e8e8", i == 0.0 ? "1.2" : "1");
        fprintf(out, "<text x='%.2f' y='%.2f' font-size='11' text-anchor='middle' fill='#444'>%.6g</text>\n", x,
                bottom + 15.0, i * stepX * pow(10.0, -exponentX) + 0.0);
    }
    for (double i = ceil(f->y0 / stepY); i * stepY <= f->y1 + 1e-9 * stepY; i += 1.0) {
        double y = ctSvgY(f, i * stepY);
        fprintf(out, "<path d='M%.2f %.2fH%.2f' stroke='%s' stroke-width='%s'/>\n", f->left, y, f->left + f->width,
                i == 0.0 ? "#b0b0b0" : "#e8e8e8", i == 0.0 ? "1.2" : "1");
        fprintf(out, "<text x='%.2f' y='%.2f' font-size='11' text-anchor='end' fill='#444'>%.6g</text>\n",
                f->left - 6.0, y + 4.0, i * stepY * pow(10.0, -exponentY) + 0.0);
    }
    fprintf(out, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='none' stroke='#444'/>\n", f->left, f->top,
            f->width, f->height);
    char name[512];
    axisName(name, sizeof name, xName, exponentX);
    ctSvg_Text(svg, f->left + 0.5 * f->width, f->top + f->height + 34.0, "middle", 13.0, "#222", name);
    axisName(name, sizeof name, yName, exponentY);
    fprintf(out, "<g transform='translate(%.2f %.2f) rotate(-90)'>", f->left - 46.0, f->top + 0.5 * f->height);
    ctSvg_Text(svg, 0.0, 0.0, "middle", 13.0, "#222", name);
    fputs("</g>\n", out);
}

void ctSvg_BeginClip(ctSvg *svg, const ctSvgFrame *f)
{
    int id = ++svg->clips;
    fprintf(svg->out,
            "<clipPath id='clip%d'><rect x='%.2f' y='%.2f' width='%.2f' height='%.2f'/></clipPath>\n"
            "<g clip-path='url(#clip%d)'>\n",
            id, f->left, f->top, f->width, f->height, id);
}

void ctSvg_EndClip(ctSvg *svg)
{
    fputs("</g>\n", svg->out);
}

// Clamps a coordinate. Some renderers fail at coordinates of millions of pixels, which are far outside the page.
static double tame(double x)
{
    return fmin(1e5, fmax(-1e5, x));
}

void ctSvg_Line(ctSvg *svg, const ctSvgFrame *f, double x0, double y0, double x1, double y1, const char *style)
{
    fprintf(svg->out, "<path d='M%.2f %.2fL%.2f %.2f' %s/>\n", tame(ctSvgX(f, x0)), tame(ctSvgY(f, y0)),
            tame(ctSvgX(f, x1)), tame(ctSvgY(f, y1)), style);
}

void ctSvg_Curve(ctSvg *svg, const ctSvgFrame *f, const double *x, const double *y, int count, const char *style)
{
    fputs("<path d='", svg->out);
    for (int i = 0; i < count; i++) {
        fprintf(svg->out, "%s%.2f %.2f", i == 0 ? "M" : "L", tame(ctSvgX(f, x[i])), tame(ctSvgY(f, y[i])));
    }
    fprintf(svg->out, "' stroke-linejoin='round' %s/>\n", style);
}

void ctSvg_Text(ctSvg *svg, double x, double y, const char *anchor, double size, const char *color, const char *text)
{
    fprintf(svg->out, "<text x='%.2f' y='%.2f' font-size='%g' text-anchor='%s' fill='%s'>%s</text>\n", x, y, size,
            anchor, color, text);
}

void ctSvg_Keep(ctSvg *svg, double x0, double y0, double x1, double y1)
{
    if (svg->boxCount < CT_SVG_BOXES) {
        double *box = svg->boxes[svg->boxCount++];
        box[0] = x0;
        box[1] = y0;
        box[2] = x1;
        box[3] = y1;
    }
}

void ctSvg_KeepPoint(ctSvg *svg, const ctSvgFrame *f, double x, double y)
{
    double px = ctSvgX(f, x), py = ctSvgY(f, y);
    ctSvg_Keep(svg, px - 5.0, py - 5.0, px + 5.0, py + 5.0);
}

double ctSvg_Cost(const ctSvg *svg, const ctSvgFrame *f, const double b[4])
{
    double area = 0.0;
    for (int i = 0; i < svg->boxCount; i++) {
        const double *a = svg->boxes[i];
        double w = fmin(a[2], b[2]) - fmax(a[0], b[0]), h = fmin(a[3], b[3]) - fmax(a[1], b[1]);
        area += w > 0.0 && h > 0.0 ? w * h : 0.0;
    }
    double inW = fmin(b[2], f->left + f->width) - fmax(b[0], f->left);
    double inH = fmin(b[3], f->top + f->height) - fmax(b[1], f->top);
    double inside = inW > 0.0 && inH > 0.0 ? inW * inH : 0.0;
    return area + 2.0 * ((b[2] - b[0]) * (b[3] - b[1]) - inside);
}

void ctSvg_Label(ctSvg *svg, const ctSvgFrame *f, double x, double y, int letters, const char *color, const char *text)
{
    const double size = 12.0, width = 0.62 * size * letters, height = size;
    double px = ctSvgX(f, x), py = ctSvgY(f, y), best = INFINITY, chosen[4] = {0, 0, 0, 0};
    for (int ring = 0; ring < 6; ring++) {
        for (int i = 0; i < 16; i++) {
            double angle = 6.283185307179586 * i / 16.0 - 0.7, away = 7.0 + 9.0 * ring;
            double cx = px + cos(angle) * (away + 0.5 * width), cy = py + sin(angle) * (away + 0.5 * height);
            double box[4] = {cx - 0.5 * width, cy - 0.5 * height, cx + 0.5 * width, cy + 0.5 * height};
            double cost = ctSvg_Cost(svg, f, box) + 4.0 * ring;
            if (cost < best) {
                best = cost;
                memcpy(chosen, box, sizeof chosen);
            }
        }
    }
    ctSvg_Keep(svg, chosen[0], chosen[1], chosen[2], chosen[3]);
    fprintf(svg->out,
            "<text x='%.2f' y='%.2f' font-size='%g' text-anchor='middle' fill='%s' stroke='#fff' stroke-width='3' "
            "stroke-linejoin='round' paint-order='stroke'>%s</text>\n",
            0.5 * (chosen[0] + chosen[2]), chosen[3] - 2.0, size, color, text);
}
