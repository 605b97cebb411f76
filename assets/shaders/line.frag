uniform float opacity;

in vec2 at;
flat in vec3 shape;
flat in vec4 lineColor;
out vec4 fragment;

void main()
{
    float t = shape.x > 1e-3 ? clamp(at.x / shape.x, 0.0, 1.0) : 0.0;
    float halfWidth = mix(shape.y, shape.z, t);
    // Ends are round where the line is thin, cut where it widens into an arrow's head.
    float beyond = max(max(-at.x, at.x - shape.x), 0.0);
    float d = length(vec2(beyond, at.y));
    float cover = clamp(halfWidth + 0.5 - d, 0.0, 1.0);
    if (shape.y != shape.z && at.x < 0.0) {
        cover = clamp(at.x + 0.5, 0.0, 1.0) * cover;
    }
    if (cover <= 0.0) {
        discard;
    }
    fragment = vec4(lineColor.rgb, lineColor.a * cover * opacity);
}
