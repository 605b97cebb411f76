#include "render/gui/font.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

char *ctFont_Find(void)
{
    static const char *const places[] = {
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", // Debian
        "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
        "/usr/local/share/fonts/DejaVuSans.ttf",
        NULL,
    };
    for (int i = 0; places[i] != NULL; i++) {
        if (access(places[i], R_OK) == 0) {
            return strdup(places[i]);
        }
    }
    return NULL;
}
