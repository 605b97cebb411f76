// Recording at 1280x720: frames per second, and where the time goes.
#include <stdio.h>
#include <stdlib.h>

// The program prints the split itself; this runs it for frames and for video, on one scene.
int main(void)
{
    const char *lines[] = {
        "build/clatter record bowling --size 1280x720 --seconds 2 --out build/bench-record/frames",
        "build/clatter record bowling --size 1280x720 --seconds 2 --out build/bench-record/clip.mp4",
        "build/clatter record bowling --size 1280x720 --samples 1 --seconds 2 --out build/bench-record/one-sample",
    };
    if (system("rm -rf build/bench-record && mkdir -p build/bench-record") != 0) {
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        printf("%s\n", lines[i]);
        fflush(stdout);
        if (system(lines[i]) != 0) {
            return EXIT_FAILURE;
        }
    }
    return system("rm -rf build/bench-record") == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
