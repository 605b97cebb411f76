// The scene language: what scripts make, the sandbox they run in, the list of demos, the documentation's examples.
#include "app/scene_options.h"
#include "collision/memory.h"
#include "collision/quat.h"
#include "scenes/measure.h"
#include "scenes/nearest.h"
#include "scenes/scene.h"
#include "tests/support/script.h"
#include "tests/support/solid.h"
#include "tests/support/suite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char platter[] =
    "-- What to watch.\n--\n-- And why.\n"
    "scene { title = 'Ball on a platter', gravity = {0, 0, -1.62}, seconds = 20, law = 'poisson', contact = "
    "'microcollision',\n"
    "        tab = 'Rolling', camera = { eye = {1.5, -1.5, 1}, target = {0, 0, 0.1}, fov = 35 } }\n"
    "camera('above', { eye = {0, 0, 3}, target = {0, 0.1, 0} })\n"
    "local omega = param('omega', 3.0, 0, 10, 'platter speed (rad/s)')\n"
    "local free = param('free', 1, 0, 2)\n"
    "material('rubber', { friction = 1.0, restitution = 0.5, density = 1100, rolling = 0.001, spinning = 0.002 })\n"
    "material('steel', { friction = 0.25, restitution = 0.9, tangential_restitution = -0.5, sigma = 0.25 })\n"
    "material('ice', { friction = 0.01 })\n"
    "contact('rubber', 'steel', { friction = 0.8, restitution = 0.3 })\n"
    "body { name = 'platter', motion = 'kinematic', shape = cylinder { radius = 1, height = 0.05 }, position = {0, 0, "
    "-0.025},\n"
    "       spin = {0, 0, omega}, material = 'steel', color = {0.7, 0.7, 0.75}, pattern = 'spokes' }\n"
    "body { name = 'ball', shape = sphere { radius = 0.05 }, mass = 0.5, position = {0.3, 0, 0.0501},\n"
    "       velocity = {0, 0.9, 0}, spin = {-18, 0, 0}, material = 'rubber', visible = false,\n"
    "       rotate = { { axis = {0, 0, 2}, degrees = 90 }, { axis = {1, 0, 0}, degrees = 90 } } }\n"
    "body { shape = sphere { radius = 0.05 }, position = {-0.3, 0, 0.06}, material = 'rubber', orientation = {0, 0, 2, "
    "0} }\n";

START_TEST(a_scene_holds_what_its_script_says)
{
    ctScene *s = ctMustLoadText(platter, NULL);
    ck_assert_str_eq(s->title, "Ball on a platter");
    ck_assert_str_eq(s->tab, "Rolling");
    ck_assert_str_eq(s->description, "What to watch.\n\nAnd why.");
    ck_assert(strncmp(s->name, "clatter-test-", 13) == 0 && strchr(s->name, '.') == NULL);
    ck_assert(s->seconds == 20.0);
    ctWorldDef def = ctWorld_GetSettings(s->world);
    ck_assert(def.law == ct_lawPoisson && def.contact == ct_contactMicrocollision && def.gravity.z == -1.62);
    ck_assert(def.frameTime == 1.0 / 60.0 && !def.audit);
    ck_assert_int_eq(s->cameraCount, 2);
    ck_assert_str_eq(s->cameras[0].name, "default");
    ck_assert(s->cameras[0].fov == 35.0 && s->cameras[0].target.z == 0.1);
    ck_assert_str_eq(s->cameras[1].name, "above");
    ck_assert(s->cameras[1].fov == 40.0 && s->cameras[1].eye.z == 3.0);
    ck_assert_int_eq(s->paramCount, 2);
    ck_assert_str_eq(s->params[0].name, "omega");
    ck_assert_str_eq(s->params[0].label, "platter speed (rad/s)");
    ck_assert_str_eq(s->params[1].label, "free");
    ck_assert(s->params[0].value == 3.0 && s->params[0].initial == 3.0 && s->params[0].max == 10.0);
    ctScene_Destroy(s);
    ctScene_Destroy(NULL);
}
END_TEST

START_TEST(bodies_and_materials_are_as_declared)
{
    ctScene *s = ctMustLoadText(platter, NULL);
    const ctWorld *w = s->world;
    ck_assert_int_eq(ctWorld_GetBodyCount(w), 3);
    ctBodyId turning = ctMustFind(s, "platter"), ball = ctMustFind(s, "ball"), third = ctMustFind(s, "sphere 3");
    ck_assert(ctBody_GetMotionType(w, turning) == ct_motionKinematic && ctBody_GetSpin(w, turning).z == 3.0);
    ck_assert(ctBody_GetMass(w, ball) == 0.5 && ctBody_GetVelocity(w, ball).y == 0.9);
    ctAssertClose(ctBody_GetInertia(w, ball).cx.x, 0.4 * 0.5 * 0.05 * 0.05, 1e-15);
    ctAssertClose(ctBody_GetMass(w, third), 1100.0 * 4.0 / 3.0 * CT_PI * 0.05 * 0.05 * 0.05, 1e-12);
    // First about z, then about x: x -> y -> z.
    ctVec3 x = ctRotate(ctBody_GetTransform(w, ball).q, ctV3(1, 0, 0));
    ctAssertClose(ctDistance(x, ctV3(0, 0, 1)), 0.0, 1e-15);
    ctAssertClose(fabs(ctBody_GetTransform(w, third).q.y), 1.0, 1e-15);
    ctMaterialId none = {0}, rubber = ctBody_GetMaterial(w, ball), steel = ctBody_GetMaterial(w, turning);
    ctCoefficients pair = ctWorld_GetPair(w, rubber, steel);
    ck_assert(pair.friction == 0.8 && pair.restitution == 0.3 && pair.tangentialRestitution == 0.0);
    ck_assert(pair.sigma == 0.25 && pair.rolling == 0.001 && pair.spinning == 0.002);
    ctMaterialId ice = {3};
    ck_assert_str_eq(ctWorld_GetMaterialName(w, ice), "ice");
    ctAssertClose(ctWorld_GetPair(w, ice, steel).friction, sqrt(0.01 * 0.25), 1e-15);
    ck_assert(ctWorld_GetPair(w, ice, none).restitution == 0.5 && ctWorld_GetMaterialDensity(w, ice) == 1000.0);
    ck_assert_int_eq(s->lookCount, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(ctBody_GetUserData(w, ctWorld_GetBody(w, i)), (uint64_t)i);
    }
    ck_assert(s->looks[0].pattern == ct_patternSpokes && s->looks[0].color.z == 0.75 && !s->looks[0].hidden);
    ck_assert(s->looks[1].pattern == ct_patternPlain && s->looks[1].hidden);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(the_caller_has_the_last_word)
{
    ctSceneArguments a = {0};
    ctError error = {ct_ok, ""};
    ck_assert(ctParseSetting("omega=4.5", &a, &error) && ctParseSetting("free=2", &a, &error));
    ck_assert(ctParseSetting("free=0.5", &a, &error)); // the last one counts
    ck_assert(ctParseLaw("algebraic", &a, &error) && ctParseContact("island", &a, &error));
    a.scene.hasFriction = a.scene.hasRestitution = a.scene.hasFps = a.scene.audit = true;
    a.scene.friction = 0.125;
    a.scene.restitution = 0.75;
    a.scene.fps = 240.0;
    ctScene *s = ctMustLoadText(platter, &a.scene);
    ck_assert(s->params[0].value == 4.5 && s->params[0].initial == 3.0 && s->params[1].value == 0.5);
    ck_assert(ctBody_GetSpin(s->world, ctMustFind(s, "platter")).z == 4.5);
    ctWorldDef def = ctWorld_GetSettings(s->world);
    ck_assert(def.law == ct_lawAlgebraic && def.contact == ct_contactIsland && def.audit);
    ck_assert(def.frameTime == 1.0 / 240.0);
    int count = ctWorld_GetMaterialCount(s->world);
    ck_assert_int_eq(count, 4);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            ctCoefficients pair = ctWorld_GetPair(s->world, (ctMaterialId){i}, (ctMaterialId){j});
            ck_assert(pair.friction == 0.125 && pair.restitution == 0.75);
        }
    }
    ctScene_Destroy(s);
}
END_TEST

START_TEST(bad_options_are_refused)
{
    static const char *const words[] = {"omega", "=1", "omega=", "omega=1x", "omega=nan", "omega=inf"};
    ctSceneArguments a = {0};
    for (int i = 0; i < 6; i++) {
        ctError error = {ct_ok, ""};
        ck_assert_msg(!ctParseSetting(words[i], &a, &error), "%s", words[i]);
        ck_assert(strstr(error.message, "NAME=VALUE") != NULL);
    }
    ck_assert_int_eq(a.scene.settingCount, 0);
    ctError error = {ct_ok, ""};
    ck_assert(!ctParseLaw("newton", &a, &error) && !a.scene.hasLaw);
    ck_assert_str_eq(error.message,
                     "unknown law 'newton'; it is one of stronge, poisson, algebraic, composite, compliant");
    ck_assert(!ctParseContact("soft", &a, &error) && !a.scene.hasContact);
    ctSceneOptions bad[3] = {{.hasFriction = true, .friction = -1.0},
                             {.hasRestitution = true, .restitution = 1.5},
                             {.hasFps = true, .fps = 0.0}};
    for (int i = 0; i < 3; i++) {
        error.status = ct_ok;
        ck_assert(ctLoadText(platter, &bad[i], &error) == NULL && error.status == ct_badArgument);
    }
}
END_TEST

START_TEST(a_script_may_say_nothing)
{
    ctScene *s = ctMustLoadText("", NULL);
    ck_assert_str_eq(s->title, s->name);
    ck_assert_str_eq(s->tab, "");
    ck_assert_str_eq(s->description, "");
    ck_assert(s->seconds == 10.0);
    ck_assert_int_eq(s->cameraCount, 1);
    ck_assert_int_eq(ctWorld_GetBodyCount(s->world), 0);
    ctWorldDef def = ctWorld_GetSettings(s->world);
    ck_assert(def.gravity.z == -9.81 && def.law == ct_lawStronge && def.contact == ct_contactIsland);
    ctScene_Destroy(s);
    // scene { } after the bodies still holds for them.
    s = ctMustLoadText("body { shape = sphere { radius = 1 } } scene { gravity = {0, 0, -3}, law = 'composite' }",
                       NULL);
    def = ctWorld_GetSettings(s->world);
    ck_assert(def.gravity.z == -3.0 && def.law == ct_lawComposite);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(every_shape_has_its_volume)
{
    static const struct {
        const char *shape;
        double volume, tolerance;
    } cases[] = {
        {"sphere { radius = 0.3 }", 4.0 / 3.0 * CT_PI * 0.027, 1e-12},
        {"box { size = {0.1, 0.2, 0.3} }", 0.006, 1e-12},
        {"cylinder { radius = 0.2, height = 0.5 }", CT_PI * 0.04 * 0.5, 1e-12},
        {"capsule { radius = 0.2, height = 0.5 }", CT_PI * 0.04 * (0.5 + 0.8 / 3.0), 1e-12},
        {"cone { radius = 0.2, height = 0.6 }", CT_PI * 0.04 * 0.2, 1e-12},
        {"ellipsoid { radii = {0.1, 0.2, 0.3} }", 4.0 / 3.0 * CT_PI * 0.006, 1e-12},
        {"hull { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1} } }", 1.0 / 6.0, 1e-12},
        {"lathe { profile = { {0, 0}, {0.2, 0}, {0.2, 0.5}, {0, 0.5} } }", CT_PI * 0.04 * 0.5, 1e-12},
        {"lathe { profile = { {0.2, 0}, {0.1, 0.3}, {0.2, 0.6} } }", 2.0 * CT_PI * 0.3 * 0.07 / 3.0, 1e-12},
        {"compound { { shape = box { size = {1, 1, 1} } }, { shape = box { size = {1, 1, 1} }, position = {0, 0, 2} } "
         "}",
         2.0, 1e-12},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        char text[400];
        snprintf(text, sizeof text, "body { name = 'it', shape = %s, density = 1 }", cases[i].shape);
        ctScene *s = ctMustLoadText(text, NULL);
        double mass = ctBody_GetMass(s->world, ctMustFind(s, "it"));
        ck_assert_msg(fabs(mass - cases[i].volume) <= cases[i].tolerance, "%s has volume %.15g, not %.15g",
                      cases[i].shape, mass, cases[i].volume);
        ctScene_Destroy(s);
    }
    // A hollow ball is harder to turn: 2/3 m r^2 instead of 2/5.
    ctScene *s = ctMustLoadText("body { name = 'it', shape = sphere { radius = 2, hollow = true }, mass = 3 }", NULL);
    ctAssertClose(ctBody_GetInertia(s->world, ctMustFind(s, "it")).cy.y, 2.0 / 3.0 * 3.0 * 4.0, 1e-12);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(centre_and_inertia_can_be_given)
{
    ctScene *s = ctMustLoadText("body { name = 'it', shape = sphere { radius = 1 }, mass = 2, center = {0, 0, -0.25},\n"
                                "inertia = {1, 2, 2.5, 0.1, -0.2, 0.3}, position = {5, 0, 0},\n"
                                "rotate = { axis = {0, 1, 0}, degrees = 90 } }",
                                NULL);
    ctBodyId it = ctMustFind(s, "it");
    ctMat3 i = ctBody_GetInertia(s->world, it);
    ctAssertClose(i.cx.x, 1.0, 1e-14);
    ctAssertClose(i.cy.y, 2.0, 1e-14);
    ctAssertClose(i.cz.z, 2.5, 1e-14);
    ctAssertClose(i.cy.x, 0.1, 1e-14);
    ctAssertClose(i.cz.x, -0.2, 1e-14);
    ctAssertClose(i.cz.y, 0.3, 1e-14);
    ctAssertClose(ctDistance(ctBody_GetCenter(s->world, it), ctV3(4.75, 0, 0)), 0.0, 1e-15);
    ctAssertClose(ctDistance(ctBody_GetTransform(s->world, it).p, ctV3(5, 0, 0)), 0.0, 1e-15);
    ctScene_Destroy(s);
}
END_TEST

// Assertions in Lua: the script itself fails when one does not hold.
START_TEST(groups_sensors_and_colours)
{
    ctScene *s = ctMustLoadText("local b = sphere { radius = 1 }\n"
                                "body { shape = b, group = 'x', collides_with = {'default', 'y'}, color = '#ff0000' }\n"
                                "body { shape = b, group = {'y', 'x'}, collides_with = 'y', color = 'white' }\n"
                                "body { shape = b, motion = 'fixed', sensor = true, collides_with = {} }\n",
                                NULL);
    ctFilter one = ctBody_GetFilter(s->world, ctWorld_GetBody(s->world, 0));
    ctFilter two = ctBody_GetFilter(s->world, ctWorld_GetBody(s->world, 1));
    ctFilter three = ctBody_GetFilter(s->world, ctWorld_GetBody(s->world, 2));
    ck_assert(one.category == 2 && one.mask == 5 && two.category == 6 && two.mask == 4);
    ck_assert(three.category == 1 && three.mask == 0 && ctBody_IsSensor(s->world, ctWorld_GetBody(s->world, 2)));
    ck_assert(s->looks[0].color.x == 1.0 && s->looks[0].color.y == 0.0);
    ctAssertClose(s->looks[1].color.z, 1.0, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(forces_and_belts)
{
    ctScene *s =
        ctMustLoadText("local b = sphere { radius = 0.1 }\n"
                       "body { shape = b, force = {1, 2, 3}, torque = {0, 0, 0.1}, drag = 0.5 }\n"
                       "body { shape = b, position = {1, 0, 0}, drag = { angular = 2 } }\n"
                       "body { shape = b, position = {2, 0, 0}, motion = 'fixed', surface_velocity = {1, 0, 0} }\n"
                       "body { shape = b, position = {3, 0, 0}, motion = 'kinematic',\n"
                       "       surface_velocity = { angular = {0, 0, 3} } }\n",
                       NULL);
    ctBodyId id[4];
    for (int i = 0; i < 4; i++) {
        id[i] = ctWorld_GetBody(s->world, i);
    }
    double linear, angular;
    ctVec3 v, w;
    ck_assert(ctBody_GetForce(s->world, id[0]).z == 3.0 && ctBody_GetTorque(s->world, id[0]).z == 0.1);
    ctBody_GetDrag(s->world, id[0], &linear, &angular);
    ck_assert(linear == 0.5 && angular == 0.5);
    ctBody_GetDrag(s->world, id[1], &linear, &angular);
    ck_assert(linear == 0.0 && angular == 2.0);
    ctBody_GetSurfaceVelocity(s->world, id[2], &v, &w);
    ck_assert(v.x == 1.0 && w.z == 0.0);
    ctBody_GetSurfaceVelocity(s->world, id[3], &v, &w);
    ck_assert(v.x == 0.0 && w.z == 3.0);
    ctScene_Destroy(s);
    s = ctMustLoadText("body { shape = sphere { radius = 0.1 }, motion = 'kinematic',\n"
                       "  path = { { time = 0 }, { time = 1, position = {1, 0, 0}, velocity = {2, 0, 0} },\n"
                       "           { time = 2, position = {0, 0, 0} }, loop = true } }\n",
                       NULL);
    ck_assert(ctBody_HasPath(s->world, ctWorld_GetBody(s->world, 0)));
    for (int i = 0; i < 60; i++) {
        ck_assert(ctWorld_Step(s->world, NULL));
    }
    ctAssertClose(ctBody_GetVelocity(s->world, ctWorld_GetBody(s->world, 0)).x, 2.0, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(places_for_many_bodies)
{
    ctScene *s = ctMustLoadText(
        "local b = sphere { radius = 0.1 }\n"
        "for _, p in ipairs(row(3, {1, 0, 0}, {0, 5, 0})) do body { shape = b, position = p } end\n"
        "for _, p in ipairs(grid({2, 1, 2}, {1, 1, 1}, {0, 9, 0})) do body { shape = b, position = p } end\n"
        "local places, angles = ring(4, 2)\n"
        "for i, p in ipairs(places) do body { name = 'r' .. angles[i], shape = b, position = p } end\n"
        "body { name = 'floor', shape = plane { normal = {0, 0, 1}, offset = -2 } }\n"
        "body { name = 'cone', motion = 'fixed', shape = cone { radius = 0.5, height = 1 },\n"
        "       position = on_top_of('floor', cone { radius = 0.5, height = 1 }, {20, 0, 0}) }\n"
        "body { name = 'top', shape = b, position = on_top_of('cone', b, {0.2, 0, 0}) }\n",
        NULL);
    const ctWorld *w = s->world;
    ctAssertClose(ctBody_GetCenter(w, ctWorld_GetBody(w, 2)).x, 2.0, 0.0);
    ctAssertClose(ctBody_GetCenter(w, ctWorld_GetBody(w, 3)).z, -0.5, 0.0);
    ctAssertClose(ctBody_GetCenter(w, ctWorld_GetBody(w, 6)).x, 0.5, 0.0);
    ctAssertClose(ctBody_GetCenter(w, ctWorld_FindBody(w, "r90.0")).y, 2.0, 1e-12);
    ctAssertClose(ctBody_GetTransform(w, ctWorld_FindBody(w, "cone")).p.z, -1.5, 1e-9);
    // The ball touches the cone's side: at 0.2 m from the axis, 0.1 m from the surface.
    ctNearest near;
    ck_assert(ctWorld_Closest(w, ctWorld_FindBody(w, "top"), ctWorld_FindBody(w, "cone"), &near));
    ctAssertClose(near.distance, 0.0, 1e-9);
    ctAssertClose(ctBody_GetCenter(w, ctWorld_FindBody(w, "top")).x, 20.2, 1e-12);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(scripts_have_the_language_they_expect)
{
    ctScene_Destroy(ctMustLoadText(
        "assert(math.sin(0) == 0 and string.format('%d', 3) == '3' and table.concat({1, 2}, '-') == '1-2')\n"
        "local ok, message = pcall(error, 'x') assert(not ok and message == 'x')\n"
        "local a, b, c = pcall(function(...) return ... end, 1, 2) assert(a and b == 1 and c == 2)\n"
        "local d, e = xpcall(error, function(m) return m .. '!' end, 'y') assert(d == false and e == 'y!')\n"
        "assert(select('#', xpcall(function() return 1, 2 end, print)) == 3)\n"
        "assert(not pcall(body, { shape = 3 }))\n"
        "assert(('x=1, y=2'):gsub('(%w+)=(%w+)', '%2=%1') == '1=x, 2=y')\n"
        "assert(('hello world'):find('o w', 1, true) == 5 and ('ab'):rep(3, '-') == 'ab-ab-ab')\n"
        "for word in ('one two'):gmatch('%a+') do assert(#word == 3) end\n"
        "local t = {} for i = 1, 100 do table.insert(t, 1, i) end table.sort(t) assert(t[1] == 1 and table.remove(t) "
        "== 100)\n"
        "assert(#table.move({1, 2, 3}, 1, 3, 1, {}) == 3 and select('#', table.unpack({1, 2})) == 2)\n"
        "local m = setmetatable({}, { __index = function(_, k) return k .. '?' end }) assert(m.x == 'x?')\n"
        "assert(type(_G.sphere) == 'function' and rawget(_G, 'nothing') == nil and _VERSION == 'Lua 5.4')\n"
        "assert(body { name = 'b', shape = sphere { radius = 1 } } == 'b')\n"
        "assert(material('m', {}) == 'm')\n"
        "global = 3 assert(global == 3)\n",
        NULL));
}
END_TEST

START_TEST(tables_are_walked_in_order)
{
    ctScene_Destroy(ctMustLoadText(
        "local t = { delta = 4, alpha = 1, ['2'] = 'two', [10] = 'ten', [-1] = 'minus', [2.5] = 'x', [true] = 'yes' }\n"
        "local seen = {}\n"
        "for k, v in pairs(t) do seen[#seen + 1] = tostring(k) end\n"
        "assert(table.concat(seen, ' ') == '-1 2.5 10 2 alpha delta true', table.concat(seen, ' '))\n"
        "for k in pairs(t) do t[k] = nil end assert(next(t) == nil)\n"
        "t = { b = 1, a = 2 } assert(next(t) == 'a' and next(t, 'a') == 'b' and next(t, 'b') == nil)\n"
        "t = { 1, 2, 3 } for k in pairs(t) do if k == 1 then t[2] = nil end assert(k ~= 2) end\n"
        "local p = setmetatable({}, { __pairs = function(x) return function(_, k) return not k and 1 or nil end, x, "
        "nil end })\n"
        "for k in pairs(p) do assert(k == 1) end\n",
        NULL));
}
END_TEST

typedef struct Printed {
    char text[400];
    int lines;
} Printed;

static void collect(void *context, const char *line)
{
    Printed *p = context;
    size_t used = strlen(p->text);
    snprintf(p->text + used, sizeof p->text - used, "%s|", line);
    p->lines++;
}

START_TEST(printing_goes_to_the_caller)
{
    Printed p = {"", 0};
    ctSceneOptions options = {.print = collect, .printContext = &p};
    ctScene_Destroy(ctMustLoadText("print('a', 1, nil) print() print(2.5)", &options));
    ck_assert_str_eq(p.text, "a\t1\tnil||2.5|");
    p = (Printed){"", 0};
    ctScene_Destroy(ctMustLoadText("for i = 1, 5000 do print(i) end", &options));
    ck_assert_int_eq(p.lines, 1000);
    ctScene_Destroy(ctMustLoadText("print('nobody listens')", NULL));
}
END_TEST

START_TEST(random_numbers_are_the_same_every_time)
{
    static const char text[] =
        "print(random()) print(random(-1, 1)) print(random_int(1, 6)) print(random_normal())\n"
        "print(math.random()) print(math.random(6)) print(math.random(3, 4))\n"
        "seed(5) local a = random() seed(5) assert(a == random()) seed(6) assert(a ~= random())\n"
        "math.randomseed(5) assert(a == random())\n";
    Printed first = {"", 0}, second = {"", 0};
    ctSceneOptions options = {.print = collect, .printContext = &first};
    ctScene_Destroy(ctMustLoadText(text, &options));
    options.printContext = &second;
    ctScene_Destroy(ctMustLoadText(text, &options));
    ck_assert_str_eq(first.text, second.text);
    // Moments over many draws: 4 standard errors.
    ctScene_Destroy(ctMustLoadText(
        "local n, s1, s2, u, faces = 40000, 0, 0, 0, {0, 0, 0, 0, 0, 0}\n"
        "for i = 1, n do\n"
        "  local x = random_normal(2, 3) s1 = s1 + x s2 = s2 + (x - 2) ^ 2\n"
        "  local v = random(10, 20) assert(v >= 10 and v < 20) u = u + v\n"
        "  local f = random_int(1, 6) faces[f] = faces[f] + 1\n"
        "end\n"
        "assert(math.abs(s1 / n - 2) < 4 * 3 / math.sqrt(n)) assert(math.abs(s2 / n - 9) < 4 * 9 * math.sqrt(2 / n))\n"
        "assert(math.abs(u / n - 15) < 4 * 10 / math.sqrt(12 * n))\n"
        "for i = 1, 6 do assert(math.abs(faces[i] - n / 6) < 4 * math.sqrt(n * 5 / 36)) end\n",
        NULL));
}
END_TEST

START_TEST(a_scene_is_the_same_every_time)
{
    static const char text[] =
        "local s, colors = sphere { radius = 0.01 }, { red = 1, green = 2, blue = 3, gold = 4 }\n"
        "local n = 0\n"
        "for name, k in pairs(colors) do for i = 1, 20 do n = n + 1\n"
        "  body { name = name .. i, shape = s, position = { n, random(), k } } end end\n";
    uint64_t hash = 0;
    for (int i = 0; i < 5; i++) {
        ctScene *s = ctMustLoadText(text, NULL);
        ck_assert_str_eq(ctBody_GetName(s->world, ctWorld_GetBody(s->world, 0)), "blue1");
        uint64_t h = ctWorld_Hash(s->world);
        ck_assert(i == 0 || h == hash);
        hash = h;
        ctScene_Destroy(s);
    }
}
END_TEST

START_TEST(loading_survives_every_refused_allocation)
{
    ctFailingMemory memory = {0};
    ctSetAllocator(ctFailingRealloc, &memory);
    ctScene_Destroy(ctMustLoadText(platter, NULL));
    ck_assert_int_eq(memory.alive, 0);
    long total = memory.calls;
    ck_assert_int_gt(total, 20);
    for (long i = 1; i <= total; i++) {
        memory = (ctFailingMemory){.failAt = i};
        ctError error = {ct_ok, ""};
        ctScene *scene = ctLoadText(platter, NULL, &error);
        // Where memory only speeds something up, loading may succeed.
        ck_assert_msg(scene != NULL || error.status != ct_ok, "allocation %ld failed in silence", i);
        ctScene_Destroy(scene);
        ck_assert_msg(memory.alive == 0, "allocation %ld leaked", i);
    }
    ctSetAllocator(NULL, NULL);
}
END_TEST

START_TEST(names_are_suggested_when_they_are_near)
{
    static const char *const names[] = {"friction", "restitution", "rolling", "sigma", NULL};
    ck_assert_str_eq(ctNearestName("frictoin", names), "friction");
    ck_assert_str_eq(ctNearestName("restitutions", names), "restitution");
    ck_assert_str_eq(ctNearestName("sgma", names), "sigma");
    ck_assert_ptr_null(ctNearestName("colour", names));
    ck_assert_ptr_null(ctNearestName("", names));
    ck_assert_int_eq(ctTypingDistance("kitten", "sitting"), 3);
    ck_assert_int_eq(ctTypingDistance("ab", "ba"), 1);
    ck_assert_int_eq(ctTypingDistance("", "abc"), 3);
    char word[100];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    ck_assert_int_eq(ctTypingDistance(word, "a"), INT_MAX);
}
END_TEST

START_TEST(the_demos_are_listed_in_order)
{
    static const char *const order[] = {"bowling",   "coins",    "marbles", "platter",   "ramp",
                                        "superball", "dominoes", "tower",   "billiards", "galton",
                                        "gas",       "tumble",   "disk",    "rattleback"};
    ctDemo *demos;
    int count;
    ctError error = {ct_ok, ""};
    ck_assert_msg(ctDemos_List(&demos, &count, &error), "%s", error.message);
    ck_assert_int_ge(count, 14);
    for (int i = 0; i < 14; i++) {
        ck_assert_str_eq(demos[i].name, order[i]);
    }
    // What the list reads from the text is what running the script says.
    for (int i = 0; i < count; i++) {
        ctScene *s = ctScene_Load(demos[i].name, NULL, &error);
        ck_assert_msg(s != NULL, "%s", error.message);
        ck_assert_str_eq(s->title, demos[i].title);
        ck_assert_str_eq(s->tab, demos[i].tab);
        ck_assert_str_eq(s->description, demos[i].description);
        ck_assert_str_eq(s->name, demos[i].name);
        ck_assert_str_eq(s->path, demos[i].path);
        ck_assert_int_ge((int)strlen(s->description), 100);
        ck_assert_int_ge((int)strlen(s->tab), 3);
        ck_assert_int_ge(s->paramCount, 2);
        ck_assert_int_le(s->paramCount, 5);
        ctScene_Destroy(s);
    }
    ctDemos_Free(demos, count);
}
END_TEST

// Every parameter of every demo at both ends of its range makes a scene that loads.
START_TEST(the_demos_load_at_the_ends_of_their_ranges)
{
    ctDemo *demos;
    int count;
    ck_assert(ctDemos_List(&demos, &count, NULL));
    for (int i = 0; i < count; i++) {
        ctScene *base = ctScene_Load(demos[i].name, NULL, NULL);
        ck_assert(base != NULL);
        for (int p = 0; p < 2 * base->paramCount; p++) {
            const ctSceneParam *param = &base->params[p / 2];
            ctSetting setting = {param->name, p % 2 == 0 ? param->min : param->max};
            ctSceneOptions options = {.settings = &setting, .settingCount = 1};
            ctError error = {ct_ok, ""};
            ctScene *s = ctScene_Load(demos[i].name, &options, &error);
            ck_assert_msg(s != NULL, "--set %s=%g: %s", setting.name, setting.value, error.message);
            ctScene_Destroy(s);
        }
        ctScene_Destroy(base);
    }
    ctDemos_Free(demos, count);
}
END_TEST

START_TEST(data_are_found)
{
    char *found = ctData_Find("scenes/bowling.lua");
    ck_assert(found != NULL && access(found, R_OK) == 0);
    free(found);
    ck_assert_ptr_null(ctData_Find("scenes/no such file"));
    char folder[] = "/tmp/clatter-data-XXXXXX", file[100];
    ck_assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/only here.txt", folder);
    fclose(fopen(file, "w"));
    ck_assert_ptr_null(ctData_Find("only here.txt"));
    setenv("CLATTER_DATA", folder, 1);
    found = ctData_Find("only here.txt");
    ck_assert(found != NULL);
    ck_assert_str_eq(found, file);
    free(found);
    unsetenv("CLATTER_DATA");
    remove(file);
    remove(folder);
}
END_TEST

// Every block marked lua in the documentation is a scene that loads.
START_TEST(the_examples_of_the_documentation_load)
{
    FILE *file = fopen("docs/scenes.md", "r");
    ck_assert(file != NULL);
    char line[1000], text[8000] = "";
    int examples = 0, number = 0, start = 0;
    bool inside = false;
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        if (!inside && strcmp(line, "```lua\n") == 0) {
            inside = true;
            start = number;
            text[0] = '\0';
        } else if (inside && strcmp(line, "```\n") == 0) {
            inside = false;
            examples++;
            ctError error = {ct_ok, ""};
            ctScene *scene = ctLoadText(text, NULL, &error);
            ck_assert_msg(scene != NULL, "the example at line %d: %s", start, error.message);
            for (int i = 0; i < 200; i++) {
                ck_assert_msg(ctScene_Step(scene, &error), "the example at line %d: %s", start, error.message);
            }
            for (int i = 0; i < scene->measureCount; i++) {
                double value;
                ck_assert_msg(ctScene_Measure(scene, i, &value, &error) && !isnan(value), "the example at line %d: %s",
                              start, error.message);
            }
            ctScene_Destroy(scene);
        } else if (inside) {
            ck_assert(strlen(text) + strlen(line) < sizeof text);
            strcat(text, line);
        }
    }
    fclose(file);
    ck_assert_int_ge(examples, 8);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenes");
    TCase *language = tcase_create("language");
    tcase_add_test(language, a_scene_holds_what_its_script_says);
    tcase_add_test(language, bodies_and_materials_are_as_declared);
    tcase_add_test(language, the_caller_has_the_last_word);
    tcase_add_test(language, bad_options_are_refused);
    tcase_add_test(language, a_script_may_say_nothing);
    tcase_add_test(language, every_shape_has_its_volume);
    tcase_add_test(language, centre_and_inertia_can_be_given);
    tcase_add_test(language, groups_sensors_and_colours);
    tcase_add_test(language, forces_and_belts);
    tcase_add_test(language, places_for_many_bodies);
    tcase_add_test(language, scripts_have_the_language_they_expect);
    tcase_add_test(language, tables_are_walked_in_order);
    tcase_add_test(language, printing_goes_to_the_caller);
    tcase_add_test(language, random_numbers_are_the_same_every_time);
    tcase_add_test(language, a_scene_is_the_same_every_time);
    tcase_add_test(language, loading_survives_every_refused_allocation);
    tcase_add_test(language, names_are_suggested_when_they_are_near);
    suite_add_tcase(suite, language);
    TCase *files = tcase_create("files");
    tcase_add_test(files, the_demos_are_listed_in_order);
    tcase_add_test(files, the_demos_load_at_the_ends_of_their_ranges);
    tcase_add_test(files, data_are_found);
    tcase_add_test(files, the_examples_of_the_documentation_load);
    suite_add_tcase(suite, files);
    return ctRunSuite(suite);
}
