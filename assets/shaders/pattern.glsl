// Patterns in a shape's own frame, so that spin can be seen. p: position; lo, hi: the shape's box; n: normal,
// all in the shape's frame and in metres; cell: the side of a checker's square (m).

float edgeOf(float x)
{
    float w = max(fwidth(x), 1e-6);
    return smoothstep(-w, w, x);
}

// A square wave of period 2, smooth over a pixel; fades to its mean where it is too fine to see.
float wave(float x)
{
    float s = 4.0 * abs(fract(0.5 * x - 0.25) - 0.5) - 1.0;
    float w = fwidth(x);
    float v = clamp(s / max(2.0 * w, 1e-4), -1.0, 1.0);
    return v * clamp(1.5 - 2.0 * w, 0.0, 1.0);
}

vec3 otherColor(vec3 c)
{
    float y = dot(c, vec3(0.3, 0.6, 0.1));
    return y > 0.35 ? c * 0.3 : mix(c, vec3(0.9), 0.75);
}

float hash(float x)
{
    float y = fract(x * 0.1031);
    y *= y + 33.33;
    return fract(y * (y + y));
}

vec3 spokes(vec3 c, vec3 p, vec3 h)
{
    float a = atan(p.y, p.x);
    float v = wave(a * 6.0 / 3.14159265);
    vec3 color = mix(c, otherColor(c), 0.35 + 0.35 * v);
    float mark = edgeOf(cos(a) - 0.966);
    return mix(color, vec3(0.75, 0.18, 0.1), mark * edgeOf(length(p.xy) - 0.25 * h.x));
}

vec3 stripe(vec3 c, vec3 u)
{
    vec3 color = mix(vec3(0.85, 0.84, 0.8), c, edgeOf(0.45 - abs(u.z)));
    return mix(color, vec3(0.85, 0.84, 0.8), edgeOf(abs(u.x) - 0.92));
}

vec3 halves(vec3 c, vec3 u)
{
    vec3 other = otherColor(c);
    vec3 color = mix(c, other, edgeOf(u.x));
    float dots = edgeOf(max(abs(u.z), abs(u.y)) - 0.93);
    return mix(color, mix(other, c, edgeOf(u.x)), dots);
}

vec3 checker(vec3 c, vec3 p, vec3 n, float cell)
{
    vec3 q = (p - n * cell * 0.02) / cell;
    float v = wave(q.x) * wave(q.y) * wave(q.z);
    return mix(c, mix(c, otherColor(c), 0.55), 0.5 - 0.5 * v);
}

vec3 rings(vec3 c, vec3 p, vec3 h)
{
    float r = length(p.xy) / max(h.x, 1e-9);
    vec3 other = mix(c, otherColor(c), 0.55);
    float v = edgeOf(abs(fract(r * 2.5 + 0.25) - 0.5) - 0.25);
    vec3 color = mix(c, other, v * step(r, 0.999));
    float mark = edgeOf(cos(atan(p.y, p.x)) - 0.985) * edgeOf(r - 0.2);
    color = mix(color, vec3(0.7, 0.12, 0.08), mark);
    return p.z < 0.0 ? color * vec3(0.75, 0.85, 1.0) : color;
}

vec3 boards(vec3 c, vec3 p, vec3 h)
{
    float width = h.y / 19.5;
    float y = p.y / width;
    float row = floor(y);
    float x = p.x / (22.0 * width) + 7.31 * hash(row);
    float tone = 0.82 + 0.3 * hash(row + 17.0 * floor(x));
    float grain = 0.97 + 0.03 * sin(40.0 * y + 3.0 * sin(p.x / width));
    float fine = clamp(1.0 - 1.5 * max(fwidth(y), 0.0), 0.0, 1.0);
    float seam = 1.0 - 0.35 * fine * (1.0 - smoothstep(0.0, 0.06 + fwidth(y), abs(fract(y + 0.5) - 0.5)));
    return c * mix(1.0, tone * grain, clamp(1.3 - 0.7 * fwidth(y), 0.0, 1.0)) * seam;
}

vec3 pinBands(vec3 c, float height)
{
    float band = edgeOf(0.012 - abs(height - 0.705)) + edgeOf(0.012 - abs(height - 0.755));
    return mix(c, vec3(0.65, 0.05, 0.05), clamp(band, 0.0, 1.0));
}

vec3 dots(vec3 c, vec3 u)
{
    vec3 a = abs(normalize(u));
    float face = max(a.x, max(a.y, a.z)) - 0.945;
    float corner = dot(a, vec3(0.57735)) - 0.955;
    return mix(c, otherColor(c), edgeOf(max(face, corner)));
}

// How far x lies from a line of half length h along the first axis.
float fromLine(vec2 x, float h)
{
    return length(vec2(max(abs(x.x) - h, 0.0), x.y));
}

// How far x lies from the strokes of a digit that is 1 wide and 2 high: the seven strokes of a pocket calculator.
float fromDigit(int digit, vec2 x)
{
    const int strokes[10] = int[10](0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f);
    int on = strokes[digit];
    float d = 1e9;
    d = (on & 1) != 0 ? min(d, fromLine(x - vec2(0.0, 1.0), 0.5)) : d;
    d = (on & 2) != 0 ? min(d, fromLine((x - vec2(0.5, 0.5)).yx, 0.5)) : d;
    d = (on & 4) != 0 ? min(d, fromLine((x - vec2(0.5, -0.5)).yx, 0.5)) : d;
    d = (on & 8) != 0 ? min(d, fromLine(x - vec2(0.0, -1.0), 0.5)) : d;
    d = (on & 16) != 0 ? min(d, fromLine((x - vec2(-0.5, -0.5)).yx, 0.5)) : d;
    d = (on & 32) != 0 ? min(d, fromLine((x - vec2(-0.5, 0.5)).yx, 0.5)) : d;
    return (on & 64) != 0 ? min(d, fromLine(x, 0.5)) : d;
}

// A pool ball: its number in white circles at both ends of the x axis, a band of its colour from 9 on.
vec3 numbered(vec3 c, vec3 u, int n)
{
    vec3 white = vec3(0.88, 0.87, 0.83);
    vec3 color = n > 8 ? mix(white, c, edgeOf(0.5 - abs(u.y))) : c;
    vec2 q = vec2(u.x > 0.0 ? u.z : -u.z, u.y) / 0.5; // on the circle, radius 1
    float inside = 1.0 - length(q);
    vec2 x = q / 0.36;
    float d = n > 9 ? min(fromDigit(n / 10 % 10, x + vec2(0.75, 0.0)), fromDigit(n % 10, x - vec2(0.75, 0.0)))
                    : fromDigit(n % 10, x);
    color = mix(color, white, edgeOf(inside));
    return mix(color, vec3(0.02), edgeOf(0.2 - d) * edgeOf(inside));
}

// The points of one half of a domino, x in -1 ... 1.
float pips(int n, vec2 x)
{
    vec2 cell = clamp(floor(x / 0.55 + 0.5), -1.0, 1.0);
    bool middle = cell.x == 0.0 && cell.y == 0.0, slope = cell.x * cell.y > 0.0, other = cell.x * cell.y < 0.0;
    bool side = cell.y == 0.0 && cell.x != 0.0;
    bool on = (middle && n % 2 == 1) || (slope && n > 1) || (other && n > 3) || (side && n == 6);
    return on ? edgeOf(0.17 - length(x - 0.55 * cell)) : 0.0;
}

// A domino: its largest faces have two halves with points, the tens and the ones of its number.
vec3 domino(vec3 c, vec3 u, vec3 n, int number)
{
    vec2 x = u.yz;
    float upper = pips(number / 10 % 10, vec2(x.x, 2.0 * x.y - 1.0)), lower = pips(number % 10, vec2(x.x, 2.0 * x.y + 1.0));
    float bar = edgeOf(0.02 - abs(x.y)) * edgeOf(0.8 - abs(x.x));
    float face = step(0.7, abs(n.x));
    return mix(c, otherColor(c), face * max(bar, x.y > 0.0 ? upper : lower));
}

vec3 patterned(int kind, vec3 c, vec3 p, vec3 n, vec3 lo, vec3 hi, float cell, int number)
{
    vec3 h = 0.5 * (hi - lo);
    vec3 mid = 0.5 * (hi + lo);
    vec3 u = (p - mid) / max(h, vec3(1e-9));
    switch (kind) {
    case 1:
        return spokes(c, p, h);
    case 2:
        return stripe(c, u);
    case 3:
        return halves(c, u);
    case 4:
        return checker(c, p, n, cell);
    case 5:
        return rings(c, p - vec3(0.0, 0.0, mid.z), h);
    case 6:
        return boards(c, p, h);
    case 7:
        return pinBands(c, (p.z - lo.z) / (hi.z - lo.z));
    case 8:
        return dots(c, u);
    case 9:
        return numbered(c, u, number);
    case 10:
        return domino(c, u, n, number);
    }
    return c;
}
