// PATTERN is a ctPattern, EDGES says which of the mesh's edges are drawn (0 none, 1 a box's, 2 a cylinder's): one
// program for each, since software renderers run through every branch.
uniform vec3 meshLo;
uniform vec3 meshHi;

in vec3 worldPosition;
in vec3 worldNormal;
in vec3 shadowPlace;
in vec3 localPosition;
in vec3 localNormal;
flat in vec3 localScale;
flat in vec4 bodyColor;
flat in int state;
flat in int number;
flat in float cell;

out vec4 fragment;

// A line of about a pixel along the edges, 0 ... 1, fading out where the body is small.
float edgeLine(vec3 lo, vec3 hi)
{
#if EDGES == 0
    return 0.0;
#else
    vec3 size = fwidth(localPosition);
    float pixel = max(size.x, max(size.y, size.z));
#if EDGES == 1
    vec3 n = abs(localNormal);
    vec3 d = 0.5 * (hi - lo) - abs(localPosition - 0.5 * (hi + lo)) + step(0.5, n) * 1e9;
    float away = min(d.x, min(d.y, d.z)), thin = min(hi.x - lo.x, min(hi.y - lo.y, hi.z - lo.z));
#else
    float rim = hi.x - length(localPosition.xy);
    float end = 0.5 * (hi.z - lo.z) - abs(localPosition.z - 0.5 * (hi.z + lo.z));
    float away = abs(localNormal.z) > 0.7 ? rim : end, thin = min(2.0 * hi.x, hi.z - lo.z);
#endif
    return clamp(1.5 - away / pixel, 0.0, 1.0) * clamp(0.12 * thin / pixel - 0.2, 0.0, 1.0);
#endif
}

void main()
{
    vec3 n = normalize(worldNormal);
    vec3 lo = meshLo * localScale, hi = meshHi * localScale;
    vec3 albedo = patterned(PATTERN, bodyColor.rgb, localPosition, localNormal, lo, hi, cell, number);
    albedo *= 1.0 - 0.45 * edgeLine(lo, hi);
    if ((state & 1) != 0) { // asleep
        float grey = dot(albedo, vec3(0.3, 0.6, 0.1));
        albedo = mix(vec3(grey), vec3(0.25, 0.35, 0.62), 0.55);
    }
    vec3 color = shade(albedo, n, worldPosition, shadowPlace, bodyColor.a);
    fragment = vec4(toDisplay(withFog(color, worldPosition)), 1.0);
}
