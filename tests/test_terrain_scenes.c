// Terrains in the scene language: meshes from numbers and from files, fields of heights, sides and smoothness.
#include "tests/support/command.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void writeFile(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

// A ball of 0.1 m that falls on each of them lies on it, and is as high as the ground says.
START_TEST(balls_lie_on_every_kind_of_ground)
{
    static const struct {
        const char *ground;
        double height; // m, at (0.3, 0.2)
    } cases[] = {
        {"trimesh { vertices = {{-4, -4, 0.5}, {4, -4, 0.5}, {4, 4, 0.5}, {-4, 4, 0.5}}, "
         "triangles = {{1, 2, 3}, {1, 3, 4}} }",
         0.5},
        {"trimesh { file = 'ground.obj', two_sided = true, smooth = 10 }", -0.25},
        {"heightfield { size = {8, 8}, heights = {{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}} }", 0.1},
    };
    writeFile("ground.obj", "v -4 -4 -0.25\nv 4 -4 -0.25\nv 4 4 -0.25\nv -4 4 -0.25\nf 1 2 3 4\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[600], path[512];
        snprintf(
            text, sizeof text,
            "material('soft', { restitution = 0 })\n"
            "body { name = 'ground', shape = %s, motion = 'fixed', material = 'soft' }\n"
            "body { name = 'ball', shape = sphere { radius = 0.1 }, position = {0.3, 0.2, 1}, material = 'soft' }\n",
            cases[i].ground);
        writeFile("scene.lua", text);
        snprintf(path, sizeof path, "%s/scene.lua", getenv("T"));
        ctError error = {ct_ok, ""};
        ctScene *s = ctScene_Load(path, NULL, &error);
        ck_assert_msg(s != NULL, "%s", error.message);
        ctRunScene(s, 2.0);
        ctAssertClose(ctBody_GetCenter(s->world, ctMustFind(s, "ball")).z, cases[i].height + 0.1, 1e-6);
        ctScene_Destroy(s);
    }
}
END_TEST

// From below: a ball passes a surface with one side and is stopped by one with two.
START_TEST(sides_are_as_declared)
{
    for (int two = 0; two < 2; two++) {
        char text[500];
        snprintf(text, sizeof text,
                 "scene { gravity = {0, 0, 0} }\n"
                 "body { shape = heightfield { size = {4, 4}, heights = {{0, 0}, {0, 0}}, two_sided = %s }, "
                 "motion = 'fixed' }\n"
                 "body { name = 'ball', shape = sphere { radius = 0.1 }, position = {0.3, 0.2, -1}, velocity = {0, 0, "
                 "1} }\n",
                 two == 1 ? "true" : "false");
        ctScene *s = ctMustLoadText(text, NULL);
        ctRunScene(s, 2.0);
        ck_assert((ctBody_GetCenter(s->world, ctMustFind(s, "ball")).z > 0.0) == (two == 0));
        ctScene_Destroy(s);
    }
}
END_TEST

// Where `smooth` is 0 every seam is an edge: a ball bounces at the foot of a slope that it would roll up otherwise.
START_TEST(seams_are_smooth_as_declared)
{
    int64_t impacts[2];
    for (int smooth = 0; smooth < 2; smooth++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "body { shape = heightfield { size = {8, 4}, smooth = %d,\n"
            "  heights = {{0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1}, {0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1}} },\n"
            "  motion = 'fixed' }\n"
            "body { name = 'ball', shape = sphere { radius = 0.1 }, position = {-3, 0.1, 0.1}, velocity = {2, 0, 0},\n"
            "  spin = {0, 20, 0} }\n",
            smooth * 25);
        ctScene *s = ctMustLoadText(text, NULL);
        ctRunScene(s, 2.0);
        impacts[smooth] = ctWorld_GetStats(s->world).impacts;
        ctScene_Destroy(s);
    }
    ck_assert_int_gt(impacts[0], 0);
    ck_assert_int_eq(impacts[1], 0);
}
END_TEST

static void setUp(void)
{
    ctTestFolder();
}

int main(void)
{
    Suite *suite = suite_create("terrain_scenes");
    TCase *tc = tcase_create("terrain_scenes");
    tcase_add_checked_fixture(tc, setUp, ctRemoveTestFolder);
    tcase_add_test(tc, balls_lie_on_every_kind_of_ground);
    tcase_add_test(tc, sides_are_as_declared);
    tcase_add_test(tc, seams_are_smooth_as_declared);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
