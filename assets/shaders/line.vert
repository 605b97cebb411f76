// A line as a rectangle that faces the camera, with round ends: width in pixels at both ends, so that it is a
// line, a dot (both ends equal) or the head of an arrow.
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec2 widths;
layout(location = 3) in vec4 color;

out vec2 at; // pixels along and across, from a
flat out vec3 shape;       // length, half widths
flat out vec4 lineColor;

void main()
{
    vec4 ca = viewProjection * vec4(a, 1.0);
    vec4 cb = viewProjection * vec4(b, 1.0);
    // Cut at the near plane, or the end behind the camera would come out in front of it.
    float na = ca.z + ca.w, nb = cb.z + cb.w;
    if (na <= 0.0 && nb <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        at = vec2(0.0);
        shape = vec3(0.0);
        lineColor = vec4(0.0);
        return;
    }
    if (na < 0.0) {
        ca = mix(ca, cb, na / (na - nb) * 1.0001);
    } else if (nb < 0.0) {
        cb = mix(cb, ca, nb / (nb - na) * 1.0001);
    }
    vec2 half_ = 0.5 * viewport.xy;
    vec2 pa = ca.xy / ca.w * half_, pb = cb.xy / cb.w * half_;
    float len = length(pb - pa);
    vec2 along = len > 1e-3 ? (pb - pa) / len : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float reach = 0.5 * max(widths.x, widths.y) + 1.0;
    bool end = (gl_VertexID & 1) != 0;
    float side = (gl_VertexID & 2) != 0 ? 1.0 : -1.0;
    vec2 p = (end ? pb + along * reach : pa - along * reach) + across * side * reach;
    vec4 c = end ? cb : ca;
    // Divided here, so that what varies along the line is linear on the screen.
    gl_Position = vec4(p / half_, c.z / c.w, 1.0);
    at = vec2(end ? len + reach : -reach, side * reach);
    shape = vec3(len, 0.5 * widths);
    lineColor = color;
}
