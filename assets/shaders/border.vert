// A strip along a border in the picture, cut along the picture's axis that crosses the border more steeply. It contains
// the centres of all pixels that the border crosses (render/draw/borders.c).
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;

out vec2 place;        // pixels across the border from it, along the axis; depth
flat out vec2 axis;    // (1, 0) or (0, 1)
flat out float slope;  // of the border, 0 ... 1

void main()
{
    vec4 ca = viewProjection * vec4(a, 1.0);
    vec4 cb = viewProjection * vec4(b, 1.0);
    float na = ca.z + ca.w, nb = cb.z + cb.w; // cut at the near plane
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    place = axis = vec2(0.0);
    slope = 0.0;
    if (na <= 0.0 && nb <= 0.0) {
        return;
    }
    if (na < 0.0) {
        ca = mix(ca, cb, na / (na - nb) * 1.0001);
    } else if (nb < 0.0) {
        cb = mix(cb, ca, nb / (nb - na) * 1.0001);
    }
    vec2 half_ = 0.5 * viewport.xy;
    vec2 along = abs(cb.xy / cb.w - ca.xy / ca.w) * half_;
    bool flat_ = along.x > along.y;
    axis = flat_ ? vec2(0.0, 1.0) : vec2(1.0, 0.0);
    slope = flat_ ? along.y / along.x : along.x / max(along.y, 1e-6);
    vec4 c = (gl_VertexID & 1) != 0 ? cb : ca;
    float side = ((gl_VertexID & 2) != 0 ? 0.5 : -0.5) * (1.0 + slope);
    // Divided here, so that what varies along the border is linear on the screen.
    gl_Position = vec4(c.xy / c.w + side * axis / half_, 0.0, 1.0);
    place = vec2(side, 0.5 + 0.5 * c.z / c.w);
}
