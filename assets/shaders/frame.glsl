// What every shader of a frame shares. Positions are in metres, world frame, z up.
layout(std140) uniform Frame {
    mat4 viewProjection;
    mat4 inverseViewProjection;
    mat4 shadowMatrix; // world to shadow texture coordinates and depth
    vec4 eye;          // xyz, w: 1 when shadows are on
    vec4 light;        // xyz towards the light, w: texel size of the shadow map
    vec4 viewport;     // width, height in pixels; z: fog distance (m); w: floor cell (m)
};
