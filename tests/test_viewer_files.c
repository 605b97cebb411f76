// Scenes of one's own in the viewer: from the list of files, and dropped on the window.
#include "tests/support/drag.h"
#include "tests/support/session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pebble = "body { name = \"pebble\", shape = sphere { radius = 1e-3 } }\n";

static const char *const marble = "-- A marble.\nscene { title = \"Marble\" }\n"
                                  "body { name = \"marble\", shape = sphere { radius = 0.01 } }\n";

START_TEST(own_scenes_are_opened_from_a_list_and_remembered)
{
    ctSession *s = ctSession_Begin("pebble.lua", pebble, "--paused");
    ctSession_WriteScene(s, "marble.lua", marble);
    ctSession_WaitFor(s, ctSession_HasWidget(s, "bar|Scenes ▾"));
    ctSession_Pin();
    ctSession_Press(s, "bar|Scenes ▾");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Scenes|Files"));
    // A demo, by its title; one's own scene does not get lost by it.
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Scenes|Bowling"));
    ctSession_Press(s, "Scenes|Bowling");
    ctSession_WaitFor(s, ctSession_Says(s, "scene=bowling"));
    ctSession_Press(s, "bar|Scenes ▾");
    ctSession_Nap(0.5);
    ctSession_Press(s, "Scenes|Files");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Scenes|pebble.lua"));
    ctSession_Press(s, "Scenes|pebble.lua");
    ctSession_WaitFor(s, ctSession_Says(s, "scene=pebble"));
    // The file that was written after the start appears when the folder is read again.
    ctSession_Press(s, "bar|Scenes ▾");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Scenes|marble.lua"));
    ctSession_Press(s, "Scenes|marble.lua");
    ctSession_WaitFor(s, ctSession_Says(s, "scene=marble"));
    char path[160], text[2000] = "";
    snprintf(path, sizeof path, "%s/clatter/recent", s->folder);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    const char *first = strstr(text, "marble.lua\n"), *second = strstr(text, "pebble.lua\n");
    ck_assert_msg(first != NULL && second != NULL && first < second, "%s", text);
    ctSession_End(s);
}
END_TEST

// A file manager drops a scene on the window, the name with a space in it; then a file that is no scene, which is
// refused with its reason.
START_TEST(a_scene_is_dropped_on_the_window)
{
    ctSession *s = ctSession_Begin("pebble.lua", pebble, "--paused");
    ctSession_WriteScene(s, "my marble.lua", marble);
    ctSession_WriteScene(s, "wrong.lua", "body {}\n");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "bar|▶ Play"));
    ctSession_Pin();
    char folder[PATH_MAX], path[PATH_MAX + 40];
    ck_assert_ptr_nonnull(realpath(s->folder, folder));
    snprintf(path, sizeof path, "%s/my%%20marble.lua", folder);
    ck_assert_int_eq(ctDrag_File(path, 600, 330, 40.0), ct_dragTaken);
    ctSession_WaitFor(s, ctSession_Says(s, "scene=my marble "));
    snprintf(path, sizeof path, "%s/wrong.lua", folder);
    ck_assert_int_eq(ctDrag_File(path, 600, 330, 40.0), ct_dragTaken);
    ctSession_WaitFor(s, strstr(s->state, "error=wrong.lua:1:") != NULL || strstr(s->state, "/wrong.lua:1:") != NULL);
    ck_assert(ctSession_Says(s, "scene=my marble "));
    ctSession_End(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("viewer_files");
    TCase *files = tcase_create("files");
    tcase_set_timeout(files, 60);
    tcase_add_test(files, own_scenes_are_opened_from_a_list_and_remembered);
    tcase_add_test(files, a_scene_is_dropped_on_the_window);
    suite_add_tcase(suite, files);
    return ctRunSuite(suite);
}
