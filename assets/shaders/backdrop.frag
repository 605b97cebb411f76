// Where there is no ground: shades of the picture, not of the world, so that nothing looks like a floor or a horizon.
in vec2 corner;
out vec4 fragment;

void main()
{
    fragment = vec4(mix(vec3(0.60, 0.66, 0.72), vec3(0.75, 0.79, 0.83), 0.5 + 0.5 * corner.y), 1.0);
}
