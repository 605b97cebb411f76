in vec2 corner;
out vec4 fragment;

void main()
{
    if (surroundings.x < 0.5) { // shades of the picture, not of the world: nothing that looks like a floor or a horizon
        vec2 c = 0.5 * corner;
        fragment = vec4(toDisplay(mix(vec3(0.36, 0.43, 0.52), vec3(0.56, 0.62, 0.69), 0.5 + c.y)), 1.0);
        return;
    }
    vec4 far = inverseViewProjection * vec4(corner, 1.0, 1.0);
    fragment = vec4(toDisplay(skyColor(normalize(far.xyz / far.w - eye.xyz))), 1.0);
}
