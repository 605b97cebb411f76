#include "render/draw/renderer.h"

#include "collision/memory.h"
#include "render/draw/renderer_internal.h"

#include <math.h>

// ---- creation ---------------------------------------------------------------------------------

// The sides of a shadow map, texels. The cost of a software renderer grows with the area.
#define SHADOW_SMALL 1024
#define SHADOW_MIDDLE 1536 // for pictures higher than this many pixels
#define SHADOW_HIGH 900
#define SHADOW_LARGE 2048 // graphics hardware

static void sizeShadowMap(ctRenderer *r, int size)
{
    r->shadowSize = size;
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
}

static bool createShadowMap(ctRenderer *r, ctError *error)
{
    glGenTextures(1, &r->shadowTexture);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    sizeShadowMap(r, SHADOW_SMALL);
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
    r->software = r->byBorders = ctGl_IsSoftware();
    glGenVertexArrays(1, &r->empty);
    glGenBuffers(1, &r->frameBuffer);
    glGenVertexArrays(1, &r->groundArray);
    glGenBuffers(1, &r->groundBuffer);
    if (!ctShaders_Create(&r->shaders, error) || !createShadowMap(r, error) || !ctMeshStore_Create(&r->meshes, error) ||
        !ctLines_Create(&r->lines, error) || !ctShades_Create(&r->shades, error)) {
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
    ctShades_Destroy(&r->shades);
    ctBorders_Destroy(&r->borders);
    ctShaders_Destroy(&r->shaders);
    glDeleteVertexArrays(1, &r->empty);
    glDeleteBuffers(1, &r->frameBuffer);
    glDeleteVertexArrays(1, &r->groundArray);
    glDeleteBuffers(1, &r->groundBuffer);
    glDeleteFramebuffers(1, &r->shadowFramebuffer);
    glDeleteTextures(1, &r->shadowTexture);
    ctFree(r->fixed);
    ctFree(r->crossings);
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
    int shadow = !r->software ? SHADOW_LARGE : height > SHADOW_HIGH ? SHADOW_MIDDLE : SHADOW_SMALL;
    if (shadow != r->shadowSize) {
        sizeShadowMap(r, shadow);
    }
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

void ctRenderer_SetByBorders(ctRenderer *r, bool on)
{
    r->byBorders = on;
}

bool ctRenderer_AddShape(ctRenderer *r, const struct ctShape *shape, ctDrawShape *draw, ctError *error)
{
    return ctMeshStore_Add(&r->meshes, shape, draw, error);
}

void ctRenderer_ForgetShapes(ctRenderer *r)
{
    ctMeshStore_Forget(&r->meshes);
    r->fixedCount = r->crossingCount = 0;
}

// ---- collecting a frame -----------------------------------------------------------------------

// The multiple of a thousand cells of the floor that is nearest to x, so that the lines of a floor stay in their
// places.
static double originNear(double x, double floorCell)
{
    double unit = 1000.0 * floorCell;
    return unit > 0.0 ? floor(x / unit + 0.5) * unit : 0.0;
}

void ctRenderer_Begin(ctRenderer *r, const ctView *view, double floorCell, double extent)
{
    const ctVec3 t = view->target;
    r->origin = ctV3(originNear(t.x, floorCell), originNear(t.y, floorCell), originNear(t.z, floorCell));
    r->view = *view;
    r->view.eye = ctSub(view->eye, r->origin);
    r->view.target = ctSub(view->target, r->origin);
    r->floorCell = floorCell;
    r->extent = extent;
    r->instanceCount = r->groundCount = r->ghostCount = 0;
    r->failed = false;
    ctLines_Clear(&r->lines);
    ctShades_Clear(&r->shades);
}

// The level of detail of a round mesh, from its size on the screen.
static int levelOfDetail(const ctRenderer *r, ctDrawShape shape, ctVec3 place)
{
    const ctMeshRange *range = &r->meshes.ranges[shape.mesh];
    if (shape.mesh != ct_meshSphere && range->coarser == shape.mesh) {
        return shape.mesh;
    }
    double radius = 0.0;
    for (int k = 0; k < 3; k++) {
        radius = fmax(radius, 0.5 * (double)((range->hi[k] - range->lo[k]) * shape.scale[k]));
    }
    double away = fmax(ctDistance(place, r->view.eye), 1e-6);
    double pixels = radius / away / tan(r->view.fov * CT_PI / 360.0) * 0.5 * r->target.height;
    // A polygon of n corners deviates from its circle by r (1 - cos(pi / n)): here by half a pixel at most.
    if (shape.mesh != ct_meshSphere) {
        return pixels > 26.0 ? shape.mesh : range->coarser;
    }
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
    int pattern = look.pattern >= 0 && (int)look.pattern < CT_PATTERNS ? (int)look.pattern : 0;
    return levelOfDetail(r, shape, place) * CT_PATTERNS + pattern;
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
    pose.p = ctSub(pose.p, r->origin);
    // A ghost is paler than its body.
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
    pose.p = ctSub(pose.p, r->origin);
    r->groupOf[n] = groupOfLook(r, shape, pose.p, look);
    r->instances[n] = instanceOf(shape, pose, look, state);
    r->instanceCount = n + 1;
}

void ctRenderer_AddGround(ctRenderer *r, ctVec3 normal, double offset, ctLook look)
{
    if (!ctReserve((void **)&r->grounds, &r->groundCapacity, r->groundCount + 1, sizeof(ctGroundItem))) {
        r->failed = true;
        return;
    }
    r->grounds[r->groundCount++] = (ctGroundItem){normal, offset - ctDot(normal, r->origin), look};
}

void ctRenderer_AddShade(ctRenderer *r, const ctShadeCaster *caster, const ctShadeSurface *surface)
{
    if (r->shadows) {
        ctShadeCaster c = *caster;
        ctShadeSurface s = *surface;
        c.center = ctSub(c.center, r->origin);
        s.center = ctSub(s.center, r->origin);
        ctShades_Add(&r->shades, &c, &s);
    }
}

void ctRenderer_AddLine(ctRenderer *r, ctVec3 a, ctVec3 b, float widthA, float widthB, ctColor color)
{
    ctLines_Add(&r->lines, ctSub(a, r->origin), ctSub(b, r->origin), widthA, widthB, color);
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
