// clatter list: the demo scenes, one per line: name, tab, title.
#include "app/app.h"
#include "app/options.h"
#include "scenes/scene.h"

int ctCommandList(int argc, char **argv)
{
    bool descriptions = false;
    const ctOption options[] = {
        CT_FLAG("long", &descriptions, "with each one's description"),
        {.name = NULL},
    };
    const ctOptionSet set = {.command = "list", .usage = "clatter list [--long]\n", .options = options};
    int status;
    if (!ctParseOptions(&set, argc, argv, NULL, &status)) {
        return status;
    }
    ctDemo *demos;
    int count;
    ctError error = {ct_ok, ""};
    if (!ctDemos_List(&demos, &count, &error)) {
        fprintf(stderr, "clatter: %s\n", error.message);
        return CT_EXIT_FAILED;
    }
    for (int i = 0; i < count; i++) {
        printf("%s\t%s\t%s\n", demos[i].name, demos[i].tab, demos[i].title);
        if (descriptions) {
            printf("%s\n\n", demos[i].description);
        }
    }
    ctDemos_Free(demos, count);
    return CT_EXIT_OK;
}
