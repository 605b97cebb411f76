// A libFuzzer target: any bytes as a scene's script. It loads and steps, or is refused with a message; within its
// budget.
#include "collision/clock.h"
#include "scenes/measure.h"
#include "tests/fuzz/bytes.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void ignore(void *context, const char *line)
{
    (void)context;
    require(ctIsPlainText(line, strlen(line)), "a printed line holds control characters");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("scene", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) {
        close(file);
        return 0;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ctError error = {ct_ok, ""};
    ctSceneOptions options = {.print = ignore};
    double start = ctClock_Thread();
    ctScene *scene = ctScene_Load(path, &options, &error);
    require(ctClock_Thread() - start < 15.0, "%g s to load", ctClock_Thread() - start);
    require(scene != NULL || (error.status != ct_ok && error.message[0] != '\0'), "no message");
    require(ctIsPlainText(error.message, strlen(error.message)), "control characters in: %s", error.message);
    if (scene != NULL && ctWorld_GetBodyCount(scene->world) < 200) {
        bool good = true;
        for (int i = 0; i < 3 && good; i++) {
            good = ctScene_Step(scene, &error); // a callback of the script may fail
            require(good || (error.status == ct_badArgument && error.message[0] != '\0'), "%s", error.message);
        }
        for (int i = 0; i < scene->measureCount; i++) {
            double value;
            require(ctScene_Measure(scene, i, &value, &error) || error.message[0] != '\0', "no message");
        }
        require(ctScene_UpdateLabels(scene, &error) || error.message[0] != '\0', "no message");
    }
    ctScene_Destroy(scene);
    close(file);
    return 0;
}
