// Patterns in a shape's own frame, so that spin can be seen. p: position; lo, hi: the shape's box; n: normal,
// all in the shape's frame and in metres.

float edgeOf(float x)
{
    float w = max(fwidth(x), 1e-6);
    return smoothstep(-w, w, x);
}

// A square wave of period 2, smooth over a pixel; fades to its mean where it is too fine to see.
float wave(float x)
{
    float s = sin(3.14159265 * x);
    float w = fwidth(x);
    float v = clamp(s / max(3.14159265 * w, 1e-4), -1.0, 1.0);
    return v * clamp(1.5 - 2.0 * w, 0.0, 1.0);
}

vec3 otherColor(vec3 c)
{
    float y = dot(c, vec3(0.3, 0.6, 0.1));
    return y > 0.35 ? c * 0.3 : mix(c, vec3(0.9), 0.75);
}

float niceCell(float extent)
{
    float x = extent / 4.0;
    float decade = pow(10.0, floor(log(x) / 2.302585));
    float m = x / decade;
    return decade * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

float hash(float x)
{
    return fract(sin(x * 12.9898) * 43758.5453);
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

vec3 patterned(int kind, vec3 c, vec3 p, vec3 n, vec3 lo, vec3 hi)
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
        return checker(c, p, n, niceCell(max(h.x, max(h.y, h.z))));
    case 5:
        return rings(c, p - vec3(0.0, 0.0, mid.z), h);
    case 6:
        return boards(c, p, h);
    case 7:
        return pinBands(c, (p.z - lo.z) / (hi.z - lo.z));
    case 8:
        return dots(c, u);
    }
    return c;
}
