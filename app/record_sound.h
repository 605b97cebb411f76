// The sound of a recording: a WAV file is written beside the recording, and is added to a video at the end.
#ifndef CT_RECORD_SOUND_H
#define CT_RECORD_SOUND_H

#include "app/recording.h"
#include "render/sound/soundtrack.h"

typedef struct ctRecordSound {
    ctSoundtrack track;
    ctWavWriter *writer; // NULL: no sound
    char *path;          // of the WAV file
    bool intoVideo;      // the sound becomes the track of a video; without --sound the WAV file is then deleted
} ctRecordSound;

// video: the recording is a video, which can have a sound track. Does nothing when no sound is asked for.
bool ctRecordSound_Begin(ctRecordSound *sound, const ctRecording *recording, bool video, ctError *error);
// To be called at the first picture.
void ctRecordSound_Start(ctRecordSound *sound, const ctWorld *world, double speed);
// To be called after a frame of the world. seconds: duration of the recording up to the end of this frame.
bool ctRecordSound_Frame(ctRecordSound *sound, const ctWorld *world, double frameTime, double seconds, ctError *error);
// Closes the file and adds it to the finished video. Deletes the file unless the recording is whole.
bool ctRecordSound_Finish(ctRecordSound *sound, const char *video, bool whole, ctError *error);

#endif
