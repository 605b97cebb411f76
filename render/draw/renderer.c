#include "render/draw/renderer.h"

#include "collision/memory.h"
#include "render/draw/lines.h"
#include "render/draw/mesh_store.h"
#include "render/draw/shaders.h"
#include "render/draw/target.h"

// cglm is the single-precision side of the border: what comes in as double is converted here.
#include <cglm/cglm.h>
#include <stdio.h>

// Kept by a frame until it is drawn.
typedef struct groundItem {
    ctVec3 normal;
    double offset;
    ctLook look;
} groundItem;

// The layout of assets/shaders/frame.glsl.
typedef struct frameBlock {
    mat4 viewProjection, inverseViewProjection, shadowMatrix;
    vec4 eye, light, viewport;
} frameBlock;

#define PATTERNS CT_PATTERNS
#define GHOST_OPACITY 0.55f
#define OUTLINE 2.5f // pixels

struct ctRenderer {
    ctTarget target;
    ctMeshStore meshes;
    ctLines lines;
    ctShaders shaders;
    GLuint empty, frameBuffer;
    GLuint shadowFramebuffer, shadowTexture;
    bool shadows;
    // This frame.
    ctView view;
    double floorCell, extent;
    ctInstance *instances, *sorted;
    int *groupOf; // per instance: mesh * PATTERNS + pattern
    int instanceCount, instanceCapacity, sortedCapacity, groupCapacity;
    ctInstance *ghosts; // they follow the others in sorted
    int *ghostGroupOf;
    int ghostCount, ghostCapacity, ghostGroupCapacity;
    int *firstOf; // per group: where its instances begin in sorted
    int firstCapacity;
    groundItem *grounds;
    int groundCount, groundCapacity;
    bool failed;
};

// ---- creation ---------------------------------------------------------------------------------

static bool createShadowMap(ctRenderer *r, ctError *error)
{
    glGenTextures(1, &r->shadowTexture);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, CT_SHADOW_SIZE, CT_SHADOW_SIZE, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &r->shadowFramebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadowFramebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadowTexture, 0);
    glDrawBuffers(1, &(GLenum){GL_NONE});
    glReadBuffer(GL_NONE);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete ? true : ctFail(error, ct_io, "OpenGL refuses a shadow map");
}

ctRenderer *ctRenderer_Create(ctError *error)
{
    ctRenderer *r = ctAllocate(1, sizeof(ctRenderer));
    if (r == NULL) {
        ctFailMemory(error, "renderer");
        return NULL;
    }
    r->shadows = true;
    glGenVertexArrays(1, &r->empty);
    glGenBuffers(1, &r->frameBuffer);
    if (!ctShaders_Create(&r->shaders, error) || !createShadowMap(r, error) || !ctMeshStore_Create(&r->meshes, error) ||
        !ctLines_Create(&r->lines, error)) {
        ctRenderer_Destroy(r);
        return NULL;
    }
    return r;
}

void ctRenderer_Destroy(ctRenderer *r)
{
    if (r == NULL) {
        return;
    }
    ctTarget_Destroy(&r->target);
    ctMeshStore_Destroy(&r->meshes);
    ctLines_Destroy(&r->lines);
    ctShaders_Destroy(&r->shaders);
    glDeleteVertexArrays(1, &r->empty);
    glDeleteBuffers(1, &r->frameBuffer);
    glDeleteFramebuffers(1, &r->shadowFramebuffer);
    glDeleteTextures(1, &r->shadowTexture);
    ctFree(r->instances);
    ctFree(r->ghosts);
    ctFree(r->ghostGroupOf);
    ctFree(r->sorted);
    ctFree(r->groupOf);
    ctFree(r->firstOf);
    ctFree(r->grounds);
    ctFree(r);
}

bool ctRenderer_SetSize(ctRenderer *r, int width, int height, int samples, ctError *error)
{
    return ctTarget_SetSize(&r->target, width, height, samples, error);
}

void ctRenderer_GetSize(const ctRenderer *r, int *width, int *height)
{
    *width = r->target.width;
    *height = r->target.height;
}

void ctRenderer_SetShadows(ctRenderer *r, bool on)
{
    r->shadows = on;
}

bool ctRenderer_AddShape(ctRenderer *r, const struct ctShape *shape, ctDrawShape *draw, ctError *error)
{
    return ctMeshStore_Add(&r->meshes, shape, draw, error);
}

void ctRenderer_ForgetShapes(ctRenderer *r)
{
    ctMeshStore_Forget(&r->meshes);
}

// ---- collecting a frame -----------------------------------------------------------------------

void ctRenderer_Begin(ctRenderer *r, const ctView *view, double floorCell, double extent)
{
    r->view = *view;
    r->floorCell = floorCell;
    r->extent = extent;
    r->instanceCount = r->groundCount = r->ghostCount = 0;
    r->failed = false;
    ctLines_Clear(&r->lines);
}

// Spheres are cut as finely as their size on the screen asks for.
static int levelOfDetail(const ctRenderer *r, ctDrawShape shape, ctVec3 place)
{
    if (shape.mesh != ct_meshSphere) {
        return shape.mesh;
    }
    double radius = fmax(shape.scale[0], fmax(shape.scale[1], shape.scale[2]));
    double away = fmax(ctDistance(place, r->view.eye), 1e-6);
    double pixels = radius / away / tan(r->view.fov * CT_PI / 360.0) * 0.5 * r->target.height;
    // A circle of n corners strays from the round one by r (1 - cos(pi / n)): here by half a pixel at most.
    return ct_meshSphere + (pixels > 100.0 ? 0 : pixels > 26.0 ? 1 : pixels > 6.5 ? 2 : 3);
}

static ctInstance instanceOf(ctDrawShape shape, ctTransform pose, ctLook look, int state)
{
    return (ctInstance){
        .place = {(float)pose.p.x, (float)pose.p.y, (float)pose.p.z},
        .number = (float)look.number,
        .turn = {(float)pose.q.x, (float)pose.q.y, (float)pose.q.z, (float)pose.q.w},
        .scale = {shape.scale[0], shape.scale[1], shape.scale[2]},
        .state = (float)state,
        .color = {(float)look.color.x, (float)look.color.y, (float)look.color.z},
        .gloss = 1.0f,
    };
}

static int groupOfLook(const ctRenderer *r, ctDrawShape shape, ctVec3 place, ctLook look)
{
    int pattern = look.pattern >= 0 && (int)look.pattern < PATTERNS ? (int)look.pattern : 0;
    return levelOfDetail(r, shape, place) * PATTERNS + pattern;
}

void ctRenderer_AddGhost(ctRenderer *r, ctDrawShape shape, ctTransform pose, ctLook look)
{
    int n = r->ghostCount;
    if (shape.mesh < 0 || !ctIsFinite3(pose.p)) {
        return;
    }
    if (!ctReserve((void **)&r->ghosts, &r->ghostCapacity, n + 1, sizeof(ctInstance)) ||
        !ctReserve((void **)&r->ghostGroupOf, &r->ghostGroupCapacity, n + 1, sizeof(int))) {
        r->failed = true;
        return;
    }
    // Paler than the body that it belongs to.
    look.color = ctLerp(look.color, ctV3(0.62, 0.82, 1.0), 0.75);
    r->ghostGroupOf[n] = groupOfLook(r, shape, pose.p, look);
    r->ghosts[n] = instanceOf(shape, pose, look, 0);
    r->ghostCount = n + 1;
}

void ctRenderer_AddBody(ctRenderer *r, ctDrawShape shape, ctTransform pose, ctLook look, int state)
{
    int n = r->instanceCount;
    if (shape.mesh < 0 || !ctIsFinite3(pose.p)) {
        return;
    }
    if (!ctReserve((void **)&r->instances, &r->instanceCapacity, n + 1, sizeof(ctInstance)) ||
        !ctReserve((void **)&r->groupOf, &r->groupCapacity, n + 1, sizeof(int))) {
        r->failed = true;
        return;
    }
    r->groupOf[n] = groupOfLook(r, shape, pose.p, look);
    r->instances[n] = instanceOf(shape, pose, look, state);
    r->instanceCount = n + 1;
}

void ctRenderer_AddGround(ctRenderer *r, ctVec3 normal, double offset, ctLook look)
{
    if (!ctReserve((void **)&r->grounds, &r->groundCapacity, r->groundCount + 1, sizeof(groundItem))) {
        r->failed = true;
        return;
    }
    r->grounds[r->groundCount++] = (groundItem){normal, offset, look};
}

void ctRenderer_AddLine(ctRenderer *r, ctVec3 a, ctVec3 b, float widthA, float widthB, ctColor color)
{
    ctLines_Add(&r->lines, a, b, widthA, widthB, color);
}

// Instances in order of their group, by counting.
static bool sortByGroup(ctRenderer *r)
{
    int groups = r->meshes.count * PATTERNS;
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
    // firstOf[g + 1] walks from the beginning of group g to its end, where it is the beginning of group g + 1.
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

static const ctVec3 sunDirection = {-0.48, -0.44, 0.7588807548};

// The sun sees a square around the camera's target. Its size goes by steps and its centre by whole texels, so
// that the edges of shadows do not crawl when the camera moves.
static double shadowBox(const ctRenderer *r, mat4 out)
{
    double reach = fmin(r->extent, 1.6 * ctDistance(r->view.eye, r->view.target));
    double radius = exp2(ceil(4.0 * log2(fmax(reach, 1e-4))) / 4.0);
    double texel = 2.0 * radius / CT_SHADOW_SIZE;
    ctVec3 x, y;
    ctFrameFromNormal(sunDirection, &x, &y);
    double cx = floor(ctDot(r->view.target, x) / texel) * texel, cy = floor(ctDot(r->view.target, y) / texel) * texel;
    double cz = ctDot(r->view.target, sunDirection), depth = 3.0 * fmax(radius, fmin(r->extent, 4.0 * radius));
    mat4 m = GLM_MAT4_IDENTITY_INIT;
    const ctVec3 rows[3] = {ctScale(1.0 / radius, x), ctScale(1.0 / radius, y), ctScale(-1.0 / depth, sunDirection)};
    const double shift[3] = {-cx / radius, -cy / radius, cz / depth};
    for (int i = 0; i < 3; i++) {
        m[0][i] = (float)rows[i].x;
        m[1][i] = (float)rows[i].y;
        m[2][i] = (float)rows[i].z;
        m[3][i] = (float)shift[i];
    }
    glm_mat4_copy(m, out);
    return texel;
}

static void fillFrame(ctRenderer *r, frameBlock *block, mat4 lightMatrix)
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
    double texel = shadowBox(r, lightMatrix);
    glm_mat4_mul(toTexture, lightMatrix, block->shadowMatrix);
    glm_vec4(eye, r->shadows ? 1.0f : 0.0f, block->eye);
    toFloat(sunDirection, block->light);
    block->light[3] = (float)texel;
    block->viewport[0] = (float)r->target.width;
    block->viewport[1] = (float)r->target.height;
    block->viewport[2] = (float)fmax(14.0 * distance, 3.0 * r->extent);
    block->viewport[3] = (float)r->floorCell;
}

static void drawShadows(ctRenderer *r, mat4 lightMatrix)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadowFramebuffer);
    glViewport(0, 0, CT_SHADOW_SIZE, CT_SHADOW_SIZE);
    glClear(GL_DEPTH_BUFFER_BIT);
    if (!r->shadows) {
        return;
    }
    glUseProgram(r->shaders.shadow);
    glUniformMatrix4fv(ctGl_Uniform(r->shaders.shadow, "lightMatrix"), 1, GL_FALSE, lightMatrix[0]);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    for (int m = 0; m < r->meshes.count; m++) {
        int first = r->firstOf[m * PATTERNS], end = r->firstOf[(m + 1) * PATTERNS];
        if (end > first) {
            // Shadows are soft: the next coarser sphere will do.
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
    for (int p = 0; p < PATTERNS; p++) {
        for (int m = 0; m < r->meshes.count; m++) {
            int first = r->firstOf[m * PATTERNS + p], count = r->firstOf[m * PATTERNS + p + 1] - first;
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

// Ghosts, which are few, over everything else. A ghost in the place of its body is behind it.
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
        int m = r->ghostGroupOf[i] / PATTERNS;
        GLuint program = ctShaders_UseBody(&r->shaders, r->ghostGroupOf[i] % PATTERNS, edgesOf(r, m), error);
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

// The outlines of selected bodies, which are few.
static void drawOutlines(ctRenderer *r)
{
    bool set = false;
    for (int g = 0; g < r->meshes.count * PATTERNS; g++) {
        for (int i = r->firstOf[g]; i < r->firstOf[g + 1]; i++) {
            if (((int)(r->sorted[i].state + 0.5f) & ct_stateSelected) == 0) {
                continue;
            }
            const ctMeshRange *range = &r->meshes.ranges[g / PATTERNS];
            if (!set) {
                glUseProgram(r->shaders.outline);
                glUniform1f(ctGl_Uniform(r->shaders.outline, "width"),
                            fmaxf(OUTLINE, OUTLINE * (float)r->target.height / 800.0f));
                glCullFace(GL_FRONT);
                set = true;
            }
            glUniform3f(ctGl_Uniform(r->shaders.outline, "middle"), 0.5f * (range->lo[0] + range->hi[0]),
                        0.5f * (range->lo[1] + range->hi[1]), 0.5f * (range->lo[2] + range->hi[2]));
            ctMeshStore_Draw(&r->meshes, g / PATTERNS, i, 1);
        }
    }
    glCullFace(GL_BACK);
}

static bool drawGround(ctRenderer *r, const groundItem *item, ctError *error)
{
    bool patterned = item->look.pattern == ct_patternChecker || item->look.pattern == ct_patternBoards;
    int pattern = patterned ? (int)item->look.pattern : 0;
    GLuint program = ctShaders_UseGround(&r->shaders, pattern, error);
    if (program == 0) {
        return false;
    }
    ctVec3 x, y;
    if (fabs(item->normal.z) > 0.999) { // lines along the world's axes
        x = ctV3(1.0, 0.0, 0.0);
        y = ctV3(0.0, item->normal.z > 0.0 ? 1.0 : -1.0, 0.0);
    } else { // one axis horizontal
        x = ctNormalize(ctCross(ctV3(0.0, 0.0, 1.0), item->normal));
        y = ctCross(item->normal, x);
    }
    ctVec3 t = r->view.target, center = ctMulAdd(t, item->offset - ctDot(t, item->normal), item->normal);
    double distance = ctDistance(r->view.eye, t);
    vec3 c, ax, ay;
    toFloat(center, c);
    toFloat(x, ax);
    toFloat(y, ay);
    glUniform3fv(ctGl_Uniform(program, "center"), 1, c);
    glUniform3fv(ctGl_Uniform(program, "axisX"), 1, ax);
    glUniform3fv(ctGl_Uniform(program, "axisY"), 1, ay);
    glUniform1f(ctGl_Uniform(program, "radius"), (float)fmax(200.0 * distance, 4.0 * r->extent));
    glUniform3f(ctGl_Uniform(program, "groundColor"), (float)item->look.color.x, (float)item->look.color.y,
                (float)item->look.color.z);
    ctMeshStore_Draw(&r->meshes, ct_meshGround, 0, 1);
    return true;
}

static bool drawSurroundings(ctRenderer *r, ctError *error)
{
    bool done = true;
    glDisable(GL_CULL_FACE);
    for (int i = 0; i < r->groundCount; i++) {
        done = done && drawGround(r, &r->grounds[i], error);
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

bool ctRenderer_End(ctRenderer *r, ctError *error)
{
    if (r->failed || r->lines.failed || !sortByGroup(r)) {
        return ctFailMemory(error, "frame");
    }
    frameBlock block;
    mat4 lightMatrix;
    fillFrame(r, &block, lightMatrix);
    ctMeshStore_Upload(&r->meshes, r->sorted, r->instanceCount + r->ghostCount);
    glBindBuffer(GL_UNIFORM_BUFFER, r->frameBuffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->frameBuffer);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glDepthFunc(GL_LESS);
    drawShadows(r, lightMatrix);
    ctTarget_Begin(&r->target);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    if (!drawBodies(r, error)) {
        return false;
    }
    drawOutlines(r);
    if (!drawSurroundings(r, error) || !drawGhosts(r, error)) {
        return false;
    }
    ctLines_Draw(&r->lines);
    ctTarget_Resolve(&r->target);
    return true;
}

void ctRenderer_Read(ctRenderer *r, uint8_t *rgb)
{
    ctTarget_Read(&r->target, rgb);
}

void ctRenderer_StartRead(ctRenderer *r)
{
    ctTarget_StartRead(&r->target);
}

bool ctRenderer_FinishRead(ctRenderer *r, uint8_t *rgb)
{
    return ctTarget_FinishRead(&r->target, rgb);
}

void ctRenderer_Show(ctRenderer *r, int width, int height)
{
    ctTarget_Show(&r->target, width, height);
}

void ctRenderer_BindTarget(ctRenderer *r)
{
    ctTarget_Bind(&r->target);
}
