// A controller inside of the steps: a thrust, set a hundred times per second, holds a box one metre up. What it does is
// the same at every frame rate, and what it keeps travels with snapshots.
//     cc $(pkg-config --cflags clatter) example_steering.c $(pkg-config --libs clatter) -o example_steering
#include <clatter.h>
#include <stdio.h>
#include <string.h>

static const double interval = 0.01; // s

typedef struct Memory {
    double due;   // time of the next turn, s
    int commands; // given so far
} Memory;

static bool hold(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    (void)turn;
    ctBodyId box = *(const ctBodyId *)context;
    Memory memory = {0.0, 0};
    size_t size;
    const void *notes = ctWorld_GetNotes(world, &size);
    if (size == sizeof memory) {
        memcpy(&memory, notes, sizeof memory);
    }
    if (memory.due <= ctWorld_GetTime(world)) {
        double z = ctBody_GetCenter(world, box).z, v = ctBody_GetVelocity(world, box).z;
        ctVec3 thrust = {0.0, 0.0, 9.81 + 20.0 * (1.0 - z) - 8.0 * v};
        memory.due = interval * ++memory.commands;
        if (!ctBody_SetForce(world, box, thrust, error) || !ctWorld_SetNotes(world, &memory, sizeof memory, error)) {
            return false;
        }
    }
    *next = memory.due;
    return true;
}

int main(void)
{
    for (int fps = 30; fps <= 240; fps *= 2) {
        ctError error;
        ctWorldDef def = ctDefaultWorldDef();
        def.frameTime = 1.0 / fps;
        ctWorld *world = ctWorld_Create(&def, &error);
        ctBodyDef body = ctDefaultBodyDef();
        body.shape = ctWorld_CreateBox(world, (ctVec3){0.2, 0.2, 0.1}, &error);
        body.mass = 1.0;
        ctBodyId box = ctWorld_CreateBody(world, &body, &error);
        ctWorld_SetSteering(world, hold, &box, false, &error);
        for (int frame = 0; frame < 2 * fps; frame++) {
            if (!ctWorld_Step(world, &error)) {
                fprintf(stderr, "example_steering: %s\n", error.message);
                return 1;
            }
        }
        printf("%3d frames per second: %.9f m up after 2 s\n", fps, ctBody_GetCenter(world, box).z);
        ctWorld_Destroy(world);
    }
    return 0;
}
