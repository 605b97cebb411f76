// A scene in Lua, run by a C program: how far does a ball roll, for three speeds?
//     cc $(pkg-config --cflags clatter-scenes) example_scene.c $(pkg-config --libs clatter-scenes) -o example_scene
#include <clatter-scenes.h>
#include <stdio.h>
#include <string.h>

static const char script[] = "local v = param('speed', 1, 0, 10)\n"
                             "material('felt', { friction = 0.5, rolling = 0.002 })\n"
                             "body { name = 'table', shape = plane { }, material = 'felt' }\n"
                             "body { name = 'ball', shape = sphere { radius = 0.03 }, position = {0, 0, 0.03},\n"
                             "       velocity = {v, 0, 0}, material = 'felt' }\n"
                             "measure('way', function(world) return world:body('ball').position[1] end)\n";

int main(void)
{
    for (int speed = 1; speed <= 3; speed++) {
        ctError error;
        ctSetting setting = {"speed", speed};
        ctSceneOptions options;
        memset(&options, 0, sizeof options);
        options.settings = &setting;
        options.settingCount = 1;
        ctScene *scene = ctScene_LoadText(script, strlen(script), "ball.lua", &options, &error);
        if (scene == NULL) {
            fprintf(stderr, "example_scene: %s\n", error.message);
            return 1;
        }
        double way = 0.0;
        for (int frame = 0; frame < 600; frame++) {
            if (!ctScene_Step(scene, &error)) {
                fprintf(stderr, "example_scene: %s\n", error.message);
                return 1;
            }
        }
        if (!ctScene_Measure(scene, 0, &way, &error)) {
            fprintf(stderr, "example_scene: %s\n", error.message);
            return 1;
        }
        printf("%d m/s: the ball rolls %.2f m\n", speed, way);
        ctScene_Destroy(scene);
    }
    return 0;
}
