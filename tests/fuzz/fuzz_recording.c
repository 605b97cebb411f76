// A libFuzzer target: any bytes as recording.json. What is accepted can be written and read again.
#include "app/recording.h"
#include "collision/error.h"
#include "tests/fuzz/bytes.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("recording", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) {
        close(file);
        return 0;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    static ctRecording recording;
    ctRecording_Default(&recording);
    ctError error = {ct_ok, ""};
    bool ok = ctRecording_Load(&recording, path, &error);
    require(ok || error.message[0] != '\0', "refused without a message");
    require(ctIsPlainText(error.message, strlen(error.message)), "control characters in: %s", error.message);
    require(!ok || (isfinite(recording.seconds) && recording.width >= 0 && recording.height >= 0), "values");
    ctRecording_Free(&recording);
    close(file);
    return 0;
}
