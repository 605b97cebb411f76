// PASS 0: the shares of the pixel that belong to its neighbours to the right, to the left, above and below. Blending
// keeps the largest, so that borders which coincide count once. PASS 1: the pixel mixed with its neighbours.
uniform sampler2D picture;
uniform sampler2D depth;
uniform sampler2D shares;

in vec2 place;
flat in vec2 axis;
flat in float slope;
out vec4 fragment;

ivec2 inside(ivec2 p)
{
    return clamp(p, ivec2(0), ivec2(viewport.xy) - 1);
}

#if PASS == 0
float depthAt(ivec2 p)
{
    return texelFetch(depth, inside(p), 0).r;
}

// The depth of a surface at the border, from its depths at a pixel and at one farther away.
float depthThere(float near, float far, float away)
{
    return near + max(near - far, 0.0) * away;
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy), across = ivec2(axis) * (place.x > 0.0 ? -1 : 1), there = here + across;
    float away = abs(place.x);
    float front = depthThere(depthAt(here), depthAt(here - across), away);
    float behind = depthThere(depthAt(there), depthAt(there + across), 1.0 - away);
    // A border that lies behind both surfaces is hidden.
    if (place.y > max(front, behind) + 4e-6) {
        discard;
    }
    // The area beyond the border, whose slope is at most 1: a trapezoid or a triangle.
    float corner = 0.5 + 0.5 * slope - away;
    float share = clamp(away < 0.5 - 0.5 * slope ? 0.5 - away : corner * corner / (2.0 * slope), 0.0, 0.5);
    vec2 sides = place.x > 0.0 ? vec2(0.0, share) : vec2(share, 0.0);
    fragment = axis.x > 0.5 ? vec4(sides, 0.0, 0.0) : vec4(0.0, 0.0, sides);
}
#else
void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 s = texelFetch(shares, here, 0);
    float sum = s.x + s.y + s.z + s.w;
    vec4 mixed = texelFetch(picture, here, 0) * max(1.0 - sum, 0.0);
    mixed += texelFetch(picture, inside(here + ivec2(1, 0)), 0) * s.x;
    mixed += texelFetch(picture, inside(here - ivec2(1, 0)), 0) * s.y;
    mixed += texelFetch(picture, inside(here + ivec2(0, 1)), 0) * s.z;
    mixed += texelFetch(picture, inside(here - ivec2(0, 1)), 0) * s.w;
    fragment = mixed / max(sum, 1.0);
}
#endif
