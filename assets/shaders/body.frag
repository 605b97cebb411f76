// PATTERN is a ctPattern: one program for each, since software renderers run through every branch.
uniform vec3 meshLo;
uniform vec3 meshHi;

in vec3 worldPosition;
in vec3 worldNormal;
in vec3 localPosition;
in vec3 localNormal;
flat in vec3 localScale;
flat in vec4 bodyColor;
flat in int state;

out vec4 fragment;

void main()
{
    vec3 n = normalize(worldNormal);
    vec3 albedo = patterned(PATTERN, bodyColor.rgb, localPosition, localNormal, meshLo * localScale, meshHi * localScale);
    if ((state & 1) != 0) { // asleep
        float grey = dot(albedo, vec3(0.3, 0.6, 0.1));
        albedo = mix(vec3(grey), vec3(0.25, 0.35, 0.62), 0.55);
    }
    vec3 color = shade(albedo, n, worldPosition, bodyColor.a);
    if ((state & 2) != 0) { // selected
        float rim = 1.0 - max(dot(n, normalize(eye.xyz - worldPosition)), 0.0);
        color = mix(color, vec3(1.0, 0.45, 0.02), 0.06 + 0.8 * smoothstep(0.45, 0.9, rim));
    }
    fragment = vec4(toDisplay(withFog(color, worldPosition)), 1.0);
}
