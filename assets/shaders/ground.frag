// PATTERN: a ctPattern.
uniform vec3 axisX;
uniform vec3 axisY;
uniform vec3 groundColor;
uniform vec2 phase; // cells

in vec3 worldPosition;
in vec3 shadowPlace;
out vec4 fragment;

// Lines at whole numbers, about a pixel and a half wide, fading out where they crowd.
float lines(vec2 c)
{
    vec2 w = max(fwidth(c), vec2(1e-6));
    vec2 d = abs(fract(c - 0.5) - 0.5) / w;
    vec2 l = clamp(1.4 - d, 0.0, 1.0) * clamp(1.2 - 4.0 * w, 0.0, 1.0);
    return max(l.x, l.y);
}

void main()
{
    vec3 n = cross(axisX, axisY);
    vec2 c = vec2(dot(worldPosition, axisX), dot(worldPosition, axisY)) / viewport.w + phase;
    vec3 albedo = groundColor;
#if PATTERN == 4
    albedo = mix(albedo, albedo * 0.55, 0.5 - 0.5 * wave(c.x) * wave(c.y));
#elif PATTERN == 6
    albedo = boards(albedo, vec3(c, 0.0) * 2.0, vec3(19.5));
#else
    float grid = max(0.55 * lines(c), max(0.8 * lines(c / 10.0), 0.3 * lines(c * 10.0)));
    float dark = dot(albedo, vec3(0.3, 0.6, 0.1)) > 0.18 ? 0.72 : 1.5;
    albedo *= mix(1.0, dark, grid);
#endif
    vec3 color = shade(albedo, n, worldPosition, shadowPlace, 0.25);
    fragment = vec4(toDisplay(withFog(color, worldPosition)), 1.0);
}
