// Memory that runs out at every moment of a world's life: loading a scene, stepping, saving, and loading what was
// saved. Each refusal is an error or is got over; nothing leaks, nothing is lost track of, and the next world is as
// ever.
#include "collision/memory.h"
#include "scenes/scene.h"
#include "tests/support/script.h"
#include "tests/support/solid.h"
#include "tests/support/suite.h"

#include <string.h>

static const char everything[] =
    "scene { gravity = {0, 0, -9.81}, seconds = 1 }\n"
    "material(\"rubber\", { friction = 0.8, restitution = 0.3, rolling = 1e-3 })\n"
    "body { name = \"floor\", shape = plane {} }\n"
    "body { name = \"table\", motion = \"kinematic\", shape = cylinder { radius = 0.4, height = 0.1 },\n"
    "       position = {0, 0, 0.05}, spin = {0, 0, 2} }\n"
    "local ball, bar = sphere { radius = 0.1 }, box { size = {0.1, 0.2, 0.3} }\n"
    "local shapes = { ball, bar, cylinder { radius = 0.1, height = 0.2 }, capsule { radius = 0.05, height = 0.2 },\n"
    "  cone { radius = 0.1, height = 0.2 }, ellipsoid { radii = {0.1, 0.15, 0.12} },\n"
    "  hull { points = { {0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2} } },\n"
    "  lathe { profile = { {0, 0}, {0.1, 0.1}, {0, 0.3} } },\n"
    "  compound { { shape = ball, position = {0, 0, 0.2} }, { shape = bar } } }\n"
    "for i, s in ipairs(shapes) do\n"
    "  local x, y = (i - 1) % 3 * 0.3 - 0.3, (i - 1) // 3 * 0.3 - 0.3\n"
    "  body { shape = s, position = { x, y, 0.32 }, velocity = {0, 0, -2}, spin = {1, 2, 3}, material = \"rubber\" }\n"
    "end\n"
    "body { shape = bar, position = {3, 0, 0.15}, velocity = {1, 0, 0} }\n"
    "body { shape = heightfield { size = {1, 1}, heights = { {0.1, 0, 0.1}, {0, 0, 0}, {0.1, 0, 0.1} } },\n"
    "       position = {8, 0, 0.2} }\n"
    "body { shape = ball, position = {7.8, 0.1, 0.35}, velocity = {2, 0, 0} }\n"
    "body { shape = bar, position = {8.3, 0.1, 0.5} }\n"
    "for i = 0, 2 do body { shape = box { size = {0.2, 0.2, 0.1} }, position = {5, 0, 0.05 + 0.1 * i} } end\n"
    "body { name = \"gate\", motion = \"fixed\", sensor = true, shape = bar, position = {3.2, 0, 0.15} }\n"
    "local s = state { n = 0, list = { 1, \"two\" } }\n"
    "every(0.03, function(world, n) s.n = n; world:set_velocity(\"table\", {0, 0, 0}, {0, 0, n}) end)\n"
    "on_impact(\"table\", function(world, impact) s.list[#s.list + 1] = impact.time end)\n"
    "on_impact(\"gate\", function(world, impact) s.list[1] = impact.b end)\n"
    "label { at = {0, 0, 1}, text = function() return s.n end }\n";

enum { FRAMES = 10 };

// One life, as far as it gets: returns whether it got to its end, with the hash there.
static bool live(ctError *error, uint64_t *hash)
{
    ctScene *scene = ctLoadText(everything, NULL, error);
    bool ok = scene != NULL;
    for (int i = 0; i < FRAMES && ok; i++) {
        ok = ctWorld_Step(scene->world, error);
    }
    void *data = NULL;
    size_t size = 0;
    ok = ok && ctWorld_Save(scene->world, &data, &size, error);
    ctWorld *copy = ok ? ctWorld_Load(data, size, error) : NULL;
    ok = copy != NULL && ctWorld_Step(copy, error) && ctWorld_Restore(copy, data, size, error);
    if (ok) {
        *hash = ctWorld_Hash(copy);
    }
    ctWorld_Destroy(copy);
    ctFreeSnapshot(data);
    ctScene_Destroy(scene);
    return ok;
}

START_TEST(every_allocation_may_fail)
{
    ctFailingMemory memory = {0};
    ctError error = {ct_ok, ""};
    uint64_t whole = 0, hash;
    ctSetAllocator(ctFailingRealloc, &memory);
    ck_assert_msg(live(&error, &whole), "%s", error.message);
    ck_assert_int_eq(memory.alive, 0);
    long total = memory.calls, errors = 0;
    ck_assert_int_gt(total, 300);
    for (long i = 1; i <= total; i++) {
        memory = (ctFailingMemory){.failAt = i};
        error = (ctError){ct_ok, ""};
        bool ok = live(&error, &hash);
        errors += !ok;
        // Where memory only speeds something up, nothing fails.
        ck_assert_msg(ok || (error.status != ct_ok && strstr(error.message, "out of memory") != NULL),
                      "allocation %ld of %ld: status %d, \"%s\"", i, total, (int)error.status, error.message);
        ck_assert_msg(memory.alive == 0, "allocation %ld of %ld leaks", i, total);
    }
    ck_assert_int_gt(errors, total / 2);
    memory = (ctFailingMemory){0};
    ck_assert(live(&error, &hash) && hash == whole);
    ctSetAllocator(NULL, NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("allocation");
    TCase *tests = tcase_create("allocation");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
