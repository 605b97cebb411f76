// One sun with a soft shadow, and a sky.
uniform sampler2DShadow shadowMap;

const vec3 sunColor = vec3(1.0, 0.955, 0.88) * 0.86;
const vec3 skyAmbient = vec3(0.8, 0.9, 1.0) * 0.3;
const vec3 groundAmbient = vec3(1.0, 0.93, 0.86) * 0.13;

vec3 skyColor(vec3 d)
{
    float up = clamp(d.z, -1.0, 1.0);
    vec3 horizon = vec3(0.78, 0.83, 0.87);
    vec3 zenith = vec3(0.22, 0.38, 0.58);
    vec3 nadir = vec3(0.42, 0.45, 0.48);
    return up >= 0.0 ? mix(horizon, zenith, 1.0 - exp(-2.2 * up)) : mix(horizon, nadir, 1.0 - exp(6.0 * up));
}

// How much of the sun arrives, 0 ... 1: nine filtered samples around the point.
float sunlight(vec3 position, vec3 normal)
{
    if (eye.w < 0.5) {
        return 1.0;
    }
    vec4 s = shadowMatrix * vec4(position + normal * light.w * 1.5, 1.0);
    vec3 c = s.xyz;
    vec2 fromCenter = abs(c.xy - 0.5) * 2.0;
    float fade = smoothstep(0.85, 1.0, max(fromCenter.x, fromCenter.y));
    if (fade >= 1.0 || c.z >= 1.0) {
        return 1.0;
    }
    float texel = 1.0 / float(textureSize(shadowMap, 0).x);
    float sum = 0.0;
    for (int i = -1; i <= 1; i++) {
        for (int j = -1; j <= 1; j++) {
            vec2 offset = vec2(float(i) + 0.35 * float(j), float(j) - 0.35 * float(i)) * 1.4 * texel;
            sum += texture(shadowMap, vec3(c.xy + offset, c.z));
        }
    }
    return mix(sum / 9.0, 1.0, fade);
}

vec3 shade(vec3 albedo, vec3 normal, vec3 position, float gloss)
{
    vec3 view = normalize(eye.xyz - position);
    float facing = dot(normal, light.xyz);
    float sun = facing > 0.0 ? sunlight(position, normal) * facing : 0.0;
    vec3 ambient = mix(groundAmbient, skyAmbient, 0.5 + 0.5 * normal.z);
    vec3 h = normalize(view + light.xyz);
    float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(view, normal), 0.0), 5.0);
    float highlight = pow(max(dot(normal, h), 0.0), 90.0) * 1.6;
    vec3 mirror = skyColor(reflect(-view, normal));
    vec3 color = albedo * (ambient + sun * sunColor);
    color += gloss * (fresnel * 0.5 * mirror + sun * highlight * 0.35);
    return color;
}

vec3 toDisplay(vec3 linear)
{
    return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2));
}

vec3 withFog(vec3 color, vec3 position)
{
    vec3 d = position - eye.xyz;
    float x = length(d) / viewport.z;
    return mix(color, skyColor(vec3(0.0, 0.0, 0.0)), 1.0 - exp(-x * x));
}
