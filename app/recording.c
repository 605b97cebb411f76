#include "app/recording.h"

#include "collision/error.h"
#include "engine/impact/impact.h"
#include "render/files/atomic_file.h"
#include "render/record/video_writer.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ctRecording_Default(ctRecording *r)
{
    *r = (ctRecording){.speed = 1.0, .width = 1280, .height = 720, .samples = 4};
    r->arguments.scene.fps = 60.0;
    ctSceneArguments_UseAllCores(&r->arguments);
}

void ctRecording_Free(ctRecording *r)
{
    free(r->scene);
    free(r->out);
    free(r->camera);
    free(r->follow);
    free(r->overlay);
    free(r->ghost);
    free(r->sound);
    ctRecording_Default(r);
}

char *ctRecording_PathFor(const char *out)
{
    size_t size = strlen(out) + sizeof CT_RECORDING_NAME + 8;
    char *path = malloc(size);
    if (path != NULL && ctVideo_IsVideoPath(out)) {
        snprintf(path, size, "%s.%s", out, CT_RECORDING_NAME);
    } else if (path != NULL) {
        snprintf(path, size, "%s/%s", out, CT_RECORDING_NAME);
    }
    return path;
}

// ---- writing ----------------------------------------------------------------------------------

static json_t *textOrNull(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

static json_t *toJson(const ctRecording *r, const char *title)
{
    const ctSceneOptions *o = &r->arguments.scene;
    json_t *set = json_object(), *times = json_array();
    for (int i = 0; i < o->settingCount; i++) {
        json_object_set_new(set, o->settings[i].name, json_real(o->settings[i].value));
    }
    for (int k = 0; k < r->frames; k++) {
        json_array_append_new(times, json_real(r->start + k * r->speed / o->fps));
    }
    json_t *j = json_pack("{s:s, s:o, s:o, s:o, s:o}", "clatter", CT_VERSION, "scene", textOrNull(r->scene), "title",
                          textOrNull(title), "out", textOrNull(r->out), "set", set);
    json_object_set_new(j, "mu", o->hasFriction ? json_real(o->friction) : json_null());
    json_object_set_new(j, "e", o->hasRestitution ? json_real(o->restitution) : json_null());
    json_object_set_new(j, "law", o->hasLaw ? json_string(ctLawName(o->law)) : json_null());
    json_object_set_new(j, "contact", o->hasContact ? json_string(ctContactMode_Name(o->contact)) : json_null());
    json_object_set_new(j, "seconds", json_real(r->seconds));
    json_object_set_new(j, "start", json_real(r->start));
    json_object_set_new(j, "fps", json_real(o->fps));
    json_object_set_new(j, "speed", json_real(r->speed));
    json_object_set_new(j, "size", json_pack("[i,i]", r->width, r->height));
    json_object_set_new(j, "samples", json_integer(r->samples));
    json_object_set_new(j, "camera", textOrNull(r->camera));
    json_object_set_new(j, "follow", textOrNull(r->follow));
    json_object_set_new(j, "overlay", textOrNull(r->overlay));
    json_object_set_new(j, "ghost", textOrNull(r->ghost));
    json_object_set_new(j, "sound", textOrNull(r->sound));
    json_object_set_new(j, "mute", json_boolean(r->mute));
    json_object_set_new(j, "scene_hash", r->origin[0] != '\0' ? json_string(r->origin) : json_null());
    json_object_set_new(j, "frames", json_integer(r->frames));
    json_object_set_new(j, "complete", json_boolean(r->complete));
    json_object_set_new(j, "state_hash", r->complete ? json_string(r->hash) : json_null());
    json_object_set_new(j, "frame_times", times);
    return j;
}

bool ctRecording_Save(const ctRecording *r, const char *title, const char *path, ctError *error)
{
    json_t *document = toJson(r, title);
    ctAtomicFile file;
    bool good = document != NULL || ctFailMemory(error, "a recording's description");
    if (good && (good = ctAtomicFile_Open(&file, path, error))) {
        json_dumpf(document, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        fputc('\n', file.stream);
        good = ctAtomicFile_Commit(&file, error);
    }
    json_decref(document);
    return good;
}

// ---- reading ----------------------------------------------------------------------------------

// A reader that stops at the first error and keeps it.
typedef struct Reader {
    const json_t *object;
    const char *path;
    ctError *error;
    bool good;
} Reader;

static const json_t *field(const Reader *in, const char *name)
{
    const json_t *value = in->good ? json_object_get(in->object, name) : NULL;
    return json_is_null(value) ? NULL : value;
}

static void wrong(Reader *in, const char *name, const char *what)
{
    in->good = ctFail(in->error, ct_badArgument, "%s: '%s' %s", in->path, name, what);
}

static char *readText(Reader *in, const char *name)
{
    const json_t *value = field(in, name);
    if (value == NULL) {
        return NULL;
    }
    if (!json_is_string(value)) {
        wrong(in, name, "must be a text");
        return NULL;
    }
    if (!ctIsPlainText(json_string_value(value), json_string_length(value))) {
        wrong(in, name, "must not hold control characters");
        return NULL;
    }
    char *copy = strdup(json_string_value(value));
    if (copy == NULL) {
        in->good = ctFailMemory(in->error, "a recording's description");
    }
    return copy;
}

// False, with *out unchanged, when the field is missing.
static bool readNumber(Reader *in, const char *name, double low, double high, double *out)
{
    const json_t *value = field(in, name);
    if (value == NULL) {
        return false;
    }
    double x = json_is_number(value) ? json_number_value(value) : NAN;
    if (!(x >= low && x <= high)) {
        char what[80];
        snprintf(what, sizeof what, "must be a number from %g to %g", low, high);
        wrong(in, name, what);
        return false;
    }
    *out = x;
    return true;
}

static void readSize(Reader *in, ctRecording *r)
{
    const json_t *size = field(in, "size");
    if (size == NULL) {
        return;
    }
    json_int_t width = json_integer_value(json_array_get(size, 0)),
               height = json_integer_value(json_array_get(size, 1));
    if (json_array_size(size) != 2 || width < 16 || width > 16384 || height < 16 || height > 16384) {
        wrong(in, "size", "must be two whole numbers from 16 to 16384");
        return;
    }
    r->width = (int)width;
    r->height = (int)height;
}

// Reads a text with the parser of the command line.
static void parseField(Reader *in, const char *name, const char *text,
                       bool (*parse)(const char *word, void *arguments, ctError *error), ctSceneArguments *arguments)
{
    ctError why;
    if (text != NULL && !parse(text, arguments, &why)) {
        wrong(in, name, why.message);
    }
}

static void readSettings(Reader *in, ctSceneArguments *arguments)
{
    const json_t *set = field(in, "set");
    if (set != NULL && !json_is_object(set)) {
        wrong(in, "set", "must be an object of numbers");
        return;
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)set, key, value)
    {
        char word[CT_SETTING_NAME + 32];
        if (!in->good || !json_is_number(value) || strlen(key) >= CT_SETTING_NAME) {
            wrong(in, key, "must be a number");
            return;
        }
        snprintf(word, sizeof word, "%s=%.17g", key, json_number_value(value));
        parseField(in, "set", word, ctParseSetting, arguments);
    }
}

static void readAll(Reader *in, ctRecording *r)
{
    r->scene = readText(in, "scene");
    r->out = readText(in, "out");
    r->camera = readText(in, "camera");
    r->follow = readText(in, "follow");
    r->overlay = readText(in, "overlay");
    r->ghost = readText(in, "ghost");
    r->sound = readText(in, "sound");
    r->mute = json_is_true(field(in, "mute"));
    ctSceneOptions *o = &r->arguments.scene;
    char *law = readText(in, "law"), *contact = readText(in, "contact"), *origin = readText(in, "scene_hash");
    snprintf(r->origin, sizeof r->origin, "%s", origin != NULL ? origin : "");
    readSettings(in, &r->arguments);
    parseField(in, "law", law, ctParseLaw, &r->arguments);
    parseField(in, "contact", contact, ctParseContact, &r->arguments);
    free(law);
    free(contact);
    free(origin);
    o->hasFriction = readNumber(in, "mu", 0.0, 1e6, &o->friction);
    o->hasRestitution = readNumber(in, "e", 0.0, 1.0, &o->restitution);
    readNumber(in, "seconds", 0.0, 1e6, &r->seconds);
    readNumber(in, "start", 0.0, 1e6, &r->start);
    readNumber(in, "fps", 1.0, 1e5, &o->fps);
    readNumber(in, "speed", 1e-6, 1e3, &r->speed);
    readSize(in, r);
    double samples = r->samples, frames = 0.0;
    readNumber(in, "samples", 1.0, 16.0, &samples);
    readNumber(in, "frames", 0.0, 1e9, &frames);
    r->samples = (int)samples;
    r->frames = (int)frames;
    r->complete = json_is_true(field(in, "complete"));
    if (in->good && r->scene == NULL) {
        wrong(in, "scene", "is missing");
    }
}

bool ctRecording_Load(ctRecording *r, const char *path, ctError *error)
{
    ctRecording_Default(r);
    json_error_t why;
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (document == NULL && why.line > 0) {
        return ctFail(error, ct_badArgument, "%s:%d: %s", path, why.line, why.text);
    }
    if (document == NULL) {
        return ctFail(error, ct_badArgument, "%s: cannot read: %s", path, strerror(errno));
    }
    Reader in = {document, path, error, true};
    if (!json_is_object(document)) {
        in.good = ctFail(error, ct_badArgument, "%s: not a recording", path);
    }
    readAll(&in, r);
    json_decref(document);
    if (!in.good) {
        ctRecording_Free(r);
        return false;
    }
    return true;
}
