// One sun with a soft shadow, and a sky.
uniform sampler2DShadow shadowMap;

const vec3 sunColor = vec3(1.0, 0.955, 0.88) * 0.86;
const vec3 skyAmbient = vec3(0.8, 0.9, 1.0) * 0.3;
const vec3 groundAmbient = vec3(1.0, 0.93, 0.86) * 0.13;

// Rational curves stand in for exponentials, products for powers: software renderers feel each of them.
vec3 skyColor(vec3 d)
{
    vec3 horizon = vec3(0.78, 0.83, 0.87);
    vec3 zenith = vec3(0.2, 0.36, 0.56);
    vec3 nadir = vec3(0.4, 0.43, 0.46);
    float away = max(3.4 * d.z, -8.0 * d.z);
    return mix(horizon, d.z > 0.0 ? zenith : nadir, away / (1.0 + away));
}

// How much of the sun arrives at a place in the shadow map, 0 ... 1: two filtered samples around the point. No
// shadow lies beyond the border of the map (UNSHADOWED).
float sunlight(vec3 c)
{
#ifdef UNSHADOWED
    return 1.0;
#else
    vec2 fromCenter = abs(c.xy - 0.5);
    float fade = clamp((max(fromCenter.x, fromCenter.y) - 0.42) * 12.5, 0.0, 1.0);
    vec2 aside = vec2(0.7, 0.45) / vec2(textureSize(shadowMap, 0));
    c.z = min(c.z, 1.0);
    float sum = texture(shadowMap, vec3(c.xy + aside, c.z)) + texture(shadowMap, vec3(c.xy - aside, c.z));
    return mix(0.5 * sum, 1.0, max(fade, 1.0 - eye.w));
#endif
}

vec3 shade(vec3 albedo, vec3 normal, vec3 position, vec3 shadowPlace, float gloss)
{
    vec3 view = normalize(eye.xyz - position);
    float sun = max(dot(normal, light.xyz), 0.0) * sunlight(shadowPlace);
    vec3 ambient = mix(groundAmbient, skyAmbient, 0.5 + 0.5 * normal.z);
    float h = max(dot(normal, normalize(view + light.xyz)), 0.0);
    float h8 = (h * h) * (h * h) * (h * h) * (h * h), h64 = (h8 * h8) * (h8 * h8) * (h8 * h8) * (h8 * h8);
    float away = 1.0 - max(dot(view, normal), 0.0);
    float fresnel = 0.02 + 0.48 * (away * away) * (away * away) * away;
    vec3 color = albedo * (ambient + sun * sunColor);
    return color + gloss * (fresnel * skyColor(reflect(-view, normal)) + 0.56 * sun * h64);
}

vec3 toDisplay(vec3 linear)
{
    // A film's curve (Narkowicz's fit of ACES): highlights roll off instead of burning out, shadows keep their colour.
    vec3 x = 0.85 * linear;
    vec3 mapped = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return sqrt(clamp(mapped, 0.0, 1.0));
}

vec3 withFog(vec3 color, vec3 position)
{
    vec3 d = (position - eye.xyz) / viewport.z;
    float x = dot(d, d);
    return mix(color, vec3(0.78, 0.83, 0.87), x / (1.0 + x));
}
