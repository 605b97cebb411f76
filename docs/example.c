// A ball is dropped on a floor: where does it bounce to?
//     cc $(pkg-config --cflags clatter) example.c $(pkg-config --libs clatter) -o example
#include <clatter.h>
#include <stdio.h>
#include <stdlib.h>

static void check(bool good, const ctError *error)
{
    if (!good) {
        fprintf(stderr, "example: %s\n", error->message);
        exit(1);
    }
}

static void onImpact(void *context, const ctWorld *world, const ctImpact *impact)
{
    (void)context;
    printf("%6.3f s: %s touches down at %.3f m/s, %.3f J are lost\n", impact->time,
           ctBody_GetName(world, impact->body1), -impact->velocity.z, impact->energyLost);
}

int main(void)
{
    ctError error;
    ctWorldDef settings = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&settings, &error);
    check(world != NULL, &error);

    ctMaterialId rubber;
    ctMaterialDef material = ctDefaultMaterialDef();
    material.name = "rubber";
    material.self.restitution = 0.8;
    check(ctWorld_CreateMaterial(world, &material, &rubber, &error), &error);

    ctBodyDef floor = ctDefaultBodyDef();
    floor.name = "floor";
    floor.motion = ct_motionFixed;
    floor.material = rubber;
    floor.shape = ctWorld_CreatePlane(world, (ctVec3){0, 0, 1}, 0.0, &error);
    check(ctWorld_CreateBody(world, &floor, &error).index1 != 0, &error);

    ctBodyDef ball = ctDefaultBodyDef();
    ball.name = "ball";
    ball.material = rubber;
    ball.shape = ctWorld_CreateSphere(world, 0.05, &error);
    ball.position = (ctVec3){0, 0, 1.05};
    ctBodyId id = ctWorld_CreateBody(world, &ball, &error);
    check(id.index1 != 0, &error);

    ctWorld_OnImpact(world, onImpact, NULL);
    for (int frame = 0; frame < 120; frame++) {
        check(ctWorld_Step(world, &error), &error);
    }
    ctVec3 at = ctBody_GetCenter(world, id);
    printf("%6.3f s: the ball is %.3f m above the floor\n", ctWorld_GetTime(world), at.z - 0.05);
    ctWorld_Destroy(world);
    return 0;
}
