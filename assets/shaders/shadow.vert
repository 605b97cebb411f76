layout(location = 0) in vec3 position;
layout(location = 2) in vec4 place;
layout(location = 3) in vec4 turn;
layout(location = 4) in vec4 scaleState;
uniform mat4 lightMatrix;

void main()
{
    vec3 v = position * scaleState.xyz;
    vec3 p = place.xyz + v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
    gl_Position = lightMatrix * vec4(p, 1.0);
}
