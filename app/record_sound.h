// The sound of a recording: written beside it while it is made, and put into the video at its end.
#ifndef CT_RECORD_SOUND_H
#define CT_RECORD_SOUND_H

#include "app/recording.h"
#include "render/sound/soundtrack.h"

typedef struct ctRecordSound {
    ctSoundtrack track;
    ctWavWriter *writer; // NULL: no sound
    char *path;          // of the WAV file
    bool intoVideo;      // and not to be kept
} ctRecordSound;

// video: the recording is one that can have a sound track. Nothing is made where no sound is asked for.
bool ctRecordSound_Begin(ctRecordSound *sound, const ctRecording *recording, bool video, ctError *error);
// At the moment of the first picture.
void ctRecordSound_Start(ctRecordSound *sound, const ctWorld *world, double speed);
// After a frame of the world; seconds: of the recording, up to its end.
bool ctRecordSound_Frame(ctRecordSound *sound, const ctWorld *world, double frameTime, double seconds, ctError *error);
// Closes the file and puts it into the finished video. Unless whole, nothing is left of it.
bool ctRecordSound_Finish(ctRecordSound *sound, const char *video, bool whole, ctError *error);

#endif
