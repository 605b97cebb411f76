// A libFuzzer target: any bytes as a table of impacts for `clatter impact --batch`.
#include "app/impact_batch.h"
#include "collision/error.h"
#include "tests/fuzz/bytes.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("table", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) {
        close(file);
        return 0;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ctImpactBatch batch = {0};
    ctError error = {ct_ok, ""};
    bool ok = ctImpactBatch_Read(&batch, path, &error);
    require(ok || (error.message[0] != '\0' && batch.count == 0), "refused without a message");
    require(ctIsPlainText(error.message, strlen(error.message)), "control characters in: %s", error.message);
    for (int i = 0; i < batch.count && i < 50; i++) {
        ctImpactResult out;
        ctSolveImpact(&batch.cases[i], &out);
    }
    ctImpactBatch_Free(&batch);
    close(file);
    return 0;
}
