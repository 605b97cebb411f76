// A part of a half-space's surface (render/draw/ground.c).
layout(location = 0) in vec2 corner; // m along the axes
uniform vec3 center;
uniform vec3 axisX;
uniform vec3 axisY;

out vec3 worldPosition;
out vec3 shadowPlace;

void main()
{
    worldPosition = center + corner.x * axisX + corner.y * axisY;
    shadowPlace = toShadowMap(worldPosition, cross(axisX, axisY));
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
