// What the documentation says is true: its links lead somewhere, its commands run, and what `make install` installs
// is enough to build and run the example program.
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(ctCommandOutput out, int status, const char *words)
{
    ck_assert_msg(out.status == status, "status %d, not %d:\n%s", out.status, status, out.text);
    ck_assert_msg(strstr(out.text, words) != NULL, "no '%s' in:\n%s", words, out.text);
}

// Every [text](target) without a scheme, seen from the folder of the page that has it.
static void expectLinks(const char *folder)
{
    expect(ctRunCommand(
               "cd %s && for page in *.md docs/*.md; do"
               "  grep -oE '\\]\\([^)]+\\)' $page | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//' | while read -r link; do"
               "    case $link in *://*|'') continue;; esac;"
               "    [ -e \"$(dirname $page)/$link\" ] || echo \"broken: $page: $link\";"
               "  done;"
               "done | sort -u > $T/broken; cat $T/broken; wc -l < $T/broken",
               folder),
           0, "0\n");
    expect(ctRunCommand("test ! -s $T/broken && echo none broken"), 0, "none broken");
}

START_TEST(links_lead_somewhere)
{
    expectLinks(".");
}
END_TEST

// Pictures and simulations in the documentation are made short and small: what is tested is that the line works.
static const char *shortened(const char *line)
{
    if (strstr(line, "$CLATTER record") != NULL) {
        return " --seconds 0.05 --start 0 --size 160x90 --samples 1";
    }
    if (strstr(line, "$CLATTER sweep") != NULL) {
        return strstr(line, "--seconds") != NULL || strstr(line, "--until") != NULL ? "" : " --seconds 0.1";
    }
    if (strstr(line, "$CLATTER sim") != NULL || strstr(line, "$CLATTER export") != NULL) {
        return " --seconds 0.1";
    }
    return "";
}

// Runs the lines of a page's code blocks that start with [build/]clatter, in a folder of their own.
static int runCommandsOf(const char *page)
{
    char lines[8192];
    snprintf(
        lines, sizeof lines, "%s",
        ctRunCommand("awk '/^```/ { code = !code } code && /^(build\\/)?clatter / { sub(/ *#.*/, \"\"); "
                     "sub(/^(build\\/)?clatter/, \"$CLATTER\"); "
                     "if (/ sweep /) { gsub(/:[0-9]+ /, \":2 \"); sub(/--random [0-9]+/, \"--random 2\") } print }' %s",
                     page)
            .text);
    int count = 0;
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        bool window = strstr(line, "$CLATTER run") != NULL || strcmp(line, "$CLATTER") == 0;
        bool needsMore = strstr(line, "--from") != NULL || strstr(line, "--resume") != NULL ||
                         strstr(line, "--row") != NULL || strstr(line, "FILE") != NULL ||
                         strstr(line, "SCENE") != NULL || strstr(line, "DIR") != NULL || strstr(line, "...") != NULL ||
                         strchr(line, '[') != NULL;
        if (window || needsMore) {
            continue;
        }
        ctCommandOutput out = ctRunCommand("cd $T/page && %s%s", line, shortened(line));
        ck_assert_msg(out.status == 0, "%s: %s\nstatus %d:\n%s", page, line, out.status, out.text);
        count++;
    }
    return count;
}

START_TEST(commands_run)
{
    char *program = realpath(getenv("CLATTER"), NULL);
    ck_assert_ptr_nonnull(program);
    setenv("CLATTER", program, 1);
    free(program);
    ctRunCommand("mkdir $T/page && ln -s $PWD/scenes $PWD/docs $PWD/tests $T/page/");
    ck_assert_int_ge(runCommandsOf("README.md"), 5);
    ck_assert_int_ge(runCommandsOf("docs/recording.md"), 4);
    ck_assert_int_ge(runCommandsOf("docs/sweep.md"), 5);
}
END_TEST

// An example from the installed copy, against the shared library and the archive: the same text from both.
static ctCommandOutput runExample(const char *name)
{
    return ctRunCommand("export R=$T/root/opt/clatter N=%s W='-std=c11 -Wall -Wextra -pedantic -Werror'; "
                        "cc $W -I$R/include docs/$N.c -L$R/lib -lclatter -lm -Wl,-rpath,$R/lib -o $T/one && "
                        "cc $W -I$R/include docs/$N.c $R/lib/libclatter.a -lqhull_r -lm -pthread -o $T/two && "
                        "ldd $T/one | grep -q libclatter.so && ! ldd $T/two | grep -q libclatter.so && "
                        "$T/one > $T/one.txt && $T/two > $T/two.txt && cmp $T/one.txt $T/two.txt && cat $T/one.txt",
                        name);
}

START_TEST(the_installed_library_builds_the_example)
{
    // The same configuration of make as the one that built this test; nothing is left to build.
    expect(ctRunCommand("unset MAKEFLAGS MAKELEVEL; make install NO_INSTALL=1 DESTDIR=$T/root PREFIX=/opt/clatter "
                        ">$T/log 2>&1 || cat $T/log; find $T/root -type f | sort"),
           0, "/opt/clatter/include/clatter.h");
    expect(ctRunCommand("export PKG_CONFIG_PATH=$T/root/opt/clatter/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$T/root; "
                        "cc -std=c11 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags clatter) docs/example.c "
                        "$(pkg-config --libs clatter) -Wl,-rpath,$T/root/opt/clatter/lib -o $T/example && $T/example"),
           0, " 0.452 s: ball touches down at 4.429 m/s"); // sqrt(2 h / g), sqrt(2 g h)
    expect(ctRunCommand("test $(wc -l < docs/example.c) -le 60 && echo short"), 0, "short");
    // The same against the shared library, which shows the header's names and no others; C++; and scenes.
    expect(ctRunCommand("export R=$T/root/opt/clatter; "
                        "cc -std=c11 -Wall -Wextra -pedantic -Werror -I$R/include docs/example.c -L$R/lib -lclatter "
                        "-Wl,-rpath,$R/lib -o $T/shared && ldd $T/shared && $T/shared"),
           0, " 0.452 s: ball touches down at 4.429 m/s");
    expect(ctRunCommand("ldd $T/shared"), 0, "libclatter.so.");
    expect(ctRunCommand(
               "L=$T/root/opt/clatter/lib/libclatter.so; H=$T/root/opt/clatter/include/clatter.h; "
               "nm -D --defined-only $L | awk '{ sub(/@.*/, \"\", $3); if ($2 != \"A\") print $3 }' | sort > $T/shown; "
               "for s in $(cat $T/shown); do grep -q \"$s(\" $H || echo \"hidden $s\"; done; "
               "wc -l < $T/shown; echo checked"),
           0, "checked");
    ck_assert_ptr_null(strstr(ctRunCommand("for s in $(cat $T/shown); do grep -q \"$s(\" "
                                           "$T/root/opt/clatter/include/clatter.h || echo \"hidden $s\"; done")
                                  .text,
                              "hidden"));
    expect(ctRunCommand("export PKG_CONFIG_PATH=$T/root/opt/clatter/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$T/root; "
                        "g++ -std=c++17 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags clatter) "
                        "docs/example_draw.cpp $(pkg-config --libs clatter) -Wl,-rpath,$T/root/opt/clatter/lib "
                        "-o $T/draw && $T/draw"),
           0, "the crate has 12 triangles");
    // Steering is the same at four frame rates.
    expect(
        ctRunCommand("export PKG_CONFIG_PATH=$T/root/opt/clatter/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$T/root; "
                     "cc -std=c11 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags clatter) "
                     "docs/example_steering.c $(pkg-config --libs clatter) -Wl,-rpath,$T/root/opt/clatter/lib "
                     "-o $T/steering && $T/steering | sed 's/.*: //' | sort -u | tee $T/heights && wc -l < $T/heights"),
        0, "1.000586360 m up after 2 s\n1\n");
    expect(ctRunCommand("export PKG_CONFIG_PATH=$T/root/opt/clatter/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$T/root; "
                        "cc -std=c11 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags clatter-scenes) "
                        "docs/example_scene.c $(pkg-config --libs clatter-scenes) -o $T/scene && $T/scene"),
           0, "3 m/s: the ball rolls");
    // Where the example gives what physics says as one number beside its own, the two are the same.
    expect(runExample("example_push"), 0, "conveyor: 0.898063 m (exact 0.898063)");
    expect(ctRunCommand("grep -c '^[a-z]*: [^0-9]*\\([0-9.]*\\) [^(]*(exact \\1)' $T/one.txt"), 0, "3");
    expect(runExample("example_look"), 0, "a twin from the snapshot: the same bits");
    // Every call is in an example, but for one, which is for programs built with the sources.
    ctCommandOutput calls = ctRunCommand(
        "grep -oE '\\bct[A-Z][A-Za-z]*(_[A-Z][A-Za-z0-9]*)?\\(' $T/root/opt/clatter/include/clatter.h | tr -d '(' | "
        "sort -u | grep -v 'Fn$\\|ctTask$\\|ctWorld_GetShape$' > $T/calls; echo $(wc -l < $T/calls) calls; "
        "for f in $(cat $T/calls); do grep -qw $f docs/example*.c docs/example_draw.cpp || echo \"none has $f\"; done");
    expect(calls, 0, "calls");
    ck_assert_msg(atoi(calls.text) > 100 && strstr(calls.text, "none has") == NULL, "%s", calls.text);
    // The public header is one file, and C++ takes it too.
    expect(
        ctRunCommand(
            "echo '#include <clatter.h>' > $T/x.cpp; "
            "g++ -std=c++17 -Wall -Wextra -Werror -I$T/root/opt/clatter/include -fsyntax-only $T/x.cpp && echo fine"),
        0, "fine");
    // The first program of the tutorial.
    expect(ctRunCommand("awk '/^```c$/ { on = 1; next } /^```/ { if (on) exit } on' docs/library.md > $T/box.c; "
                        "cc -std=c11 -Wall -Wextra -pedantic -Werror -I$T/root/opt/clatter/include $T/box.c "
                        "-L$T/root/opt/clatter/lib -lclatter -Wl,-rpath,$T/root/opt/clatter/lib -o $T/box && $T/box"),
           0, "0.1");
    // The installed program finds its scenes from anywhere.
    expect(ctRunCommand("cd / && $T/root/opt/clatter/bin/clatter list"), 0, "bowling");
    expect(ctRunCommand(
               "cd $T && $T/root/opt/clatter/bin/clatter record marbles --seconds 0.03 --size 64x48 --out frames"),
           0, "frames");
    expectLinks("$T/root/opt/clatter/share/doc/clatter");
    // A copy of the program alone simulates and draws a scene of one's own, and says where it has looked for demos.
    expect(ctRunCommand("mkdir $T/alone && cp $T/root/opt/clatter/bin/clatter $T/alone && cp docs/coin_toss.lua $T && "
                        "cd $T/alone && ./clatter record ../coin_toss.lua --seconds 0.03 --size 64x48 --out frames"),
           0, "frames");
    expect(
        ctRunCommand("cd $T/alone && env -u CLATTER_DATA ./clatter sim bowling 2>&1 | sed \"s,$T,T,g\""), 0,
        "clatter: there are no demos: no folder 'scenes' in CLATTER_DATA (not set), in T/share/clatter, or in a source "
        "tree around T/alone\n");
    expect(ctRunCommand("cd $T/alone && env -u CLATTER_DATA -u DISPLAY -u WAYLAND_DISPLAY ./clatter run"), 2,
           "name a scene of your own: clatter run FILE.lua");
    expect(ctRunCommand("cd $T/alone && env -u DISPLAY -u WAYLAND_DISPLAY ./clatter run ../coin_toss.lua"), 1,
           "no display");
    // Everything that was installed goes again, and nothing else.
    expect(ctRunCommand("touch $T/root/opt/clatter/bin/other; unset MAKEFLAGS MAKELEVEL; make uninstall NO_INSTALL=1 "
                        "DESTDIR=$T/root PREFIX=/opt/clatter >$T/log 2>&1 || cat $T/log; "
                        "cd $T/root && find . -type f && find . -type f | wc -l"),
           0, "./opt/clatter/bin/other\n1\n");
}
END_TEST

static void setUp(void)
{
    ctTestFolder();
}

int main(void)
{
    Suite *suite = suite_create("docs");
    TCase *tests = tcase_create("docs");
    tcase_add_checked_fixture(tests, setUp, ctRemoveTestFolder);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, links_lead_somewhere);
    tcase_add_test(tests, commands_run);
    tcase_add_test(tests, the_installed_library_builds_the_example);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
