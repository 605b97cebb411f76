// A libFuzzer target: any text at all as an OBJ file, whole and in parts. `make fuzz` builds it; tests/test_obj.c
// replays a corpus through it.
#include "collision/shape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What comes out is a solid, or an error with a message.
static void judge(ctShape *shape, const ctError *error)
{
    if (shape == NULL) {
        if (error->status == ct_ok || error->message[0] == '\0') {
            abort();
        }
        return;
    }
    if (error->status != ct_ok || !(shape->unit.mass > 0.0) || !isfinite(shape->boundRadius) || !(shape->round > 0.0) ||
        !(shape->unit.inertia.cx.x > 0.0) || !ctIsFinite3(shape->lo) || !ctIsFinite3(shape->hi) ||
        shape->leafCount < 1) {
        abort();
    }
    ctShape_Release(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int decompose = 0; decompose < 2; decompose++) {
        ctError error = {ct_ok, ""};
        // With no byte after the end that could be read by mistake.
        char *text = malloc(size > 0 ? size : 1);
        if (text == NULL) {
            return 0;
        }
        for (size_t i = 0; i < size; i++) {
            text[i] = (char)data[i];
        }
        judge(ctShape_Obj(text, size, "fuzz.obj", decompose == 1, &error), &error);
        free(text);
    }
    return 0;
}
