// A half-space's surface: a disc around the point below the camera's target, large enough to reach the fog.
layout(location = 0) in vec3 position;
uniform vec3 center;
uniform vec3 axisX;
uniform vec3 axisY;
uniform float radius;

out vec3 worldPosition;
out vec3 shadowPlace;

void main()
{
    worldPosition = center + radius * (position.x * axisX + position.y * axisY);
    shadowPlace = toShadowMap(worldPosition, cross(axisX, axisY));
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
