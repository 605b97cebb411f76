#include "render/sound/soundtrack.h"

#include "collision/quat.h"
#include "collision/shape.h"

#include <math.h>
#include <string.h>

// Distance between the ripples of the ground that a rolling contact passes over, m.
#define RIPPLE 0.004
// Loudness of a rolling contact that carries a body's weight and moves at 1 m/s.
#define ROLL_LOUDNESS 0.08
#define SLOWEST 0.05 // m/s: a contact point below this speed is not heard

void ctSoundtrack_Begin(ctSoundtrack *t, const ctWorld *world, double speed)
{
    ctSynth_Free(&t->synth);
    *t = (ctSoundtrack){.origin = ctWorld_GetTime(world), .speed = speed};
    ctSoundtrack_SetWorld(t, world);
}

void ctSoundtrack_SetWorld(ctSoundtrack *t, const ctWorld *world)
{
    memset(t->rolls, 0, sizeof t->rolls);
    double mass = 0.0;
    int moving = 0;
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        double m = ctBody_GetMass(world, ctWorld_GetBody(world, i));
        mass += m > 0.0 ? log(m) : 0.0;
        moving += m > 0.0;
    }
    // The loud impulse stops a body of typical mass (geometric mean) from 1 m/s.
    t->loudImpulse = moving > 0 ? exp(mass / moving) : 1.0;
}

void ctSoundtrack_Free(ctSoundtrack *t)
{
    ctSynth_Free(&t->synth);
}

ctStrike ctSoundtrack_Voice(const ctSoundtrack *t, const ctWorld *world, const ctImpact *m)
{
    double normal = fabs(ctDot(m->impulse, m->normal)), approach = fabs(ctDot(m->velocity, m->normal));
    double k = ctDot(m->normal, ctMulMV(m->k, m->normal)), mass = k > 0.0 ? 1.0 / k : 1.0;
    double loudness = 0.5 * pow(normal / t->loudImpulse, 0.8);
    ctStrike s = {.time = m->time};
    s.voices[0] = ctVoicing_OfBody(world, m->body1);
    s.voices[1] = ctVoicing_OfBody(world, m->body2);
    s.contact = ctContactTime(&s.voices[0], &s.voices[1], mass, approach);
    // A fixed body is large and heavy, and therefore quieter.
    s.loudness[0] = ctBody_GetMass(world, m->body1) > 0.0 ? loudness : 0.3 * loudness;
    s.loudness[1] = ctBody_GetMass(world, m->body2) > 0.0 ? loudness : 0.3 * loudness;
    return s;
}

bool ctSoundtrack_Strike(ctSoundtrack *t, const ctStrike *s)
{
    double when = (s->time - t->origin) / t->speed;
    return when < 0.0 || (ctSynth_Strike(&t->synth, &s->voices[0], when, s->loudness[0], s->contact) &&
                          ctSynth_Strike(&t->synth, &s->voices[1], when, s->loudness[1], s->contact));
}

bool ctSoundtrack_Impact(ctSoundtrack *t, const ctWorld *world, const ctImpact *m)
{
    if (m->kind != ct_eventImpact) {
        return true;
    }
    ctStrike s = ctSoundtrack_Voice(t, world, m);
    return ctSoundtrack_Strike(t, &s);
}

// The speed of the contact point over the ground. A solid of revolution may roll around its rim many times in a frame:
// its speed follows from the rate at which its axis turns. For other bodies it follows from the distance between the
// points of two frames.
static double pointSpeed(const ctWorld *world, ctBodyId body, ctVec3 from, ctVec3 to, double frameTime)
{
    const ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body));
    if (shape != NULL && shape->type == ct_shapeLathe) {
        ctVec3 axis = ctRotate(ctBody_GetTransform(world, body).q, ctV3(0.0, 0.0, 1.0));
        ctVec3 turning = ctCross(ctBody_GetSpin(world, body), axis);
        double tilt = hypot(axis.x, axis.y), away = ctDistance(to, ctBody_GetCenter(world, body));
        return tilt > 1e-3 ? hypot(turning.x, turning.y) / tilt * away : 0.0;
    }
    return ctDistance(from, to) / frameTime;
}

static ctRollTrack *rollOf(ctSoundtrack *t, ctBodyId body)
{
    ctRollTrack *free = NULL;
    for (int i = 0; i < CT_SOUND_ROLLS; i++) {
        if (t->rolls[i].body.index1 == body.index1) {
            return &t->rolls[i];
        }
        free = free == NULL && t->rolls[i].body.index1 == 0 ? &t->rolls[i] : free;
    }
    if (free != NULL) {
        *free = (ctRollTrack){.body = {0}};
    }
    return free;
}

void ctSoundtrack_Rolls(ctSoundtrack *t, const ctWorld *world, double frameTime)
{
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts), samples = (int)(frameTime / t->speed * CT_SOUND_RATE);
    double gravity = fmax(1.0, ctLength(ctWorld_GetSettings(world).gravity));
    for (int i = 0; i < count; i++) {
        const ctContact *c = &contacts[i];
        ctBodyId body = ctBody_GetMass(world, c->body1) > 0.0 ? c->body1 : c->body2;
        ctRollTrack *r = rollOf(t, body);
        if (r == NULL || r->fresh) {
            continue;
        }
        bool known = r->body.index1 != 0;
        double speed = known ? pointSpeed(world, body, r->point, c->point, frameTime) : 0.0;
        double weight = ctLength(c->force) / (gravity * t->loudImpulse);
        double loudness = speed > SLOWEST ? ROLL_LOUDNESS * fmin(2.0, speed) * fmin(2.0, weight) : 0.0;
        ctSynth_Glide(&t->synth, (int)(r - t->rolls), fmax(20.0, speed / RIPPLE), loudness, samples);
        *r = (ctRollTrack){body, c->point, true};
    }
    for (int i = 0; i < CT_SOUND_ROLLS; i++) {
        if (t->rolls[i].body.index1 != 0 && !t->rolls[i].fresh) {
            ctSynth_Glide(&t->synth, i, 20.0, 0.0, samples);
            t->rolls[i].body = (ctBodyId){0};
        }
        t->rolls[i].fresh = false;
    }
}

bool ctSoundtrack_Frame(ctSoundtrack *t, const ctWorld *world, double frameTime)
{
    const ctImpact *impacts;
    int count = ctWorld_GetImpacts(world, &impacts);
    bool room = true;
    for (int i = 0; i < count && room; i++) {
        room = ctSoundtrack_Impact(t, world, &impacts[i]);
    }
    ctSoundtrack_Rolls(t, world, frameTime);
    return room;
}
