// The computer's loudspeaker: plays what a world does, as it is shown.
#ifndef CT_SOUND_SPEAKER_H
#define CT_SOUND_SPEAKER_H

#include "render/sound/soundtrack.h"

typedef struct ctSpeaker ctSpeaker;

// NULL where there is no sound; nothing is said about it.
ctSpeaker *ctSpeaker_Open(void);
void ctSpeaker_Close(ctSpeaker *speaker); // NULL is allowed
// Another scene: what still sounds goes silent.
void ctSpeaker_SetScene(ctSpeaker *speaker, const ctWorld *world);
// What has happened since the last call, while nobody else uses the world. shown: simulated time of the picture, s;
// speed: simulated seconds per second; frameTime: s.
void ctSpeaker_Play(ctSpeaker *speaker, const ctWorld *world, const ctImpact *impacts, int count, double shown,
                    double speed, double frameTime);
int64_t ctSpeaker_Strikes(const ctSpeaker *speaker); // so far

#endif
