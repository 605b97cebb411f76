in vec3 direction;
out vec4 fragment;

void main()
{
    fragment = vec4(toDisplay(skyColor(normalize(direction))), 1.0);
}
