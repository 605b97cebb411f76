#include "render/session/history.h"

#include "collision/memory.h"

#include <string.h>

void ctHistory_Clear(ctHistory *h)
{
    h->sampleCount = h->impactCount = 0;
}

void ctHistory_Free(ctHistory *h)
{
    ctFree(h->samples);
    ctFree(h->impacts);
    *h = (ctHistory){0};
}

void ctHistory_Rewind(ctHistory *h, double time)
{
    while (h->sampleCount > 0 && h->samples[h->sampleCount - 1].time > time + 1e-12) {
        h->sampleCount--;
    }
    while (h->impactCount > 0 && h->impacts[h->impactCount - 1].time > time + 1e-12) {
        h->impactCount--;
    }
}

// Drops the oldest elements so that `need` more fit into `limit`. Returns the new count.
static int trim(void *data, int count, int need, int limit, size_t size)
{
    if (count + need <= limit) {
        return count;
    }
    int drop = count + need - limit + limit / 4;
    drop = drop < count ? drop : count;
    memmove(data, (char *)data + (size_t)drop * size, (size_t)(count - drop) * size);
    return count - drop;
}

bool ctHistory_AddSample(ctHistory *h, ctSample sample)
{
    h->sampleCount = trim(h->samples, h->sampleCount, 1, CT_HISTORY_SAMPLES, sizeof(ctSample));
    if (!ctReserve((void **)&h->samples, &h->sampleCapacity, h->sampleCount + 1, sizeof(ctSample))) {
        return false;
    }
    h->samples[h->sampleCount++] = sample;
    return true;
}

bool ctHistory_AddImpacts(ctHistory *h, const ctImpact *impacts, int count)
{
    count = count < CT_HISTORY_IMPACTS ? count : CT_HISTORY_IMPACTS;
    h->impactCount = trim(h->impacts, h->impactCount, count, CT_HISTORY_IMPACTS, sizeof(ctImpact));
    if (!ctReserve((void **)&h->impacts, &h->impactCapacity, h->impactCount + count, sizeof(ctImpact))) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (impacts[i].kind == ct_eventImpact) {
            h->impacts[h->impactCount++] = impacts[i];
        }
    }
    return true;
}

int ctHistory_NextImpact(const ctHistory *h, int from, int direction, ctBodyId body)
{
    for (int i = from + direction; i >= 0 && i < h->impactCount; i += direction) {
        const ctImpact *m = &h->impacts[i];
        bool first = m->body1.index1 == body.index1 && m->body1.generation == body.generation;
        bool second = m->body2.index1 == body.index1 && m->body2.generation == body.generation;
        if (body.index1 == 0 || first || second) {
            return i;
        }
    }
    return -1;
}
