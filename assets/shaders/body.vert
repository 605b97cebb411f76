layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 place;        // world position, the number that the body bears
layout(location = 3) in vec4 turn;         // quaternion x, y, z, w
layout(location = 4) in vec4 scaleState;   // scale, state bits
layout(location = 5) in vec4 color;

uniform vec3 meshLo;
uniform vec3 meshHi;

out vec3 worldPosition;
out vec3 worldNormal;
out vec3 shadowPlace;
out vec3 localPosition;
out vec3 localNormal;
flat out vec3 localScale;
flat out vec4 bodyColor;
flat out int state;
flat out int number;
flat out float cell;

// A side of 1, 2 or 5 times a power of ten, about a quarter of the extent.
float niceCell(float extent)
{
    float x = extent / 4.0;
    float decade = pow(10.0, floor(log(x) / 2.302585));
    float m = x / decade;
    return decade * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

vec3 rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main()
{
    localScale = scaleState.xyz;
    localPosition = position * localScale;
    localNormal = normalize(normal / localScale);
    worldPosition = place.xyz + rotate(turn, localPosition);
    worldNormal = rotate(turn, localNormal);
    shadowPlace = toShadowMap(worldPosition, worldNormal);
    bodyColor = color;
    state = int(scaleState.w + 0.5);
    number = int(place.w + 0.5);
    cell = 1.0;
#if PATTERN == 4
    vec3 half_ = 0.5 * (meshHi - meshLo) * localScale;
    cell = niceCell(max(half_.x, max(half_.y, half_.z)));
#endif
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
