// The computer's loudspeaker: plays the sound of a world as it is shown.
#ifndef CT_SOUND_SPEAKER_H
#define CT_SOUND_SPEAKER_H

#include "render/sound/soundtrack.h"

typedef struct ctSpeaker ctSpeaker;

// NULL, without a message, when there is no audio device.
ctSpeaker *ctSpeaker_Open(void);
void ctSpeaker_Close(ctSpeaker *speaker); // NULL is allowed
// Sets another scene. Sounds of the last scene end.
void ctSpeaker_SetScene(ctSpeaker *speaker, const ctWorld *world);
// Plays the impacts since the last call. No other thread may use the world. shown: simulated time of the picture, s;
// speed: simulated seconds per second; frameTime: s.
void ctSpeaker_Play(ctSpeaker *speaker, const ctWorld *world, const ctImpact *impacts, int count, double shown,
                    double speed, double frameTime);
int64_t ctSpeaker_Strikes(const ctSpeaker *speaker); // number of impacts played so far

#endif
