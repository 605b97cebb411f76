// recording.json: what a recording shows and how it was made, so that it can be made again.
#ifndef CT_RECORDING_H
#define CT_RECORDING_H

#include "app/scene_options.h"

#define CT_RECORDING_NAME "recording.json"

typedef struct ctRecording {
    // The options of `clatter record`. Texts are owned; NULL: not given.
    char *scene, *out, *camera, *follow, *overlay, *ghost, *sound;
    bool mute;                  // no sound track in a video
    ctSceneArguments arguments; // its fps is the rate of the pictures
    double seconds, start;      // simulated s; seconds 0: the duration of the scene
    double speed;               // simulated s per s of the recording
    int width, height, samples;
    char origin[20]; // hash of the scene's first state, hexadecimal; empty: not known
    // The result.
    int frames;
    bool complete;
    char hash[20]; // of the state after the last frame, hexadecimal
} ctRecording;

// The struct points into itself: do not copy it.
void ctRecording_Default(ctRecording *recording);
void ctRecording_Free(ctRecording *recording);

bool ctRecording_Save(const ctRecording *recording, const char *title, const char *path, ctError *error);
// Messages name the file and the field. On failure *recording is left empty.
bool ctRecording_Load(ctRecording *recording, const char *path, ctError *error);

// The path of the description of a recording to `out`: in the folder, or beside the video. Freed with free().
char *ctRecording_PathFor(const char *out);

#endif
