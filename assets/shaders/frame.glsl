// What every shader of a frame shares. Positions are in metres along the world's axes, z up, from the frame's origin.
layout(std140) uniform Frame {
    mat4 viewProjection;
    mat4 inverseViewProjection;
    mat4 shadowMatrix; // to shadow texture coordinates and depth
    vec4 eye;          // xyz, w: 1 when shadows are on
    vec4 light;        // xyz towards the light, w: texel size of the shadow map
    vec4 viewport;     // width, height in pixels; z: fog distance (m); w: floor cell (m)
};

// Where a point of a surface is in the shadow map. It lies a little above the surface, or the surface would shade itself.
vec3 toShadowMap(vec3 position, vec3 normal)
{
    return (shadowMatrix * vec4(position + normal * light.w * 1.5, 1.0)).xyz;
}
