// The patterns of assets/shaders/pattern.glsl and ground.frag, as colours of points.
#include "render/export/gltf_internal.h"

#include "collision/vec3.h"

#include <math.h>

static const ctVec3 chalk = {0.85, 0.84, 0.8}, white = {0.88, 0.87, 0.83}, black = {0.02, 0.02, 0.02};

static ctVec3 otherColor(ctVec3 c)
{
    double bright = 0.3 * c.x + 0.6 * c.y + 0.1 * c.z;
    return bright > 0.35 ? ctScale(0.3, c) : ctLerp(c, ctV3(0.9, 0.9, 0.9), 0.75);
}

static double fraction(double x)
{
    return x - floor(x);
}

// A square wave of period 2.
static double wave(double x)
{
    return fraction(0.5 * x) < 0.5 ? 1.0 : -1.0;
}

static double hash(double x)
{
    double y = fraction(x * 0.1031);
    y *= y + 33.33;
    return fraction(y * (y + y));
}

static ctVec3 spokes(ctVec3 c, ctVec3 p, ctVec3 half)
{
    double a = atan2(p.y, p.x);
    bool mark = cos(a) > 0.966 && hypot(p.x, p.y) > 0.25 * half.x;
    return mark ? ctV3(0.75, 0.18, 0.1) : ctLerp(c, otherColor(c), 0.35 + 0.35 * wave(a * 6.0 / CT_PI));
}

// A side of 1, 2 or 5 times a power of ten, about a quarter of the extent.
static double niceCell(double extent)
{
    double x = extent / 4.0, decade = pow(10.0, floor(log10(x))), m = x / decade;
    return decade * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static ctVec3 checker(ctVec3 c, ctVec3 p, ctVec3 n, ctVec3 half)
{
    double cell = niceCell(fmax(half.x, fmax(half.y, half.z)));
    ctVec3 q = ctScale(1.0 / cell, ctMulAdd(p, -0.02 * cell, n));
    bool other = wave(q.x) * wave(q.y) * wave(q.z) < 0.0;
    return other ? ctLerp(c, otherColor(c), 0.55) : c;
}

static ctVec3 rings(ctVec3 c, ctVec3 p, ctVec3 half)
{
    double r = hypot(p.x, p.y) / fmax(half.x, 1e-9);
    bool ring = fabs(fraction(r * 2.5 + 0.25) - 0.5) > 0.25 && r < 0.999;
    ctVec3 color = ring ? ctLerp(c, otherColor(c), 0.55) : c;
    color = cos(atan2(p.y, p.x)) > 0.985 && r > 0.2 ? ctV3(0.7, 0.12, 0.08) : color;
    return p.z < 0.0 ? ctV3(0.75 * color.x, 0.85 * color.y, color.z) : color;
}

static ctVec3 boards(ctVec3 c, ctVec3 p, ctVec3 half)
{
    double width = half.y / 19.5, y = p.y / width, row = floor(y), x = p.x / (22.0 * width) + 7.31 * hash(row);
    return ctScale(0.82 + 0.3 * hash(row + 17.0 * floor(x)), c);
}

static bool isDot(ctVec3 u)
{
    ctVec3 a = ctScale(1.0 / fmax(ctLength(u), 1e-9), ctAbs(u));
    return fmax(a.x, fmax(a.y, a.z)) > 0.945 || 0.57735 * (a.x + a.y + a.z) > 0.955;
}

// The distance of (x, y) from a segment of length 1 along x, centred at the origin.
static double fromLine(double x, double y)
{
    return hypot(fmax(fabs(x) - 0.5, 0.0), y);
}

// The distance of a point from the strokes of a seven-segment digit that is 1 wide and 2 high.
static double fromDigit(int digit, double x, double y)
{
    static const int digits[10] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f};
    const double strokes[7] = {fromLine(x, y - 1.0), fromLine(y - 0.5, x - 0.5), fromLine(y + 0.5, x - 0.5),
                               fromLine(x, y + 1.0), fromLine(y + 0.5, x + 0.5), fromLine(y - 0.5, x + 0.5),
                               fromLine(x, y)};
    double least = INFINITY;
    for (int i = 0; i < 7; i++) {
        least = (digits[digit] >> i & 1) != 0 ? fmin(least, strokes[i]) : least;
    }
    return least;
}

// A pool ball: its number in white circles at both ends of the x axis, a band of its colour from 9 on.
static ctVec3 numbered(ctVec3 c, ctVec3 u, int number)
{
    double qx = 2.0 * (u.x > 0.0 ? u.z : -u.z), qy = 2.0 * u.y, x = qx / 0.36, y = qy / 0.36;
    if (hypot(qx, qy) > 1.0) {
        return number > 8 && fabs(u.y) > 0.5 ? white : c;
    }
    double away = number > 9 ? fmin(fromDigit(number / 10 % 10, x + 0.75, y), fromDigit(number % 10, x - 0.75, y))
                             : fromDigit(number % 10, x, y);
    return away < 0.2 ? black : white;
}

// Whether (x, y), in -1 ... 1, is on a pip of one half of a domino with n pips.
static bool isPip(int n, double x, double y)
{
    double i = fmax(-1.0, fmin(1.0, floor(x / 0.55 + 0.5))), j = fmax(-1.0, fmin(1.0, floor(y / 0.55 + 0.5)));
    bool middle = fabs(i) + fabs(j) < 0.5, side = fabs(j) < 0.5 && !middle;
    bool on = (middle && n % 2 == 1) || (i * j > 0.5 && n > 1) || (i * j < -0.5 && n > 3) || (side && n == 6);
    return on && hypot(x - 0.55 * i, y - 0.55 * j) < 0.17;
}

static bool isDominoMark(ctVec3 u, ctVec3 n, int number)
{
    bool bar = fabs(u.z) < 0.02 && fabs(u.y) < 0.8;
    bool pip = u.z > 0.0 ? isPip(number / 10 % 10, u.y, 2.0 * u.z - 1.0) : isPip(number % 10, u.y, 2.0 * u.z + 1.0);
    return fabs(n.x) > 0.7 && (bar || pip);
}

ctVec3 ctGltf_ColorAt(const ctLook *look, ctVec3 p, ctVec3 n, ctVec3 lo, ctVec3 hi)
{
    ctVec3 c = look->color, other = otherColor(c), middle = ctScale(0.5, ctAdd(lo, hi));
    ctVec3 half = ctScale(0.5, ctSub(hi, lo)), from = ctSub(p, middle);
    ctVec3 u = {from.x / fmax(half.x, 1e-9), from.y / fmax(half.y, 1e-9), from.z / fmax(half.z, 1e-9)};
    switch (look->pattern) {
    case ct_patternSpokes:
        return spokes(c, p, half);
    case ct_patternStripe:
        return fabs(u.z) > 0.45 || fabs(u.x) > 0.92 ? chalk : c;
    case ct_patternHalves:
        return (u.x > 0.0) != (fmax(fabs(u.z), fabs(u.y)) > 0.93) ? other : c;
    case ct_patternChecker:
        return checker(c, p, n, half);
    case ct_patternRings:
        return rings(c, ctV3(p.x, p.y, from.z), half);
    case ct_patternBoards:
        return boards(c, p, half);
    case ct_patternPin:
        return fabs(u.z - 0.41) < 0.024 || fabs(u.z - 0.51) < 0.024 ? ctV3(0.65, 0.05, 0.05) : c;
    case ct_patternDots:
        return isDot(u) ? other : c;
    case ct_patternBall:
        return numbered(c, u, look->number);
    case ct_patternDomino:
        return isDominoMark(u, n, look->number) ? other : c;
    default:
        return c;
    }
}

// A tile is CT_GLTF_TILE_X by CT_GLTF_TILE_Y cells. Boards of half a cell are 11 cells long: two of them are a tile.
ctVec3 ctGltf_PlaneColorAt(const ctLook *look, double x, double y)
{
    if (look->pattern == ct_patternChecker) {
        return wave(x) * wave(y) < 0.0 ? ctScale(0.55, look->color) : look->color;
    }
    double row = fmod(floor(2.0 * y), 2.0 * CT_GLTF_TILE_Y), along = x / 11.0 + 7.31 * hash(row);
    return ctScale(0.82 + 0.3 * hash(row + 17.0 * fmod(floor(along), 2.0)), look->color);
}
