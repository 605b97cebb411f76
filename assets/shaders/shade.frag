in vec2 away;
in vec2 surface;
flat in vec2 nearnessRound;
out vec4 fragment;

void main()
{
    float x2 = dot(away, away), c = nearnessRound.x, d2 = x2 + c * c;
    float hidden = min(c / (d2 * sqrt(d2)), 1.0) * max(1.0 - x2 / 5.76, 0.0);
    float beyond = nearnessRound.y > 0.5 ? dot(surface, surface) : max(abs(surface.x), abs(surface.y));
    // Part of the light is the sun's, which the body hides elsewhere.
    fragment = vec4(vec3(1.0 - 0.5 * hidden * step(beyond, 1.0)), 1.0);
}
