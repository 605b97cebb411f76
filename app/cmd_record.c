// clatter record: a scene as PNG frames or as a video, without a window.
#include "app/app.h"
#include "app/record_run.h"
#include "collision/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Texts {
    const char *out, *camera, *follow, *overlay, *ghost, *sound, *from;
    bool resume;
} Texts;

static bool parseSize(const char *word, void *target, ctError *error)
{
    ctRecording *r = target;
    return ctParseSize(word, 16, &r->width, &r->height, error);
}

static int complain(const ctError *error)
{
    fprintf(stderr, "clatter: %s\n", error->message);
    return error->status == ct_badArgument ? CT_EXIT_USAGE : CT_EXIT_FAILED;
}

// Replaces a text of the recording by the one from the command line, if there is one.
static bool replace(char **text, const char *with)
{
    if (with == NULL) {
        return true;
    }
    free(*text);
    *text = strdup(with);
    return *text != NULL;
}

// The value of --from or --out. It is read before the other options: a recording's description is loaded first, and
// the command line then changes it.
static const char *peek(int argc, char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0 && i + 1 < argc) {
            return argv[i + 1];
        }
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') {
            return argv[i] + length + 1;
        }
    }
    return NULL;
}

static bool hasFlag(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Reads the description that --from names, or the one of the folder that --resume continues.
static bool readDescription(ctRecording *r, int argc, char **argv, ctError *error)
{
    const char *from = peek(argc, argv, "--from"), *out = peek(argc, argv, "--out");
    if (from == NULL && hasFlag(argc, argv, "--resume") && out != NULL) {
        char *path = ctRecording_PathFor(out);
        bool good = path != NULL ? ctRecording_Load(r, path, error) : ctFailMemory(error, "a path");
        free(path);
        return good && (replace(&r->out, out) || ctFailMemory(error, "a path"));
    }
    return from == NULL || ctRecording_Load(r, from, error);
}

// Whether the name is that of a file in a format that is not supported.
static bool hasOtherFormat(const char *out)
{
    static const char *const others[] = {".avi", ".mov", ".mkv",  ".m4v",  ".mpg",  ".mpeg", ".wmv",
                                         ".flv", ".ogv", ".ts",   ".png",  ".apng", ".jpg",  ".jpeg",
                                         ".bmp", ".tif", ".tiff", ".webp", NULL};
    const char *dot = strrchr(out, '.');
    for (int i = 0; dot != NULL && others[i] != NULL; i++) {
        if (strcasecmp(dot, others[i]) == 0) {
            return true;
        }
    }
    return false;
}

// The options with which a recording was begun. --resume may not change them.
typedef struct Begun {
    double seconds, start, speed, fps, friction, restitution;
    int width, height, samples, settings;
    ctLaw law;
    ctContactMode contact;
} Begun;

static Begun begunWith(const ctRecording *r)
{
    const ctSceneOptions *o = &r->arguments.scene;
    return (Begun){.seconds = r->seconds,
                   .start = r->start,
                   .speed = r->speed,
                   .fps = o->fps,
                   .friction = o->hasFriction ? o->friction : -1.0,
                   .restitution = o->hasRestitution ? o->restitution : -1.0,
                   .width = r->width,
                   .height = r->height,
                   .samples = r->samples,
                   .settings = o->settingCount,
                   .law = o->hasLaw ? o->law : (ctLaw)-1,
                   .contact = o->hasContact ? o->contact : (ctContactMode)-1};
}

static bool differs(const char *option, double now, double before, ctError *error)
{
    if (now == before) {
        return false;
    }
    if (before < 0.0) { // not given
        ctFail(error, ct_badArgument,
               "record: --resume: the frames were begun without --%s; leave it out, or choose another folder", option);
        return true;
    }
    ctFail(error, ct_badArgument,
           "record: --resume: the frames were begun with --%s %g, not %g; leave it out, or choose another folder",
           option, before, now);
    return true;
}

// Whether options next to --resume differ from those of the recording that was begun.
static bool asksForOther(const Begun *b, const ctRecording *r, const Texts *texts, const char *scene, ctError *error)
{
    Begun now = begunWith(r);
    if (now.width != b->width || now.height != b->height) {
        ctFail(error, ct_badArgument,
               "record: --resume: the frames were begun with --size %dx%d, not %dx%d; leave it out, or choose another "
               "folder",
               b->width, b->height, now.width, now.height);
        return true;
    }
    const struct {
        const char *option;
        bool given;
    } texted[] = {{"scene", scene != NULL},
                  {"--camera", texts->camera != NULL},
                  {"--follow", texts->follow != NULL},
                  {"--overlay", texts->overlay != NULL},
                  {"--ghost", texts->ghost != NULL},
                  {"--set", now.settings != b->settings},
                  {"--law", now.law != b->law},
                  {"--contact", now.contact != b->contact}};
    for (size_t i = 0; i < sizeof texted / sizeof texted[0]; i++) {
        if (texted[i].given) {
            ctFail(error, ct_badArgument, "record: --resume takes no %s: it continues as the frames were begun",
                   texted[i].option);
            return true;
        }
    }
    return differs("seconds", now.seconds, b->seconds, error) || differs("fps", now.fps, b->fps, error) ||
           differs("speed", now.speed, b->speed, error) || differs("start", now.start, b->start, error) ||
           differs("samples", now.samples, b->samples, error) || differs("mu", now.friction, b->friction, error) ||
           differs("e", now.restitution, b->restitution, error);
}

static bool settle(ctRecording *r, const Texts *texts, const char *scene, ctError *error)
{
    if (!replace(&r->scene, scene) || !replace(&r->out, texts->out) || !replace(&r->camera, texts->camera) ||
        !replace(&r->follow, texts->follow) || !replace(&r->overlay, texts->overlay) ||
        !replace(&r->ghost, texts->ghost) || !replace(&r->sound, texts->sound)) {
        return ctFailMemory(error, "the options");
    }
    if (r->scene == NULL) {
        return ctFail(error, ct_badArgument, "record: which scene? clatter list shows the demos");
    }
    if (r->out == NULL || r->out[0] == '\0') {
        return ctFail(error, ct_badArgument, "record: --out FOLDER or --out FILE.mp4 says where the pictures go");
    }
    if (hasOtherFormat(r->out)) {
        return ctFail(error, ct_badArgument,
                      "record: --out %.200s: videos are .mp4, .webm or .gif; any other name is a folder of PNG frames",
                      r->out);
    }
    const char *dot = r->sound != NULL ? strrchr(r->sound, '.') : NULL;
    if (r->sound != NULL && (dot == NULL || strcasecmp(dot, ".wav") != 0)) {
        return ctFail(error, ct_badArgument, "record: --sound %.200s: the sound is a .wav file", r->sound);
    }
    return true;
}

int ctCommandRecord(int argc, char **argv)
{
    static ctRecording r; // static: it is large, and it must not be moved because it points into itself
    Texts texts = {0};
    const char *scene = NULL;
    ctRecording_Default(&r);
    const ctOption options[] = {
        CT_TEXT("out", &texts.out, "DIR|FILE", "a folder for frames, or a .mp4, .webm or .gif"),
        CT_NUMBER("seconds", &r.seconds, NULL, "S", 1e-3, 1e6, "simulated time to record (as long as the scene says)"),
        CT_CUSTOM("size", &r, NULL, "WxH", parseSize, "of the picture (1280x720)"),
        CT_INTEGER("samples", &r.samples, NULL, "N", 1, 16, "antialiasing samples per pixel, 1 to 16 (4)"),
        CT_TEXT("camera", &texts.camera, "CAMERA", "a camera of the scene by name, or ex,ey,ez/tx,ty,tz/fov"),
        CT_TEXT("follow", &texts.follow, "BODY", "the camera moves with this body"),
        CT_NUMBER("speed", &r.speed, NULL, "X", 1e-6, 1e3,
                  "simulated time per time of the recording: 0.1 is slow motion (1)"),
        CT_NUMBER("start", &r.start, NULL, "S", 0, 1e6, "simulate this long before the first frame (0)"),
        CT_TEXT("sound", &texts.sound, "FILE.wav", "the sound of impacts, also as a file of its own"),
        CT_FLAG("mute", &r.mute, "no sound track in a video"),
        CT_TEXT("overlay", &texts.overlay, "LIST",
                "any of contacts,trails,sleeping,energy,hodograph,time; or none (as the scene shows)"),
        CT_TEXT("ghost", &texts.ghost, "FILE.csv", "show a trace (of sim --trace, or measured) as translucent bodies"),
        CT_TEXT("from", &texts.from, "FILE", "make the recording that a recording.json describes again"),
        CT_FLAG("resume", &texts.resume, "continue the frames in --out where they stopped"),
        CT_SCENE_OPTIONS(&r.arguments),
        CT_THREADS_OPTION(&r.arguments),
        {.name = NULL},
    };
    const ctOptionSet set = {.command = "record",
                             .usage = "clatter record SCENE --out DIR [options]\n"
                                      "       clatter record SCENE --out FILE.mp4 [options]\n"
                                      "       clatter record --from recording.json [--out ...]\n"
                                      "       clatter record --resume --out DIR\n",
                             .notes =
                                 "SCENE is a demo's name or a path to a .lua file. Frame k shows the state at k/fps.\n",
                             .options = options,
                             .words = &scene,
                             .maxWords = 1};
    ctError error = {ct_ok, ""};
    Begun begun = {0};
    int status = CT_EXIT_OK;
    if (!hasFlag(argc, argv, "--help") && !readDescription(&r, argc, argv, &error)) {
        status = complain(&error);
    } else if (begun = begunWith(&r), ctParseOptions(&set, argc, argv, NULL, &status)) {
        bool other = texts.resume && asksForOther(&begun, &r, &texts, scene, &error);
        status = !other && settle(&r, &texts, scene, &error) ? ctRecord_Run(&r, texts.resume) : complain(&error);
    }
    ctRecording_Free(&r);
    return status;
}
