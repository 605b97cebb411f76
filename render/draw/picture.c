// Draws the bodies, planes and lines that a frame has collected.
#include "collision/memory.h"
#include "render/draw/find_borders.h"
#include "render/draw/ground.h"

#include <string.h>

// cglm works in single precision: doubles are converted here.
#include <cglm/cglm.h>

// The layout of assets/shaders/frame.glsl.
typedef struct frameBlock {
    mat4 viewProjection, inverseViewProjection, shadowMatrix;
    vec4 eye, light, viewport;
} frameBlock;

#define GHOST_OPACITY 0.55f
#define OUTLINE 2.5f // pixels

// Sorts the instances by their group: a counting sort.
static bool sortByGroup(ctRenderer *r)
{
    int groups = r->meshes.count * CT_PATTERNS;
    if (!ctReserve((void **)&r->sorted, &r->sortedCapacity, r->instanceCount + r->ghostCount, sizeof(ctInstance)) ||
        !ctReserve((void **)&r->firstOf, &r->firstCapacity, groups + 2, sizeof(int))) {
        return false;
    }
    for (int g = 0; g < groups + 2; g++) {
        r->firstOf[g] = 0;
    }
    for (int i = 0; i < r->instanceCount; i++) {
        r->firstOf[r->groupOf[i] + 2]++;
    }
    for (int g = 0; g < groups; g++) {
        r->firstOf[g + 2] += r->firstOf[g + 1];
    }
    // firstOf[g + 1] advances from the beginning of group g to its end, which is the beginning of group g + 1.
    for (int i = 0; i < r->instanceCount; i++) {
        r->sorted[r->firstOf[r->groupOf[i] + 1]++] = r->instances[i];
    }
    for (int i = 0; i < r->ghostCount; i++) {
        r->sorted[r->instanceCount + i] = r->ghosts[i];
    }
    return true;
}

// ---- drawing ----------------------------------------------------------------------------------

static void toFloat(ctVec3 v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void fillFrame(ctRenderer *r, frameBlock *block)
{
    vec3 eye, target, up = {0.0f, 0.0f, 1.0f};
    toFloat(r->view.eye, eye);
    toFloat(r->view.target, target);
    double distance = ctDistance(r->view.eye, r->view.target);
    float near = (float)(0.02 * distance), far = (float)fmax(400.0 * distance, 8.0 * r->extent);
    mat4 view, projection;
    glm_lookat(eye, target, up, view);
    glm_perspective(glm_rad((float)r->view.fov), (float)r->target.width / (float)r->target.height, near, far,
                    projection);
    projection[2][0] = -(float)r->view.shift;
    projection[2][1] = -(float)r->view.lift;
    glm_mat4_mul(projection, view, block->viewProjection);
    glm_mat4_inv(block->viewProjection, block->inverseViewProjection);
    mat4 toTexture = {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}, {0.5f, 0.5f, 0.5f, 1.0f}};
    mat4 lightMatrix;
    ctRenderer_ShadowBox(r, r->lightMatrix, &r->texel);
    memcpy(lightMatrix, r->lightMatrix, sizeof lightMatrix);
    glm_mat4_mul(toTexture, lightMatrix, block->shadowMatrix);
    glm_vec4(eye, r->shadows ? 1.0f : 0.0f, block->eye);
    toFloat(ct_sunDirection, block->light);
    block->light[3] = (float)r->texel;
    block->viewport[0] = (float)r->target.width;
    block->viewport[1] = (float)r->target.height;
    block->viewport[2] = (float)fmax(14.0 * distance, 3.0 * r->extent);
    block->viewport[3] = (float)r->floorCell;
}

static void drawShadows(ctRenderer *r)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadowFramebuffer);
    glViewport(0, 0, r->shadowSize, r->shadowSize);
    glClear(GL_DEPTH_BUFFER_BIT);
    if (!r->shadows) {
        return;
    }
    glUseProgram(r->shaders.shadow);
    glUniformMatrix4fv(ctGl_Uniform(r->shaders.shadow, "lightMatrix"), 1, GL_FALSE, r->lightMatrix);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    for (int m = 0; m < r->meshes.count; m++) {
        int first = r->firstOf[m * CT_PATTERNS], end = r->firstOf[(m + 1) * CT_PATTERNS];
        if (end > first) {
            // Shadows are soft: the next coarser sphere is fine enough.
            ctMeshStore_Draw(&r->meshes, m < ct_meshSphereLast - 1 ? m + 1 : m, first, end - first);
        }
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static ctEdges edgesOf(const ctRenderer *r, int mesh)
{
    return mesh == ct_meshBox ? ct_edgesBox : r->meshes.ranges[mesh].cylinder ? ct_edgesCylinder : ct_edgesNone;
}

static bool drawBodies(ctRenderer *r, ctError *error)
{
    for (int p = 0; p < CT_PATTERNS; p++) {
        for (int m = 0; m < r->meshes.count; m++) {
            int g = m * CT_PATTERNS + p, first = r->firstOf[g], count = r->firstOf[g + 1] - first;
            if (count > 0) {
                GLuint program = ctShaders_UseBody(&r->shaders, p, edgesOf(r, m), error);
                if (program == 0) {
                    return false;
                }
                glUniform3fv(ctGl_Uniform(program, "meshLo"), 1, r->meshes.ranges[m].lo);
                glUniform3fv(ctGl_Uniform(program, "meshHi"), 1, r->meshes.ranges[m].hi);
                ctMeshStore_Draw(&r->meshes, m, first, count);
            }
        }
    }
    return true;
}

// Draws the ghosts, which are few, after everything else. A depth offset puts a ghost behind a body at the same place.
static bool drawGhosts(ctRenderer *r, ctError *error)
{
    if (r->ghostCount == 0) {
        return true;
    }
    glEnable(GL_BLEND);
    glBlendColor(0.0f, 0.0f, 0.0f, GHOST_OPACITY);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 4.0f);
    bool done = true;
    for (int i = 0; i < r->ghostCount && done; i++) {
        int m = r->ghostGroupOf[i] / CT_PATTERNS;
        GLuint program = ctShaders_UseBody(&r->shaders, r->ghostGroupOf[i] % CT_PATTERNS, edgesOf(r, m), error);
        done = program != 0;
        if (done) {
            glUniform3fv(ctGl_Uniform(program, "meshLo"), 1, r->meshes.ranges[m].lo);
            glUniform3fv(ctGl_Uniform(program, "meshHi"), 1, r->meshes.ranges[m].hi);
            ctMeshStore_Draw(&r->meshes, m, r->instanceCount + i, 1);
        }
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_BLEND);
    return done;
}

float ctRenderer_OutlineWidth(const ctRenderer *r)
{
    return fmaxf(OUTLINE, OUTLINE * (float)r->target.height / 800.0f);
}

// The outlines of selected bodies, which are few.
static void drawOutlines(ctRenderer *r)
{
    bool set = false;
    for (int g = 0; g < r->meshes.count * CT_PATTERNS; g++) {
        for (int i = r->firstOf[g]; i < r->firstOf[g + 1]; i++) {
            if (((int)(r->sorted[i].state + 0.5f) & ct_stateSelected) == 0) {
                continue;
            }
            const ctMeshRange *range = &r->meshes.ranges[g / CT_PATTERNS];
            if (!set) {
                glUseProgram(r->shaders.outline);
                glUniform1f(ctGl_Uniform(r->shaders.outline, "width"), ctRenderer_OutlineWidth(r));
                glCullFace(GL_FRONT);
                set = true;
            }
            glUniform3f(ctGl_Uniform(r->shaders.outline, "middle"), 0.5f * (range->lo[0] + range->hi[0]),
                        0.5f * (range->lo[1] + range->hi[1]), 0.5f * (range->lo[2] + range->hi[2]));
            ctMeshStore_Draw(&r->meshes, g / CT_PATTERNS, i, 1);
        }
    }
    glCullFace(GL_BACK);
}

static bool drawSurroundings(ctRenderer *r, ctError *error)
{
    bool done = true;
    glDisable(GL_CULL_FACE);
    for (int i = 0; i < r->groundCount; i++) {
        done = done && ctRenderer_DrawGround(r, &r->grounds[i], error);
    }
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glUseProgram(r->groundCount > 0 ? r->shaders.sky : r->shaders.backdrop);
    glBindVertexArray(r->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glEnable(GL_CULL_FACE);
    return done;
}

static bool drawAll(ctRenderer *r, ctError *error)
{
    if (!drawBodies(r, error)) {
        return false;
    }
    drawOutlines(r);
    if (!drawSurroundings(r, error)) {
        return false;
    }
    ctShades_Draw(&r->shades);
    if (!drawGhosts(r, error)) {
        return false;
    }
    ctLines_Draw(&r->lines);
    return true;
}

bool ctRenderer_End(ctRenderer *r, ctError *error)
{
    if (r->failed || r->lines.failed || r->shades.failed || !sortByGroup(r)) {
        return ctFailMemory(error, "frame");
    }
    frameBlock block;
    fillFrame(r, &block);
    ctMeshStore_Upload(&r->meshes, r->sorted, r->instanceCount + r->ghostCount);
    glBindBuffer(GL_UNIFORM_BUFFER, r->frameBuffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->frameBuffer);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glDepthFunc(GL_LESS);
    drawShadows(r);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    bool smooth = r->target.samples > 1, byBorders = smooth && r->byBorders;
    if (!ctTarget_Begin(&r->target, smooth && !byBorders, error) || !drawAll(r, error)) {
        return false;
    }
    if (byBorders) {
        return (ctRenderer_FindBorders(r, (const float *)block.viewProjection) || ctFailMemory(error, "frame")) &&
               ctBorders_Draw(&r->borders, &r->target, error);
    }
    if (smooth) {
        ctTarget_Resolve(&r->target);
    }
    return true;
}
