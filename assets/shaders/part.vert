// Rectangles of the picture, as near as anything can be.
layout(location = 0) in vec4 rectangle; // left, bottom, right, top, -1 ... 1

void main()
{
    gl_Position = vec4((gl_VertexID & 1) != 0 ? rectangle.z : rectangle.x,
                       (gl_VertexID & 2) != 0 ? rectangle.w : rectangle.y, -1.0, 1.0);
}
