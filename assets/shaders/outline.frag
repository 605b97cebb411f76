out vec4 fragment;

void main()
{
    fragment = vec4(1.0, 0.62, 0.12, 1.0);
}
