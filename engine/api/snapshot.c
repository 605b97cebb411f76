// Snapshots: the whole state of a world as bytes, and back (docs/snapshots.md).
//
// The same code writes and reads (core/archive.h). Data that follows from other data (the broadphase, the geometry of
// shapes, the lists of bodies) is made again. Data that depends on history (caches of distance queries, the order of
// lists, the times in the agendas) is stored, so that a restored world continues bit for bit.
#include "engine/api/snapshot.h"
#include "collision/memory.h"
#include "engine/api/api_internal.h"
#include "engine/gas/gas.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'C', 'L', 'A', 'T', 'T', 'E', 'R', 'S'};
// Differences of older versions: 10 has no notes of the program; before 12 all islands were found anew at once; before
// 13 bodies met the back of one-sided terrains; before 14 landings were not counted; before 15 forces did not grow.
enum { VERSION = 15, OLDEST = 10, HEADER_BYTES = 8 + 4 + 8 + 8 };

// ---- settings, shapes, materials --------------------------------------------------------------

static void archiveSettings(ctWorld *world, ctArchive *ar)
{
    int law = (int)world->def.law, contact = (int)world->def.contact;
    ctArchive_Vec3(ar, &world->def.gravity);
    ctArchive_Finite(ar, &world->def.frameTime);
    ctArchive_Enum(ar, &law, ct_lawCompliant + 1, "the law");
    ctArchive_Enum(ar, &contact, 2, "the contact mode");
    ctArchive_Bool(ar, &world->def.audit);
    world->def.law = (ctLaw)law;
    world->def.contact = (ctContactMode)contact;
    ctArchive_Finite(ar, &world->now);
    ctArchive_Finite(ar, &world->frameBase);
    ctArchive_I64(ar, &world->frame);
    double start = world->frameEnd; // of the frame: kept for the form of the file, and needed no more
    ctArchive_Finite(ar, &start);
    ctArchive_Finite(ar, &world->frameEnd);
    ctArchive_I64(ar, &world->frameEvents);
    ctArchive_Finite(ar, &world->sequence.instant);
    ctArchive_Index(ar, &world->sequence.repeats, 0, 1 << 30);
    double frame = world->def.frameTime;
    ctArchive_Check(ar, frame >= 1e-6 && frame <= 1.0 && ctLength(world->def.gravity) <= 1e6, "the settings");
    ctArchive_Check(ar,
                    world->now >= 0.0 && world->now <= world->frameEnd && world->frameEnd <= world->now + 2.0 &&
                        world->frame >= 0 && world->frame < (int64_t)1 << 52,
                    "the time");
    if (!ar->writing && !ar->failed) {
        ctWorld_DeriveSettings(world);
    }
}

// Shapes of donor with the same recipe are shared, so that going back in time costs no geometry.
static void archiveShapes(ctWorld *world, ctArchive *ar, const ctWorld *donor)
{
    int count = world->shapeCount;
    ctArchive_Count(ar, &count, 9);
    for (int i = 0; i < count && !ar->failed; i++) {
        if (ar->writing) {
            ctRecipe_Archive(ar, &world->recipes[i]);
            continue;
        }
        ctRecipe recipe = {0};
        ctError error = {ct_ok, ""};
        ctRecipe_Archive(ar, &recipe);
        if (ar->failed) {
            ctRecipe_Free(&recipe);
            return;
        }
        if (donor != NULL && i < donor->shapeCount && ctRecipe_Equal(&recipe, &donor->recipes[i]) &&
            ctReserve((void **)&world->shapes, &world->shapeCapacity, i + 1, sizeof(ctShape *)) &&
            ctReserve((void **)&world->recipes, &world->recipeCapacity, i + 1, sizeof(ctRecipe))) {
            world->shapes[i] = ctShape_Retain(donor->shapes[i]);
            world->recipes[i] = recipe;
            world->shapeCount = i + 1;
            continue;
        }
        bool made = ctRecipe_Make(world, &recipe, &error).index1 == i + 1;
        ctArchive_CheckMemory(ar, made || error.status != ct_outOfMemory);
        ctArchive_Check(ar, made, "a shape");
        ctRecipe_Free(&recipe);
    }
}

void ctSnapshot_Pair(ctArchive *ar, ctCoefficients *pair)
{
    double *numbers[] = {
        &pair->friction, &pair->restitution, &pair->tangentialRestitution, &pair->tangentialStiffness, &pair->sigma,
        &pair->rolling,  &pair->spinning};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ctArchive_Finite(ar, numbers[i]);
    }
}

static void archiveMaterials(ctWorld *world, ctArchive *ar)
{
    int count = world->materialCount;
    ctArchive_Count(ar, &count, 60);
    ctArchive_Check(ar, count >= 1 && count <= CT_MAX_MATERIALS, "the materials");
    for (int i = 0; i < count && !ar->failed; i++) {
        ctMaterialDef def = ctDefaultMaterialDef();
        char *name = ar->writing ? world->materials[i].name : NULL;
        if (ar->writing) {
            def.self = world->materials[i].self;
            def.density = world->materials[i].density;
        }
        ctArchive_Text(ar, &name);
        ctSnapshot_Pair(ar, &def.self);
        ctArchive_Finite(ar, &def.density);
        if (!ar->writing) {
            // The default material exists already; making it again checks its numbers.
            def.name = name;
            ctError error = {ct_ok, ""};
            bool made = !ar->failed && ctWorld_CreateMaterial(world, &def, NULL, &error);
            ctArchive_CheckMemory(ar, made || error.status != ct_outOfMemory);
            ctArchive_Check(ar, made, "a material");
            ctFree(name);
        }
    }
    for (int i = 0; i < count && !ar->failed; i++) {
        for (int j = 0; j <= i && !ar->failed; j++) {
            size_t at = (size_t)i * (size_t)(i + 1) / 2 + (size_t)j;
            ctMaterialPair pair = ar->writing ? world->materialPairs[at] : (ctMaterialPair){0};
            ctArchive_Bool(ar, &pair.isSet);
            ctSnapshot_Pair(ar, &pair.pair);
            if (!ar->writing && pair.isSet) {
                ctArchive_Check(ar, ctWorld_SetPair(world, (ctMaterialId){i}, (ctMaterialId){j}, pair.pair, NULL),
                                "a pair of materials");
            }
        }
    }
}

// ---- sums -------------------------------------------------------------------------------------

void ctSnapshot_Tally(ctArchive *ar, ctTally *tally)
{
    ctArchive_I64(ar, &tally->impacts);
    ctArchive_Finite(ar, &tally->impulse);
    ctArchive_Finite(ar, &tally->contactForce);
    ctArchive_Finite(ar, &tally->energyLost);
}

static int compareTallies(const void *a, const void *b)
{
    const ctPairTally *x = a, *y = b;
    const int64_t keys[4][2] = {{x->a.index1, y->a.index1},
                                {x->b.index1, y->b.index1},
                                {x->a.generation, y->a.generation},
                                {x->b.generation, y->b.generation}};
    for (int i = 0; i < 4; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

// Sorted: equal states give equal bytes, whatever the order in the table.
static ctPairTally *sortedTallies(const ctWorld *world)
{
    ctPairTally *sorted = ctAllocate((size_t)world->tallyCount + 1, sizeof *sorted);
    if (sorted != NULL && world->tallyCount > 0) {
        memcpy(sorted, world->tallies, (size_t)world->tallyCount * sizeof *sorted);
        qsort(sorted, (size_t)world->tallyCount, sizeof *sorted, compareTallies);
    }
    return sorted;
}

static void archiveTallies(ctWorld *world, ctArchive *ar)
{
    if (ar->writing && !ctTally_Merge(world)) {
        ar->failed = true;
    }
    int count = world->tallyCount;
    ctArchive_Count(ar, &count, 48);
    ctPairTally *sorted = ar->writing ? sortedTallies(world) : NULL;
    if (ar->writing && sorted == NULL) {
        ar->failed = true;
    }
    for (int i = 0; i < count && !ar->failed; i++) {
        ctPairTally tally = ar->writing ? sorted[i] : (ctPairTally){0};
        ctArchive_I32(ar, &tally.a.index1);
        ctArchive_U32(ar, &tally.a.generation);
        ctArchive_I32(ar, &tally.b.index1);
        ctArchive_U32(ar, &tally.b.generation);
        ctSnapshot_Tally(ar, &tally.tally);
        if (!ar->writing) {
            ctArchive_Check(ar, tally.a.index1 > 0 && ctTally_Add(world, &tally), "a tally");
        }
    }
    ctFree(sorted);
}

static void archiveStats(ctWorld *world, ctArchive *ar)
{
    ctStats *s = &world->stats;
    int64_t *counts[] = {&s->frames,         &s->impacts,      &s->microcollisions, &s->contactSteps,
                         &s->distanceChecks, &s->solverSweeps, &s->auditViolations, &s->eventLimitHits};
    double *sums[] = {&s->maxPenetration, &s->frictionLoss, &s->restitutionLoss, &s->contactLoss, &s->kinematicWork,
                      &s->pushWork,       &s->stepError,    &s->givenEnergy,     &s->driveWork};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ctArchive_I64(ar, counts[i]);
    }
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        ctArchive_Finite(ar, sums[i]);
    }
    archiveTallies(world, ar);
}

static void archiveNotes(ctWorld *world, ctArchive *ar)
{
    if (ar->version < 11) {
        return;
    }
    int size = world->noteSize;
    ctArchive_Count(ar, &size, 1);
    if (!ar->writing && size > 0 &&
        !ctArchive_CheckMemory(ar, !ar->failed && ctReserve((void **)&world->notes, &world->noteCapacity, size, 1))) {
        return;
    }
    ctArchive_Bytes(ar, world->notes, (size_t)size);
    world->noteSize = size;
}

// ---- the whole --------------------------------------------------------------------------------

static void archiveWorld(ctWorld *world, ctArchive *ar, const ctWorld *donor)
{
    archiveSettings(world, ar);
    archiveShapes(world, ar, donor);
    void (*const parts[])(ctWorld *, ctArchive *) = {archiveMaterials,  ctSnapshot_Bodies, ctSnapshot_Pairs,
                                                     ctContact_Archive, archiveStats,      ctSnapshot_Events,
                                                     archiveNotes};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !ar->failed; i++) {
        parts[i](world, ar);
    }
}

bool ctWorld_Save(const ctWorld *world, void **data, size_t *size, ctError *error)
{
    if (data == NULL || size == NULL) {
        return ctFail(error, ct_badArgument, "a snapshot needs somewhere to put its address and size");
    }
    if (!ctWorld_MayChange(world, error)) {
        return false; // a world in the middle of a change has no state to save
    }
    ctArchive ar = ctArchive_Writer();
    ar.version = VERSION;
    uint8_t header[HEADER_BYTES] = {0};
    ctArchive_Bytes(&ar, header, sizeof header);
    // The same code reads and writes; writing changes nothing.
    archiveWorld((ctWorld *)world, &ar, NULL);
    if (ar.failed) {
        ctArchive_Free(&ar);
        return ctFailMemory(error, "a snapshot");
    }
    uint32_t version = VERSION;
    uint64_t payload = (uint64_t)ar.length - HEADER_BYTES;
    uint64_t checksum = ctChecksum(ar.data + HEADER_BYTES, (size_t)payload);
    ctArchive head = {.writing = true, .data = ar.data, .capacity = ar.capacity};
    ctArchive_Bytes(&head, (void *)magic, sizeof magic);
    ctArchive_U32(&head, &version);
    ctArchive_U64(&head, &payload);
    ctArchive_U64(&head, &checksum);
    *data = ar.data;
    *size = (size_t)ar.length;
    return true;
}

void ctFreeSnapshot(void *data)
{
    ctFree(data);
}

static bool checkHeader(ctArchive *ar, ctError *error)
{
    char found[8];
    uint32_t version = 0;
    uint64_t payload = 0, checksum = 0;
    ctArchive_Bytes(ar, found, sizeof found);
    ctArchive_U32(ar, &version);
    ctArchive_U64(ar, &payload);
    ctArchive_U64(ar, &checksum);
    if (ar->failed || memcmp(found, magic, sizeof magic) != 0) {
        return ctFail(error, ct_corrupt, "this is not a snapshot");
    }
    if (version < OLDEST || version > VERSION) {
        return ctFail(error, ct_corrupt, "the snapshot has version %u; this program reads versions %d to %d", version,
                      OLDEST, VERSION);
    }
    ar->version = (int)version;
    if (payload != ar->size - ar->at || ctChecksum(ar->source + ar->at, ar->size - ar->at) != checksum) {
        return ctFail(error, ct_corrupt, "the snapshot is damaged: its checksum is wrong");
    }
    return true;
}

// The pairs of a snapshot, in order.
typedef struct SavedPair {
    int a, b, index; // a < b
} SavedPair;

typedef struct SavedPairs {
    const ctWorld *world;
    SavedPair *pairs;
    int count, met;
} SavedPairs;

static int comparePairs(const void *a, const void *b)
{
    const SavedPair *x = a, *y = b;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static SavedPairs sortedPairs(const ctWorld *world)
{
    SavedPairs saved = {world, ctAllocate((size_t)world->pairCount + 1, sizeof(SavedPair)), 0, 0};
    for (int i = 0; saved.pairs != NULL && i < world->pairSlots; i++) {
        const ctBodyPair *pair = &world->pairs[i];
        if (pair->state != ct_pairFree) {
            int a = pair->a, b = ctBody_Owner(world, pair->b);
            saved.pairs[saved.count++] = (SavedPair){a < b ? a : b, a < b ? b : a, i};
        }
    }
    if (saved.count > 1) {
        qsort(saved.pairs, (size_t)saved.count, sizeof *saved.pairs, comparePairs);
    }
    return saved;
}

static int recallPair(void *context, int a, int b)
{
    SavedPairs *saved = context;
    SavedPair key = {a, b, 0};
    const SavedPair *pair = bsearch(&key, saved->pairs, (size_t)saved->count, sizeof key, comparePairs);
    if (pair == NULL && saved->world->bodies[a].ball && saved->world->bodies[b].ball) {
        return ctBodies_MayMeet(saved->world, a, b) ? CT_LATENT : -1;
    }
    if (pair == NULL && (saved->world->filtered || !ctBodies_MayMeet(saved->world, a, b))) {
        return -1;
    }
    saved->met += pair != NULL ? 1 : saved->count + 1; // one too many, so that the sum is wrong
    return pair != NULL ? pair->index : -1;
}

static void forgetPair(void *context, int a, int b, int tag)
{
    (void)context, (void)a, (void)b, (void)tag;
}

// Makes the broadphase from the boxes. The pairs that it finds must be those of the snapshot.
static bool rebuildBroadphase(ctWorld *world, ctError *error)
{
    SavedPairs saved = sortedPairs(world);
    if (saved.pairs == NULL) {
        return ctFailMemory(error, "the pairs of a snapshot");
    }
    ctPairSink sink = {recallPair, forgetPair, &saved, NULL};
    bool ok = true;
    for (int i = 0; ok && i < world->bodySlots; i++) {
        bool outside = world->bodies[i].mode == ct_modeFree || world->infos[i].tile != NULL;
        ok = outside || ctWorld_EnterBroadphase(world, i, &sink, error);
    }
    bool same = saved.met == saved.count;
    ctFree(saved.pairs);
    return ok && (same || ctFail(error, ct_corrupt, "the snapshot is damaged: its pairs do not match its boxes"));
}

static ctWorld *load(const void *data, size_t size, const ctWorld *donor, ctError *error)
{
    ctArchive ar = ctArchive_Reader(data, data != NULL ? size : 0);
    if (!checkHeader(&ar, error)) {
        return NULL;
    }
    ctWorld *world = ctWorld_CreateEmpty(error);
    if (world == NULL) {
        return NULL;
    }
    archiveWorld(world, &ar, donor);
    if (ar.failed || ar.at != ar.size) {
        if (ar.isShort) {
            ctFailMemory(error, "the world of a snapshot");
        } else {
            ctFail(error, ct_corrupt, "the snapshot is damaged: %s", ar.failed ? ar.what : "it is too long");
        }
        ctWorld_Destroy(world);
        return NULL;
    }
    if (!ctGas_Rebuild(world, error) || !rebuildBroadphase(world, error)) {
        ctWorld_Destroy(world);
        return NULL;
    }
    ctTouching_Rebuild(world);
    return world;
}

ctWorld *ctWorld_Load(const void *data, size_t size, ctError *error)
{
    return load(data, size, NULL, error);
}

bool ctWorld_Restore(ctWorld *world, const void *data, size_t size, ctError *error)
{
    bool may = ctWorld_MayChange(world, error) && ctSteer_MayStep(world, error);
    ctWorld *other = may ? load(data, size, world, error) : NULL;
    if (other == NULL) {
        return false;
    }
    ctWorld old = *world;
    *world = *other;
    *other = old;
    world->onImpact = old.onImpact;
    world->onImpactContext = old.onImpactContext;
    world->filter = old.filter;
    world->filterContext = old.filterContext;
    world->steer = old.steer;
    world->steerContext = old.steerContext;
    world->steerAtImpacts = old.steerAtImpacts;
    world->profiling = old.profiling;
    world->def.threads = old.def.threads;
    world->def.tasks = old.def.tasks;
    ctContact_MoveThreads(world, other);
    ctWorld_Destroy(other);
    return true;
}
