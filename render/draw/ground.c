// A plane lies in shadow at most where the shadow map reaches, which is a parallelogram on the plane: the projection of
// the map along the sun's rays. Around it the plane is drawn by a program without lookups in the shadow map, which are
// a quarter of the cost of a software renderer. The outer border is the parallelogram, enlarged around its centre.
#include "render/draw/ground.h"

// Solves a u + b v = e, c u + d v = f.
static bool solve(double a, double b, double c, double d, double e, double f, double at[2])
{
    double determinant = a * d - b * c;
    at[0] = (e * d - b * f) / determinant;
    at[1] = (a * f - e * c) / determinant;
    return isfinite(at[0]) && isfinite(at[1]);
}

static double along(const float *matrix, int row, ctVec3 v)
{
    return (double)matrix[row] * v.x + (double)matrix[4 + row] * v.y + (double)matrix[8 + row] * v.z;
}

// The corners of the shadow map on the plane. The shaders look up points that lie a little above the surface
// (toShadowMap in assets/shaders/frame.glsl).
static bool findInner(const ctRenderer *r, ctVec3 normal, ctGroundPlace *place)
{
    static const double sides[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const float *m = r->lightMatrix;
    ctVec3 above = ctMulAdd(place->center, 1.5 * r->texel, normal);
    for (int i = 0; i < 4; i++) {
        double e = sides[i][0] - along(m, 0, above) - (double)m[12];
        double f = sides[i][1] - along(m, 1, above) - (double)m[13];
        double *at = place->inner[i];
        if (!solve(along(m, 0, place->x), along(m, 0, place->y), along(m, 1, place->x), along(m, 1, place->y), e, f,
                   at) ||
            hypot(at[0], at[1]) > place->radius) {
            return false;
        }
    }
    return true;
}

// The outer corners are those of the inner parallelogram, as many times as far from its middle as it takes.
static void findOuter(ctGroundPlace *place)
{
    static const double square[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const double(*q)[2] = place->split ? (const double(*)[2])place->inner : square;
    double middle[2] = {0.5 * (q[0][0] + q[2][0]), 0.5 * (q[0][1] + q[2][1])}, nearest = HUGE_VAL;
    for (int i = 0; i < 2; i++) {
        double x = q[i + 1][0] - q[i][0], y = q[i + 1][1] - q[i][1];
        nearest = fmin(nearest, fabs(x * (middle[1] - q[i][1]) - y * (middle[0] - q[i][0])) / hypot(x, y));
    }
    double times = (place->radius + hypot(middle[0], middle[1])) / nearest;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            place->outer[i][k] = middle[k] + times * (q[i][k] - middle[k]);
        }
        place->corners[i] =
            ctMulAdd(ctMulAdd(place->center, place->outer[i][0], place->x), place->outer[i][1], place->y);
    }
}

ctGroundPlace ctRenderer_PlaceGround(const ctRenderer *r, const ctGroundItem *item)
{
    ctGroundPlace place = {.x = ctV3(1.0, 0.0, 0.0)};
    if (fabs(item->normal.z) > 0.999) { // lines along the world's axes
        place.y = ctV3(0.0, item->normal.z > 0.0 ? 1.0 : -1.0, 0.0);
    } else { // one axis horizontal
        place.x = ctNormalize(ctCross(ctV3(0.0, 0.0, 1.0), item->normal));
        place.y = ctCross(item->normal, place.x);
    }
    ctVec3 t = r->view.target;
    place.center = ctMulAdd(t, item->offset - ctDot(t, item->normal), item->normal);
    place.radius = fmax(200.0 * ctDistance(r->view.eye, t), 4.0 * r->extent);
    place.shadowed = r->shadows && ctDot(item->normal, ct_sunDirection) > 0.0;
    place.split = place.shadowed && findInner(r, item->normal, &place);
    findOuter(&place);
    return place;
}

static bool drawPart(ctRenderer *r, const ctGroundItem *item, const ctGroundPlace *place, bool shadowed, int first,
                     int count, ctError *error)
{
    bool patterned = item->look.pattern == ct_patternChecker || item->look.pattern == ct_patternBoards;
    GLuint program = ctShaders_UseGround(&r->shaders, patterned ? (int)item->look.pattern : 0, shadowed, error);
    if (program == 0) {
        return false;
    }
    const ctVec3 vectors[4] = {place->center, place->x, place->y, item->look.color};
    static const char *const names[4] = {"center", "axisX", "axisY", "groundColor"};
    for (int i = 0; i < 4; i++) {
        glUniform3f(ctGl_Uniform(program, names[i]), (float)vectors[i].x, (float)vectors[i].y, (float)vectors[i].z);
    }
    // Where the pattern begins, in cells: it lies still in the world.
    double cell = fmax(r->floorCell, 1e-300), u = ctDot(r->origin, place->x) / cell,
           v = ctDot(r->origin, place->y) / cell;
    glUniform2f(ctGl_Uniform(program, "phase"), (float)fmod(u, 1000.0), (float)fmod(v, 1000.0));
    glDrawArrays(GL_TRIANGLES, first, count);
    return true;
}

bool ctRenderer_DrawGround(ctRenderer *r, const ctGroundItem *item, ctError *error)
{
    // The quadrilateral between the first two inner and the first two outer corners, and the inner one or all.
    static const int around[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}, inside[6] = {0, 1, 2, 0, 2, 3};
    ctGroundPlace place = ctRenderer_PlaceGround(r, item);
    float corners[30][2];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 2; k++) {
            corners[i][k] = (float)(place.split ? place.inner : place.outer)[inside[i]][k];
            for (int side = 0; side < 4; side++) {
                int corner = (side + around[i][1]) % 4;
                corners[6 + 6 * side + i][k] = (float)(around[i][0] == 0 ? place.inner : place.outer)[corner][k];
            }
        }
    }
    glBindVertexArray(r->groundArray);
    glBindBuffer(GL_ARRAY_BUFFER, r->groundBuffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STREAM_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    return drawPart(r, item, &place, place.shadowed, 0, 6, error) &&
           (!place.split || drawPart(r, item, &place, false, 6, 24, error));
}
