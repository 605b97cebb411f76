// A crate on a conveyor, and what a renderer would draw: triangles once, poses in every frame.
//     c++ $(pkg-config --cflags clatter) example_draw.cpp $(pkg-config --libs clatter) -o example_draw
#include <clatter.h>

#include <cstdio>
#include <cstdlib>

static void check(bool good, const ctError &error)
{
    if (!good) {
        std::fprintf(stderr, "example_draw: %s\n", error.message);
        std::exit(1);
    }
}

int main()
{
    ctError error;
    ctWorldDef settings = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&settings, &error);
    check(world != nullptr, error);

    ctBodyDef belt = ctDefaultBodyDef();
    belt.motion = ct_motionFixed;
    belt.shape = ctWorld_CreateBox(world, {6, 1, 0.2}, &error);
    belt.position = {0, 0, -0.1};
    ctBodyId conveyor = ctWorld_CreateBody(world, &belt, &error);
    check(conveyor.index1 != 0, error);
    check(ctBody_SetSurfaceVelocity(world, conveyor, {1, 0, 0}, {0, 0, 0}, &error), error);

    ctBodyDef box = ctDefaultBodyDef();
    box.name = "crate";
    box.shape = ctWorld_CreateBox(world, {0.4, 0.4, 0.3}, &error);
    box.position = {-2, 0, 0.15};
    ctBodyId crate = ctWorld_CreateBody(world, &box, &error);
    check(crate.index1 != 0, error);

    ctMesh mesh;
    check(ctShape_GetMesh(world, box.shape, 32, &mesh, &error), error);
    std::printf("the crate has %d triangles\n", mesh.indexCount / 3);
    ctMesh_Free(&mesh);

    ctVec3 positions[2];
    ctQuat orientations[2];
    ctBulk bulk = {};
    bulk.positions = positions;
    bulk.orientations = orientations;
    for (int frame = 1; frame <= 120; frame++) {
        check(ctWorld_Step(world, &error), error);
        int count = ctWorld_GetBulk(world, 0, 2, &bulk); // draw(mesh, positions[i], orientations[i]) ...
        if (frame % 60 == 0) {
            std::printf("%d bodies; after %d s the crate is at x = %.2f m\n", count, frame / 60, positions[1].x);
        }
    }
    ctVec3 normal, friction;
    ctWorld_GetContactForce(world, crate, conveyor, &normal, &friction);
    std::printf("the belt carries %.0f N\n", normal.z);
    ctWorld_Destroy(world);
    return 0;
}
