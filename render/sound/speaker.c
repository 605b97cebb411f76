#include "render/sound/speaker.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DELAY 0.02     // s: strikes are played this much after their picture, so that none is too late
#define STRIKES_MAX 60 // strikes per call; more cannot be distinguished

struct ctSpeaker {
    SDL_AudioDeviceID device;
    ctSoundtrack track; // behind the device's lock
    int64_t strikes;
};

static void fill(void *context, Uint8 *bytes, int size)
{
    ctSpeaker *s = context;
    ctSynth_Render(&s->track.synth, (float *)(void *)bytes, size / (int)sizeof(float));
}

// Whether there is an audio device. When there is none, the system's library would print many messages on standard
// error.
static bool isThere(void)
{
    if (getenv("SDL_AUDIODRIVER") != NULL || getenv("PULSE_SERVER") != NULL) {
        return true;
    }
#ifdef __linux__
    const char *run = getenv("XDG_RUNTIME_DIR");
    char path[512];
    static const char *const sockets[] = {"pulse/native", "pipewire-0"};
    for (int i = 0; run != NULL && i < 2; i++) {
        snprintf(path, sizeof path, "%.400s/%s", run, sockets[i]);
        if (access(path, F_OK) == 0) {
            return true;
        }
    }
    return access("/dev/snd/controlC0", F_OK) == 0;
#else
    return true;
#endif
}

ctSpeaker *ctSpeaker_Open(void)
{
    ctSpeaker *s = isThere() ? calloc(1, sizeof *s) : NULL;
    if (s == NULL || SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        free(s);
        return NULL;
    }
    SDL_AudioSpec wanted = {
        .freq = CT_SOUND_RATE, .format = AUDIO_F32SYS, .channels = 1, .samples = 512, .callback = fill, .userdata = s};
    s->track.speed = 1.0;
    s->device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    if (s->device == 0) {
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        free(s);
        return NULL;
    }
    SDL_PauseAudioDevice(s->device, 0);
    return s;
}

void ctSpeaker_Close(ctSpeaker *s)
{
    if (s != NULL) {
        SDL_CloseAudioDevice(s->device);
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        ctSoundtrack_Free(&s->track);
        free(s);
    }
}

void ctSpeaker_SetScene(ctSpeaker *s, const ctWorld *world)
{
    if (s != NULL) {
        SDL_LockAudioDevice(s->device);
        ctSoundtrack_Begin(&s->track, world, 1.0);
        SDL_UnlockAudioDevice(s->device);
    }
}

void ctSpeaker_Play(ctSpeaker *s, const ctWorld *world, const ctImpact *impacts, int count, double shown, double speed,
                    double frameTime)
{
    SDL_LockAudioDevice(s->device);
    // The time of the picture is heard now plus DELAY.
    double now = (double)s->track.synth.sample / CT_SOUND_RATE + DELAY;
    s->track.speed = speed;
    s->track.origin = shown - now * speed;
    int first = count > STRIKES_MAX ? count - STRIKES_MAX : 0;
    for (int i = first; i < count; i++) {
        ctSoundtrack_Impact(&s->track, world, &impacts[i]);
        s->strikes += impacts[i].kind == ct_eventImpact;
    }
    ctSoundtrack_Rolls(&s->track, world, frameTime);
    SDL_UnlockAudioDevice(s->device);
}

int64_t ctSpeaker_Strikes(const ctSpeaker *s)
{
    return s != NULL ? s->strikes : 0;
}
