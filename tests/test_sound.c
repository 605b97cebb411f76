// The sound of impacts: the modes of bodies by their size and substance, onsets by the times of impacts, and the sound
// tracks of recordings.
#include "collision/vec3.h"
#include "render/sound/clip.h"
#include "scenes/scene.h"
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATE = CT_SOUND_RATE };

// How strong a frequency is in a sound: the size of its Fourier coefficient, with Hann's window.
static double strength(const float *x, int n, double frequency)
{
    double re = 0.0, im = 0.0;
    for (int i = 0; i < n; i++) {
        double w = 0.5 - 0.5 * cos(2.0 * M_PI * i / n), a = 2.0 * M_PI * frequency * i / RATE;
        re += w * x[i] * cos(a);
        im += w * x[i] * sin(a);
    }
    return hypot(re, im);
}

static double tallest(const float *x, int n, double from, double to, double step)
{
    double best = 0.0, at = 0.0;
    for (double f = from; f <= to; f += step) {
        double s = strength(x, n, f);
        at = s > best ? f : at;
        best = fmax(best, s);
    }
    return at;
}

START_TEST(the_tallest_peak_is_where_the_mode_is)
{
    static float x[12000];
    const struct {
        ctSubstance substance;
        ctVec3 size;
        double expected; // Hz, by the formula of a bar or of a solid
    } cases[] = {
        // A bar of steel, 0.2 m long and 0.01 m thick: 1.03 h c / L^2.
        {ct_substanceSteel, {0.2, 0.01, 0.01}, 1.03 * 0.01 / 0.04 * 5100.0 / CT_SOUND_LOWERED},
        {ct_substanceSteel, {0.4, 0.02, 0.02}, 0.5 * 1.03 * 0.01 / 0.04 * 5100.0 / CT_SOUND_LOWERED},
        {ct_substanceGlass, {0.3, 0.012, 0.012}, 1.03 * 0.012 / 0.09 * 5200.0 / CT_SOUND_LOWERED},
        // A block of wood: 0.8 c / L.
        {ct_substanceWood, {0.4, 0.4, 0.4}, 0.8 * 3800.0 / 0.4 / CT_SOUND_LOWERED},
    };
    for (int i = 0; i < 4; i++) {
        ctSynth synth = {0};
        ctVoicing v = ctVoicing_Make(cases[i].substance, cases[i].size, false);
        ck_assert(ctSynth_Strike(&synth, &v, 0.0, 0.2, 1e-4));
        ctSynth_Render(&synth, x, 12000);
        double peak = tallest(x, 12000, 50.0, 4000.0, 2.0);
        ctAssertClose(peak / cases[i].expected, 1.0, 0.02);
        ctSynth_Free(&synth);
    }
}
END_TEST

START_TEST(a_strike_begins_at_its_time_to_a_fraction_of_a_sample)
{
    static float x[4800], y[4800];
    ctVoicing v = ctVoicing_Make(ct_substanceSteel, (ctVec3){0.2, 0.01, 0.01}, false);
    const double times[] = {0.01, 0.0123456, 0.05};
    for (int k = 0; k < 3; k++) {
        ctSynth synth = {0};
        ck_assert(ctSynth_Strike(&synth, &v, times[k], 0.2, 1e-4));
        ctSynth_Render(&synth, x, 1000); // in pieces, however they fall
        ctSynth_Render(&synth, x + 1000, 3800);
        int first = 0;
        while (first < 4800 && x[first] == 0.0f) {
            first++;
        }
        ck_assert_msg(fabs(first - times[k] * RATE) <= 1.0 + 1e-9, "begins at sample %d, not %g", first,
                      times[k] * RATE);
        ctSynth_Free(&synth);
    }
    // Half a sample later the wave is the same, half a sample later: between its neighbours.
    ctSynth a = {0}, b = {0};
    ctSynth_Strike(&a, &v, 100.0 / RATE, 0.1, 1e-4);
    ctSynth_Strike(&b, &v, 100.5 / RATE, 0.1, 1e-4);
    ctSynth_Render(&a, x, 4800);
    ctSynth_Render(&b, y, 4800);
    for (int i = 200; i < 400; i++) {
        ctAssertClose(y[i], 0.5 * (x[i] + x[i - 1]), 0.004);
    }
    ctSynth_Free(&a);
    ctSynth_Free(&b);
}
END_TEST

static double energy(const float *x, int from, int to)
{
    double sum = 0.0;
    for (int i = from; i < to; i++) {
        sum += (double)x[i] * x[i];
    }
    return sum;
}

START_TEST(steel_rings_wood_knocks_and_a_long_contact_is_dull)
{
    static float x[RATE];
    double late[2];
    for (int i = 0; i < 2; i++) {
        ctSynth synth = {0};
        ctVoicing v = ctVoicing_Make(i == 0 ? ct_substanceSteel : ct_substanceWood, (ctVec3){0.2, 0.01, 0.01}, false);
        ctSynth_Strike(&synth, &v, 0.0, 0.2, 1e-4);
        ctSynth_Render(&synth, x, RATE);
        late[i] = energy(x, RATE / 4, RATE) / energy(x, 0, RATE);
        ctSynth_Free(&synth);
    }
    ck_assert_msg(late[0] > 0.1 && late[1] < 1e-3, "after a quarter of a second %g and %g", late[0], late[1]);
    // The share of the second mode falls with the time of contact.
    double share[2];
    ctVoicing v = ctVoicing_Make(ct_substanceSteel, (ctVec3){0.2, 0.01, 0.01}, false);
    for (int i = 0; i < 2; i++) {
        ctSynth synth = {0};
        ctSynth_Strike(&synth, &v, 0.0, 0.05, i == 0 ? 5e-5 : 2e-3);
        ctSynth_Render(&synth, x, RATE);
        share[i] = strength(x, RATE / 4, v.frequency[1]) / strength(x, RATE / 4, v.frequency[0]);
        ctSynth_Free(&synth);
    }
    ck_assert_msg(share[1] < 0.5 * share[0], "%g, then %g", share[0], share[1]);
    // Steel balls of 5 cm at 1 m/s touch for a tenth of a millisecond or two (Hertz).
    ctVoicing ball = ctVoicing_Make(ct_substanceSteel, (ctVec3){0.05, 0.05, 0.05}, true);
    double touch = ctContactTime(&ball, &ball, 0.25, 1.0);
    ck_assert_msg(touch > 5e-5 && touch < 3e-4, "%g s", touch);
}
END_TEST

// Samples of a WAV file that this program has written.
static int readWav(const char *path, float *x, int most)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    uint8_t header[44];
    ck_assert_uint_eq(fread(header, 1, 44, f), 44);
    ck_assert_int_eq(memcmp(header, "RIFF", 4), 0);
    ck_assert_int_eq(memcmp(header + 8, "WAVEfmt ", 8), 0);
    int n = 0;
    for (uint8_t two[2]; n < most && fread(two, 1, 2, f) == 2; n++) {
        x[n] = (float)(int16_t)(two[0] | two[1] << 8) / 32768.0f;
    }
    fclose(f);
    ck_assert_uint_eq(header[40] | (unsigned)header[41] << 8 | (unsigned)header[42] << 16, 2u * (unsigned)n);
    return n;
}

// A ball that falls one metre: silence until sqrt(2 / g), to the sample; in slow motion at twice that.
START_TEST(a_recording_sounds_when_it_strikes)
{
    static float x[3 * RATE];
    char path[256];
    ctTestFolder();
    snprintf(path, sizeof path, "%s/sound.wav", getenv("T"));
    ctRunCommand("printf '%%s\\n' \"scene { camera = { eye = {0, -5, 1}, target = {0, 0, 1} } }\" "
                 "\"body { name = 'floor', shape = plane { normal = {0, 0, 1}, offset = 0 } }\" "
                 "\"body { name = 'ball', shape = sphere { radius = 0.1 }, position = {0, 0, 1.1} }\" > $T/drop.lua");
    for (int slow = 1; slow <= 2; slow++) {
        ctCommandOutput out =
            ctRunCommand("$CLATTER record $T/drop.lua --out $T/f%d --size 32x32 --fps 20 --seconds 0.7 "
                         "--speed %g --sound $T/sound.wav",
                         slow, 1.0 / slow);
        ck_assert_msg(out.status == 0, "%s", out.text);
        int n = readWav(path, x, 3 * RATE), first = 0;
        ck_assert_int_eq(n, (int)(0.7 * RATE + 0.5) * slow);
        while (first < n && x[first] == 0.0f) {
            first++;
        }
        // The first samples of a sine are small: its sixteen bits begin to move within some samples.
        double expected = slow * sqrt(2.0 / 9.81) * RATE;
        ck_assert_msg(first >= expected && first < expected + 4.0, "at sample %d, not %g", first, expected);
    }
    // A video has the same sound as a track of its own, unless it is muted.
    ck_assert_int_eq(
        ctRunCommand("$CLATTER record $T/drop.lua --out $T/a.mp4 --size 32x32 --fps 20 --seconds 0.7").status, 0);
    ck_assert_ptr_nonnull(
        strstr(ctRunCommand("ffprobe -v error -show_entries stream=codec_type -of csv=p=0 $T/a.mp4").text, "audio"));
    ck_assert_int_eq(
        ctRunCommand("$CLATTER record $T/drop.lua --out $T/b.mp4 --mute --size 32x32 --fps 20 --seconds 0.7").status,
        0);
    ck_assert_ptr_null(
        strstr(ctRunCommand("ffprobe -v error -show_entries stream=codec_type -of csv=p=0 $T/b.mp4").text, "audio"));
    ck_assert_ptr_nonnull(strstr(ctRunCommand("ls $T/*.tmp* 2>/dev/null | wc -l").text, "0"));
    ctRemoveTestFolder();
}
END_TEST

// Pictures of a ball that falls one metre: half of the time that it falls at full speed, a pause of thirty pictures,
// then at a quarter of the speed; the world is up to a frame ahead of what is shown. The impact is heard between the
// two pictures between which it happens.
START_TEST(a_clip_sounds_when_its_pictures_show_the_impact)
{
    static float x[4 * RATE];
    char path[256];
    ctTestFolder();
    snprintf(path, sizeof path, "%s/clip.wav", getenv("T"));
    ctError error = {0};
    static const char text[] = "body { shape = plane { normal = {0, 0, 1}, offset = 0 } }\n"
                               "body { shape = sphere { radius = 0.1 }, position = {0, 0, 1.1} }";
    ctScene *scene = ctScene_LoadText(text, sizeof text - 1, "drop", NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ctClip clip;
    ck_assert(ctClip_Begin(&clip, scene->world, path, 0.0, 60.0, &error));
    double fall = sqrt(2.0 / 9.81), shown = 0.0, expected = 0.0;
    for (int k = 0; k < 150; k++) {
        double speed = k < 13 ? 1.0 : k < 43 ? 0.0 : 0.25, next = shown + speed / 60.0;
        expected = fall > shown && fall <= next ? (k + (fall - shown) / (next - shown)) / 60.0 : expected;
        ctClip_Picture(&clip, shown);
        while (ctWorld_GetTime(scene->world) < next - 1e-9) {
            const ctImpact *impacts;
            ck_assert(ctWorld_Step(scene->world, &error));
            int count = ctWorld_GetImpacts(scene->world, &impacts);
            ctClip_Take(&clip, scene->world, impacts, count, speed, 1.0 / 60.0);
        }
        shown = next;
    }
    ck_assert(ctClip_Finish(&clip, true, &error));
    int n = readWav(path, x, 4 * RATE), first = 0;
    ck_assert_int_eq(n, 150 * RATE / 60);
    while (first < n && x[first] == 0.0f) {
        first++;
    }
    ck_assert(expected > 43.0 / 60.0);
    ck_assert_msg(first >= expected * RATE && first < expected * RATE + 4.0, "at sample %d, not %g", first,
                  expected * RATE);
    ctScene_Destroy(scene);
    ctRemoveTestFolder();
}
END_TEST

// Euler's disk: the point of contact runs faster and faster, and the tone rises with it.
START_TEST(the_disk_sings_upwards)
{
    ctError error = {0};
    ctScene *scene = ctScene_Load("disk", NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ctSoundtrack track = {0};
    ctSoundtrack_Begin(&track, scene->world, 1.0);
    static float x[RATE / 60];
    double pitch[3] = {0.0};
    for (int k = 0; k < 60 * 12; k++) {
        ck_assert(ctWorld_Step(scene->world, &error));
        ck_assert(ctSoundtrack_Frame(&track, scene->world, 1.0 / 60.0));
        ctSynth_Render(&track.synth, x, RATE / 60);
        if (k == 60 || k == 360 || k == 660) {
            double loudest = 0.0;
            for (int i = 0; i < CT_SOUND_ROLLS; i++) {
                pitch[k / 300] =
                    track.synth.rolls[i].loudness > loudest ? track.synth.rolls[i].frequency : pitch[k / 300];
                loudest = fmax(loudest, track.synth.rolls[i].loudness);
            }
            ck_assert_msg(loudest > 1e-3, "silent after %d frames", k);
        }
    }
    ck_assert_msg(pitch[0] > 100.0 && pitch[1] > 1.05 * pitch[0] && pitch[2] > 1.1 * pitch[1], "%g, %g, %g Hz",
                  pitch[0], pitch[1], pitch[2]);
    ctSoundtrack_Free(&track);
    ctScene_Destroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sound");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, the_tallest_peak_is_where_the_mode_is);
    tcase_add_test(all, a_strike_begins_at_its_time_to_a_fraction_of_a_sample);
    tcase_add_test(all, steel_rings_wood_knocks_and_a_long_contact_is_dull);
    tcase_add_test(all, a_recording_sounds_when_it_strikes);
    tcase_add_test(all, a_clip_sounds_when_its_pictures_show_the_impact);
    tcase_add_test(all, the_disk_sings_upwards);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
