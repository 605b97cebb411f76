// A rectangle around an ellipse of shade (render/draw/shades.h).
layout(location = 0) in vec4 middle;  // centre, nearness
layout(location = 1) in vec4 first;   // axis, whether the surface is a disc
layout(location = 2) in vec4 second;  // axis
layout(location = 3) in vec4 onto;    // of the centre, along the first axis
layout(location = 4) in vec4 onto2;   // along the second axis

const float REACH = 2.4; // half widths of the body

out vec2 away;    // from the centre, in half widths of the body
out vec2 surface; // on the surface, whose edges are at -1 and 1
flat out vec2 nearnessRound;

void main()
{
    away = REACH * vec2((gl_VertexID & 1) != 0 ? 1.0 : -1.0, (gl_VertexID & 2) != 0 ? 1.0 : -1.0);
    surface = onto.xy + away.x * onto.zw + away.y * onto2.xy;
    nearnessRound = vec2(middle.w, first.w);
    gl_Position = viewProjection * vec4(middle.xyz + away.x * first.xyz + away.y * second.xyz, 1.0);
}
