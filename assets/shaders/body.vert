layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 place;        // world position, the number that the body bears
layout(location = 3) in vec4 turn;         // quaternion x, y, z, w
layout(location = 4) in vec4 scaleState;   // scale, state bits
layout(location = 5) in vec4 color;

out vec3 worldPosition;
out vec3 worldNormal;
out vec3 localPosition;
out vec3 localNormal;
flat out vec3 localScale;
flat out vec4 bodyColor;
flat out int state;
flat out int number;

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
    bodyColor = color;
    state = int(scaleState.w + 0.5);
    number = int(place.w + 0.5);
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
