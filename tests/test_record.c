// Recording as a person does it: frames, videos, descriptions, and everything that can go wrong.
#include "render/draw/camera.h"
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCENE "tests/data/record.lua"
#define SMALL "--size 320x180 --samples 1 --fps 30"

typedef struct Picture {
    int width, height;
    unsigned char *rgb; // highest row first
} Picture;

static Picture readPng(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    ck_assert_msg(png_image_begin_read_from_file(&image, path) != 0, "%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGB;
    Picture p = {(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image))};
    ck_assert_msg(png_image_finish_read(&image, NULL, p.rgb, 0, NULL) != 0, "%s: %s", path, image.message);
    return p;
}

static Picture readFrame(const char *folder, int index)
{
    char path[256];
    snprintf(path, sizeof path, "%s/frame_%06d.png", folder, index);
    return readPng(path);
}

static int countFiles(const char *pattern)
{
    return atoi(ctRunCommand("ls %s 2>/dev/null | wc -l", pattern).text);
}

static void expect(ctCommandOutput out, int status, const char *words)
{
    ck_assert_msg(out.status == status, "status %d, not %d:\n%s", out.status, status, out.text);
    ck_assert_msg(strstr(out.text, words) != NULL, "no '%s' in:\n%s", words, out.text);
}

START_TEST(frames_are_counted_sized_and_decodable)
{
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/frames --seconds 0.5 " SMALL), 0, "15 frames of 320x180");
    ck_assert_int_eq(countFiles("$T/frames/frame_*.png"), 15);
    ck_assert_int_eq(countFiles("$T/frames/*"), 16); // and recording.json
    char folder[128];
    snprintf(folder, sizeof folder, "%s/frames", getenv("T"));
    for (int k = 0; k < 15; k++) {
        Picture p = readFrame(folder, k);
        ck_assert_int_eq(p.width, 320);
        ck_assert_int_eq(p.height, 180);
        free(p.rgb);
    }
}
END_TEST

START_TEST(two_runs_are_identical)
{
    ctRunCommand("$CLATTER record " SCENE " --out $T/a --seconds 0.3 " SMALL);
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/b --seconds 0.3 " SMALL), 0, "9 frames");
    expect(ctRunCommand("for f in $T/a/*.png; do cmp $f $T/b/$(basename $f) || exit 1; done; echo same"), 0, "same");
    expect(ctRunCommand("grep -h state_hash $T/a/recording.json $T/b/recording.json | uniq | wc -l"), 0, "1");
    // Another speed of the ball is another recording.
    ctRunCommand("$CLATTER record " SCENE " --out $T/c --set speed=2 --seconds 0.3 " SMALL);
    expect(ctRunCommand("cmp $T/a/frame_000008.png $T/c/frame_000008.png"), 1, "differ");
}
END_TEST

// The middle of the pixels that are clearly red.
static bool findRed(const Picture *p, double *x, double *y)
{
    double n = 0.0, sx = 0.0, sy = 0.0;
    for (int j = 0; j < p->height; j++) {
        for (int i = 0; i < p->width; i++) {
            const unsigned char *c = p->rgb + 3 * (j * p->width + i);
            if (c[0] > 60 && c[0] > 2 * c[1] && c[0] > 2 * c[2]) {
                n += 1.0;
                sx += i + 0.5;
                sy += j + 0.5;
            }
        }
    }
    *x = sx / n;
    *y = sy / n;
    return n > 50.0;
}

START_TEST(the_ball_is_where_the_trace_says)
{
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/frames --seconds 0.4 --size 640x360 --fps 30"), 0,
           "12 frames");
    expect(ctRunCommand("$CLATTER export " SCENE " --out $T/trace.csv --seconds 0.4 --fps 30"), 0, "13 frames");
    const ctView view = {{0, -3, 0.6}, {0, 0, 0.6}, 40, 0, 0};
    char folder[128];
    snprintf(folder, sizeof folder, "%s/frames", getenv("T"));
    for (int k = 0; k < 12; k += 4) {
        ctCommandOutput line =
            ctRunCommand("awk -F, '$2 == \"ball\" && n++ == %d { print $3, $4, $5 }' $T/trace.csv", k);
        ctVec3 at;
        ck_assert_int_eq(sscanf(line.text, "%lf %lf %lf", &at.x, &at.y, &at.z), 3);
        double px, py, fx, fy;
        ck_assert(ctView_Project(&view, 640.0 / 360.0, at, &fx, &fy));
        Picture p = readFrame(folder, k);
        ck_assert_msg(findRed(&p, &px, &py), "no ball in frame %d", k);
        free(p.rgb);
        ctAssertClose(px, (0.5 + 0.5 * fx) * 640.0, 2.0);
        ctAssertClose(py, (0.5 - 0.5 * fy) * 360.0, 2.0);
    }
}
END_TEST

START_TEST(half_speed_has_twice_the_frames)
{
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/slow --seconds 0.2 --speed 0.5 " SMALL), 0, "12 frames");
    ck_assert_int_eq(countFiles("$T/slow/frame_*.png"), 12);
    // A start later on: the first picture is the state then.
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/whole --seconds 0.3 " SMALL), 0, "9 frames");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/late --start 0.2 --seconds 0.1 " SMALL), 0, "3 frames");
    expect(ctRunCommand("cmp $T/whole/frame_000006.png $T/late/frame_000000.png && echo same"), 0, "same");
}
END_TEST

START_TEST(cameras_and_followed_bodies)
{
    const char *spec = "0,-3,0.6/0,0,0.6/40"; // the scene's own camera, spelled out
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/a --seconds 0.1 " SMALL), 0, "3 frames");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/b --camera %s --seconds 0.1 " SMALL, spec), 0, "3 frames");
    expect(ctRunCommand("cmp $T/a/frame_000002.png $T/b/frame_000002.png && echo same"), 0, "same");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/f --follow ball --seconds 0.4 " SMALL), 0, "12 frames");
    char folder[128];
    snprintf(folder, sizeof folder, "%s/f", getenv("T"));
    double x0, y0, x1, y1;
    Picture first = readFrame(folder, 0), last = readFrame(folder, 11);
    ck_assert(findRed(&first, &x0, &y0) && findRed(&last, &x1, &y1));
    free(first.rgb);
    free(last.rgb);
    ctAssertClose(x0, x1, 2.0);
    ctAssertClose(y0, y1, 2.0);
}
END_TEST

// How many pixels differ inside a rectangle.
static int changed(const Picture *a, const Picture *b, int x0, int y0, int x1, int y1)
{
    int n = 0;
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            n += memcmp(a->rgb + 3 * (y * a->width + x), b->rgb + 3 * (y * b->width + x), 3) != 0;
        }
    }
    return n;
}

START_TEST(overlays_are_drawn_where_they_belong)
{
    const char *look = "--start 0.5 --seconds 0.03 --size 640x360 --fps 30";
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/plain %s", look), 0, "1 frames");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/time --overlay time %s", look), 0, "1 frames");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/all --overlay contacts,energy,hodograph,time %s", look), 0,
           "1 frames");
    char folder[3][128];
    const char *names[] = {"plain", "time", "all"};
    Picture p[3];
    for (int i = 0; i < 3; i++) {
        snprintf(folder[i], sizeof folder[i], "%s/%s", getenv("T"), names[i]);
        p[i] = readFrame(folder[i], 0);
    }
    // The time is in the upper left corner and nowhere else; the plot below it, the hodograph on the right.
    ck_assert_int_gt(changed(&p[0], &p[1], 0, 0, 100, 40), 200);
    ck_assert_int_eq(changed(&p[0], &p[1], 0, 60, 640, 360), 0);
    ck_assert_int_gt(changed(&p[0], &p[2], 10, 280, 210, 350), 10000);
    ck_assert_int_gt(changed(&p[0], &p[2], 490, 10, 630, 160), 10000);
    for (int i = 0; i < 3; i++) {
        free(p[i].rgb);
    }
}
END_TEST

START_TEST(a_description_makes_the_recording_again)
{
    ctRunCommand("$CLATTER record " SCENE " --out $T/a --set speed=2 --e 0.3 --law poisson --seconds 0.2 " SMALL);
    expect(ctRunCommand("$CLATTER record --from $T/a/recording.json --out $T/b"), 0, "6 frames");
    expect(ctRunCommand("for f in $T/a/*.png; do cmp $f $T/b/$(basename $f) || exit 1; done; echo same"), 0, "same");
    expect(ctRunCommand("echo '{\"scene\": 3}' > $T/bad.json; $CLATTER record --from $T/bad.json --out $T/c"), 2,
           "bad.json: 'scene' must be a text");
    expect(ctRunCommand("echo '{\"scene\": ' > $T/bad.json; $CLATTER record --from $T/bad.json --out $T/c"), 2,
           "bad.json:2:");
    expect(ctRunCommand("$CLATTER record --from $T/none.json --out $T/c"), 2, "none.json: cannot read");
}
END_TEST

START_TEST(videos_play)
{
    const char *names[] = {"clip.mp4", "clip.webm", "clip.gif"};
    for (int i = 0; i < 3; i++) {
        expect(ctRunCommand("$CLATTER record " SCENE " --out $T/%s --seconds 0.2 --size 161x91 --fps 30", names[i]), 0,
               "6 frames");
        expect(ctRunCommand("ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of "
                            "csv=p=0 $T/%s",
                            names[i]),
               0, "6");
    }
    expect(ctRunCommand(
               "ffprobe -v error -select_streams v -show_entries stream=codec_name,pix_fmt -of csv=p=0 $T/clip.mp4"),
           0, "h264,yuv420p");
    ck_assert_int_eq(countFiles("$T/*.tmp*"), 0);
    ck_assert_int_eq(countFiles("$T/clip.mp4.recording.json"), 1);
}
END_TEST

START_TEST(wrong_usage_is_refused)
{
    expect(ctRunCommand("$CLATTER record"), 2, "which scene?");
    expect(ctRunCommand("$CLATTER record " SCENE), 2, "--out");
    expect(ctRunCommand("$CLATTER record nosuch --out $T/x"), 2, "nosuch");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/x --size 10x"), 2, "--size");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/x --fps nan"), 2, "--fps");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/x --camera nowhere"), 2, "neither a camera of the scene");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/x --follow nobody"), 2, "no body named 'nobody'");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/x --overlay time,nonsense"), 2, "not 'nonsense'");
    ck_assert_int_eq(countFiles("-d $T/x"), 0);
}
END_TEST

// Control characters of the command line or of a description reach neither the terminal nor the disk.
START_TEST(words_are_plain)
{
    const char *const commands[] = {"$CLATTER \"$(printf 'bad\\033[31m')\"",
                                    "$CLATTER sim \"$(printf 'bad\\033[31m.lua')\"",
                                    "$CLATTER record " SCENE " --out $T/\"$(printf 'bad\\033[31m')\""};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        ctCommandOutput out = ctRunCommand(commands[i]);
        expect(out, 2, "bad\\x1b[31m");
        ck_assert_ptr_null(strchr(out.text, '\033'));
    }
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/\"$(printf 'bad\\377')\""), 2, "must be UTF-8");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/p --seconds 0.1 " SMALL " && "
                        "sed 's/\"out\": \"/&bad\\\\u001b[31m/' $T/p/recording.json >$T/p.json && "
                        "$CLATTER record --from $T/p.json"),
           2, "'out' must not hold control characters");
    ck_assert_int_eq(countFiles("-d $T/bad*"), 0);
}
END_TEST

// ---- faults -----------------------------------------------------------------------------------

START_TEST(an_interrupted_dump_can_be_resumed)
{
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/whole --seconds 1 " SMALL), 0, "30 frames");
    ctCommandOutput out =
        ctRunCommand("$CLATTER record " SCENE " --out $T/cut --seconds 1 " SMALL " & p=$!; "
                     "until [ -e $T/cut/frame_000002.png ]; do sleep 0.01; done; kill -TERM $p; wait $p");
    expect(out, 1, "interrupted by signal 15");
    expect(out, 1, "--resume --out");
    int frames = countFiles("$T/cut/frame_*.png");
    ck_assert_msg(frames >= 3 && frames < 30, "%d frames", frames);
    ck_assert_int_eq(countFiles("$T/cut/*.tmp*"), 0);
    expect(ctRunCommand("grep complete $T/cut/recording.json"), 0, "false");
    expect(ctRunCommand("$CLATTER record --resume --out $T/cut"), 0, "hash");
    expect(ctRunCommand("for f in $T/whole/*.png; do cmp $f $T/cut/$(basename $f) || exit 1; done; echo same"), 0,
           "same");
    expect(ctRunCommand("cat $T/whole/recording.json $T/cut/recording.json | grep state_hash | uniq | wc -l"), 0, "1");
}
END_TEST

START_TEST(resuming_never_mixes_or_deletes)
{
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/f --seconds 0.2 " SMALL), 0, "6 frames");
    expect(ctRunCommand("$CLATTER record --resume --out $T/f --seconds 0.1"), 2, "begun with --seconds 0.2, not 0.1");
    expect(ctRunCommand("$CLATTER record --resume --out $T/f --fps 60"), 2, "begun with --fps 30, not 60");
    expect(ctRunCommand("$CLATTER record --resume --out $T/f --size 32x32"), 2, "begun with --size");
    expect(ctRunCommand("$CLATTER record --resume --out $T/f --mu 0.1"), 2, "begun without --mu");
    expect(ctRunCommand("$CLATTER record --resume --out $T/f --ghost $T/g.csv"), 2, "takes no --ghost");
    expect(ctRunCommand("$CLATTER record " SCENE " --resume --out $T/f"), 2, "takes no scene");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/f --seconds 0.1 " SMALL), 2, "has 6 frames already");
    ck_assert_int_eq(countFiles("$T/f/frame_*.png"), 6);
    ctCommandOutput out = ctRunCommand("$CLATTER record --resume --out $T/f");
    expect(out, 0, "nothing was left to record: 6 frames");
    ck_assert_msg(strstr(out.text, "inf") == NULL && strstr(out.text, "nan") == NULL, "%s", out.text);
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/c.avi --seconds 0.1"), 2, ".mp4, .webm or .gif");
    expect(ctRunCommand("$CLATTER record " SCENE " --out $T/y --seconds 1e6 --fps 1000"), 2, "frames; at most");
    ck_assert_int_eq(countFiles("-d $T/c.avi $T/y"), 0);
}
END_TEST

// A scene that is edited between two runs is another scene.
START_TEST(resuming_an_edited_scene_is_refused)
{
    expect(ctRunCommand("echo 'body{shape=sphere{radius=0.1}, position={0,0,1}}' >$T/s.lua && "
                        "$CLATTER record $T/s.lua --out $T/e --seconds 0.1 " SMALL " && rm $T/e/frame_000002.png"),
           0, "3 frames");
    expect(ctRunCommand("sed -i 's/0,0,1/0,0,2/' $T/s.lua; $CLATTER record --resume --out $T/e"), 2,
           "has changed since the frames in");
    ck_assert_int_eq(countFiles("$T/e/frame_*.png"), 2);
    expect(ctRunCommand("sed -i 's/0,0,2/0,0,1/' $T/s.lua; $CLATTER record --resume --out $T/e"), 0, "1 frames");
}
END_TEST

START_TEST(replaced_files_keep_mode_and_links)
{
    expect(ctRunCommand("mkdir $T/a && echo old >$T/a/t.csv && chmod 640 $T/a/t.csv && ln -s a/t.csv $T/t.csv && "
                        "ln -s a/none.csv $T/e.csv && "
                        "$CLATTER sim " SCENE " --seconds 0.1 --trace $T/t.csv --events $T/e.csv >/dev/null && "
                        "stat -c %%a $T/a/t.csv && test -L $T/t.csv && test -L $T/e.csv && head -n 1 $T/a/t.csv "
                        "$T/a/none.csv"),
           0, "640");
    expect(ctRunCommand("head -n 1 $T/a/t.csv"), 0, "time,body");
    expect(ctRunCommand("$CLATTER sim " SCENE " --trace $T/x --events $T/x"), 2,
           "--trace and --events name the same file");
    expect(ctRunCommand("$CLATTER sim " SCENE " --trace $T/x --stats $T/a/../x"), 2, "name the same file");
    ck_assert_int_eq(countFiles("$T/x*"), 0);
}
END_TEST

// The encoder is stopped, not dead: the recorder still ends when it is told to.
START_TEST(a_stopped_encoder_does_not_hold_the_recorder)
{
    ctCommandOutput out = ctRunCommand(
        "$CLATTER record " SCENE " --out $T/v.mp4 --seconds 30 --fps 60 --size 640x480 --samples 1 & p=$!; "
        "until f=$(pgrep -P $p ffmpeg); do sleep 0.02; done; kill -STOP $f; sleep 1; kill -TERM $p; "
        "for i in $(seq 100); do kill -0 $p 2>/dev/null || break; sleep 0.1; done; "
        "kill -0 $p 2>/dev/null && { kill -KILL $p $f; echo held; exit 9; }; wait $p");
    expect(out, 1, "interrupted by signal 15");
    ck_assert_int_eq(countFiles("$T/v.mp4*"), 0);
}
END_TEST

// What gives one command mounts of its own: as root, as root in a changed root, or as root of a user namespace. NULL
// where the system allows none of these, as in some containers.
static const char *mounting(void)
{
    static const char *const ways[] = {"unshare -m", "unshare -m --propagation unchanged", "unshare -rm"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (ctRunCommand(
                "mkdir -p $T/try && %s sh -c 'mount -t tmpfs none $T/try'; s=$?; umount $T/try 2>/dev/null; exit $s",
                ways[i])
                .status == 0) {
            return ways[i];
        }
    }
    return NULL;
}

START_TEST(a_full_disk_keeps_what_is_complete)
{
    const char *way = mounting();
    if (way == NULL) {
        // No small disk to be had: a limit on the size of files is the next thing to it.
        ctCommandOutput cut =
            ctRunCommand("trap '' XFSZ; ulimit -f 4; $CLATTER record " SCENE " --out $T/frames --seconds 1 " SMALL);
        expect(cut, 1, "File too large");
        expect(cut, 1, "--resume");
        ck_assert_int_eq(countFiles("$T/frames/*.tmp*"), 0);
        return;
    }
    ctCommandOutput out = ctRunCommand("mkdir $T/disk; %s sh -c 'mount -t tmpfs -o size=160k none $T/disk; "
                                       "$CLATTER record " SCENE " --out $T/disk/frames --seconds 1 " SMALL "; s=$?; "
                                       "ls $T/disk/frames; cp -r $T/disk/frames $T/kept; exit $s'",
                                       way);
    expect(out, 1, "No space left on device");
    expect(out, 1, "--resume");
    ck_assert_msg(strstr(out.text, ".tmp") == NULL, "a half-written file: %s", out.text);
    char folder[128];
    snprintf(folder, sizeof folder, "%s/kept", getenv("T"));
    int frames = countFiles("$T/kept/frame_*.png");
    ck_assert_msg(frames > 0 && frames < 30, "%d frames", frames);
    for (int k = 0; k < frames; k++) {
        free(readFrame(folder, k).rgb);
    }
}
END_TEST

START_TEST(a_read_only_folder_is_named)
{
    const char *way = mounting();
    if (way == NULL) {
        expect(ctRunCommand("$CLATTER record " SCENE " --out /proc/clatter/frames --seconds 1 " SMALL), 1,
               "cannot make the folder");
        return;
    }
    ctCommandOutput out = ctRunCommand("mkdir $T/ro; %s sh -c 'mount -t tmpfs -o ro none $T/ro; "
                                       "$CLATTER record " SCENE " --out $T/ro/frames --seconds 1 " SMALL "'",
                                       way);
    expect(out, 1, "ro/frames: cannot make the folder: Read-only file system");
    out = ctRunCommand("%s sh -c 'mount -t tmpfs -o ro none $T/ro; "
                       "$CLATTER record " SCENE " --out $T/ro/clip.mp4 --seconds 1 " SMALL "'",
                       way);
    expect(out, 1, "clip.mp4: cannot write: Read-only file system");
    expect(ctRunCommand("touch $T/file; $CLATTER record " SCENE " --out $T/file --seconds 1 " SMALL), 1,
           "Not a directory");
}
END_TEST

START_TEST(a_dying_encoder_is_reported)
{
    ctCommandOutput out =
        ctRunCommand("$CLATTER record " SCENE " --out $T/clip.mp4 --seconds 60 " SMALL " & p=$!; "
                     "until pgrep -P $p ffmpeg >/dev/null; do sleep 0.01; done; pkill -KILL -P $p ffmpeg; wait $p");
    expect(out, 1, "ffmpeg was killed by signal 9");
    ck_assert_int_eq(countFiles("$T/clip*"), 0);
    // No encoder at all: a path on which only the program itself can be found.
    expect(ctRunCommand("PATH=/nonexistent $CLATTER record " SCENE " --out $T/clip.mp4 --seconds 1 " SMALL), 1,
           "needs the ffmpeg program");
    // An interrupted video leaves nothing behind.
    out = ctRunCommand("$CLATTER record " SCENE " --out $T/clip.mp4 --seconds 60 " SMALL " & p=$!; "
                       "until pgrep -P $p ffmpeg >/dev/null; do sleep 0.01; done; sleep 0.2; kill -TERM $p; wait $p");
    expect(out, 1, "interrupted by signal 15");
    ck_assert_int_eq(countFiles("$T/clip*"), 0);
}
END_TEST

static void setUp(void)
{
    ctTestFolder();
}

int main(void)
{
    Suite *suite = suite_create("record");
    TCase *tests = tcase_create("recording");
    tcase_add_checked_fixture(tests, setUp, ctRemoveTestFolder);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, frames_are_counted_sized_and_decodable);
    tcase_add_test(tests, two_runs_are_identical);
    tcase_add_test(tests, the_ball_is_where_the_trace_says);
    tcase_add_test(tests, half_speed_has_twice_the_frames);
    tcase_add_test(tests, cameras_and_followed_bodies);
    tcase_add_test(tests, overlays_are_drawn_where_they_belong);
    tcase_add_test(tests, a_description_makes_the_recording_again);
    tcase_add_test(tests, videos_play);
    tcase_add_test(tests, words_are_plain);
    tcase_add_test(tests, wrong_usage_is_refused);
    suite_add_tcase(suite, tests);
    TCase *faults = tcase_create("faults");
    tcase_add_checked_fixture(faults, setUp, ctRemoveTestFolder);
    tcase_set_timeout(faults, 60);
    tcase_add_test(faults, an_interrupted_dump_can_be_resumed);
    tcase_add_test(faults, resuming_never_mixes_or_deletes);
    tcase_add_test(faults, resuming_an_edited_scene_is_refused);
    tcase_add_test(faults, replaced_files_keep_mode_and_links);
    tcase_add_test(faults, a_stopped_encoder_does_not_hold_the_recorder);
    tcase_add_test(faults, a_full_disk_keeps_what_is_complete);
    tcase_add_test(faults, a_read_only_folder_is_named);
    tcase_add_test(faults, a_dying_encoder_is_reported);
    suite_add_tcase(suite, faults);
    return ctRunSuite(suite);
}
