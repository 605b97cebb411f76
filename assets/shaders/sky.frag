in vec2 corner;
out vec4 fragment;

void main()
{
    vec4 far = inverseViewProjection * vec4(corner, 1.0, 1.0);
    fragment = vec4(toDisplay(skyColor(normalize(far.xyz / far.w - eye.xyz))), 1.0);
}
