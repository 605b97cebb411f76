// A body blown up by some pixels, of which only the far side is drawn: a line around its outline.
layout(location = 0) in vec3 position;
layout(location = 2) in vec4 place;
layout(location = 3) in vec4 turn;
layout(location = 4) in vec4 scaleState;
uniform vec3 middle; // of the mesh
uniform float width; // pixels

vec3 rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main()
{
    vec3 local = position * scaleState.xyz;
    vec3 outwards = rotate(turn, local - middle * scaleState.xyz);
    vec4 p = viewProjection * vec4(place.xyz + rotate(turn, local), 1.0);
    vec2 away = (viewProjection * vec4(outwards, 0.0)).xy * viewport.xy;
    float size = length(away);
    p.xy += (size > 0.0 ? away / size : vec2(0.0)) * (2.0 * width * p.w) / viewport.xy;
    gl_Position = p;
}
