// A world written as the text of a scene, and read again.
#include "collision/vec3.h"
#include "scenes/write.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ctScene *again(const ctScene *scene)
{
    ctError error = {0};
    char *text = ctScene_Write(scene, &error);
    ck_assert_msg(text != NULL, "%s", error.message);
    ctScene *copy = ctScene_LoadText(text, strlen(text), "copy.lua", NULL, &error);
    ck_assert_msg(copy != NULL, "%s: %s", scene->name, error.message);
    free(text);
    return copy;
}

static double apart(const ctWorld *a, const ctWorld *b)
{
    double most = 0.0;
    ck_assert_int_eq(ctWorld_GetBodyCount(a), ctWorld_GetBodyCount(b));
    for (int i = 0; i < ctWorld_GetBodyCount(a); i++) {
        ctBodyId p = ctWorld_GetBody(a, i), q = ctWorld_GetBody(b, i);
        ck_assert_str_eq(ctBody_GetName(a, p), ctBody_GetName(b, q));
        ctTransform s = ctBody_GetTransform(a, p), t = ctBody_GetTransform(b, q);
        double d = ctDistance(ctBody_GetCenter(a, p), ctBody_GetCenter(b, q));
        d = fmax(d, ctDistance(ctBody_GetVelocity(a, p), ctBody_GetVelocity(b, q)));
        d = fmax(d, ctDistance(ctBody_GetSpin(a, p), ctBody_GetSpin(b, q)) / fmax(1.0, ctLength(ctBody_GetSpin(a, p))));
        d = fmax(d, 1.0 - fabs(s.q.w * t.q.w + s.q.x * t.q.x + s.q.y * t.q.y + s.q.z * t.q.z));
        double mass = ctBody_GetMass(a, p);
        d = fmax(d, mass > 0.0 ? fabs(ctBody_GetMass(b, q) / mass - 1.0) : 0.0);
        most = fmax(most, d);
    }
    return most;
}

// Demos of every shape that a scene can say, at their start and on their way.
START_TEST(demos_are_the_same_when_written_and_read)
{
    static const char *const names[] = {"bowling", "coins",      "gas",   "galton", "tumble",
                                        "platter", "rattleback", "tower", "ramp",   "superball"};
    ctError error = {0};
    ctScene *scene = ctScene_Load(names[_i], NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    for (int k = 0; k < 2; k++) {
        ctScene *copy = again(scene);
        ck_assert_msg(apart(scene->world, copy->world) < 1e-13, "%s: %g", names[_i], apart(scene->world, copy->world));
        ck_assert_str_eq(
            ctWorld_GetMaterialName(copy->world, ctBody_GetMaterial(copy->world, ctWorld_GetBody(copy->world, 0))),
            ctBody_GetMaterial(scene->world, ctWorld_GetBody(scene->world, 0)).index == 0
                ? "standard"
                : ctWorld_GetMaterialName(scene->world,
                                          ctBody_GetMaterial(scene->world, ctWorld_GetBody(scene->world, 0))));
        ctScene_Destroy(copy);
        for (int i = 0; i < 20 && k == 0; i++) {
            ck_assert(ctWorld_Step(scene->world, &error));
        }
    }
    ctScene_Destroy(scene);
}
END_TEST

// What flies and bounces goes on in the same way: a book, a ball on a ramp of another material, a handle of two parts.
START_TEST(a_copy_goes_on_as_the_original)
{
    static const char text[] =
        "scene { gravity = {0, 0, -5} }\n"
        "material('clay', { friction = 0.3, restitution = 0.2 }) contact('clay', 'clay', { restitution = 0.8 })\n"
        "body { motion = 'fixed', shape = plane { normal = {0, 0.1, 1}, offset = 0 }, material = 'clay' }\n"
        "body { name = 'ball', shape = sphere { radius = 0.1 }, position = {0, 0, 1}, spin = {3, 2, 1}, material = "
        "'clay' }\n"
        "body { name = 'book', shape = box { size = {0.1, 0.2, 0.3} }, position = {2, 0, 3}, spin = {0.1, 5, 0}, drag "
        "= 0.2 }\n"
        "body { name = 'handle', position = {-2, 0, 3}, spin = {0.1, 5, 0}, shape = compound {\n"
        "  { shape = capsule { radius = 0.05, height = 0.4 } },\n"
        "  { shape = cone { radius = 0.05, height = 0.3 }, position = {0.15, 0, 0}, rotate = { axis = {0, 1, 0}, "
        "degrees = 90 } } } }\n";
    ctError error = {0};
    ctScene *scene = ctScene_LoadText(text, strlen(text), "original.lua", NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    for (int i = 0; i < 10; i++) {
        ck_assert(ctWorld_Step(scene->world, &error));
    }
    ctScene *copy = again(scene);
    for (int i = 0; i < 40; i++) {
        ck_assert(ctWorld_Step(scene->world, &error) && ctWorld_Step(copy->world, &error));
    }
    ck_assert_msg(apart(scene->world, copy->world) < 1e-11, "%g", apart(scene->world, copy->world));
    ck_assert_int_gt(ctWorld_GetStats(copy->world).impacts, 0);
    ctScene_Destroy(copy);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(a_terrain_cannot_be_written)
{
    static const char text[] = "body { shape = heightfield { size = {1, 1}, heights = { {0, 0}, {0, 0} } } }\n";
    ctError error = {0};
    ctScene *scene = ctScene_LoadText(text, strlen(text), "hills.lua", NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ck_assert_ptr_null(ctScene_Write(scene, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "terrain"));
    ctScene_Destroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("write");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 30);
    tcase_add_loop_test(all, demos_are_the_same_when_written_and_read, 0, 10);
    tcase_add_test(all, a_copy_goes_on_as_the_original);
    tcase_add_test(all, a_terrain_cannot_be_written);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
