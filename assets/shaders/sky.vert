// One triangle over the whole picture.
out vec2 corner;
out vec3 direction;

void main()
{
    corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    // All points of the far plane have the same w, so that this is linear in the picture.
    vec4 far = inverseViewProjection * vec4(corner, 1.0, 1.0);
    direction = far.xyz / far.w - eye.xyz;
    gl_Position = vec4(corner, 1.0, 1.0);
}
