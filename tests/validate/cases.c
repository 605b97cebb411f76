// Motions with a closed form. Each returns by how much the engine is off.
#include "collision/quat.h"
#include "tests/validate/validate.h"

#include <math.h>

static const double g = 9.81;
static const ctQuat upright = {1, 0, 0, 0};

static ctPeerBody ballOf(double mass, double radius, ctVec3 position, ctVec3 velocity)
{
    double i = 0.4 * mass * radius * radius;
    return (ctPeerBody){mass, {i, i, i}, position, upright, velocity, {0, 0, 0}};
}

static ctPeerBody boxOf(double mass, ctVec3 size, ctVec3 position, ctVec3 velocity)
{
    double k = mass / 12.0, x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
    return (ctPeerBody){mass, {k * (y + z), k * (x + z), k * (x + y)}, position, upright, velocity, {0, 0, 0}};
}

static void run(const ctPeer *peer, ctPeerWorld *w, double rate, double seconds)
{
    int steps = (int)lround(rate * seconds);
    for (int i = 0; i < steps; i++) {
        peer->step(w);
    }
}

// ---- bounces -----------------------------------------------------------------------------------------

// A ball of 5 cm falls from 1 m and bounces `bounces` times; the height it then reaches, from its energy at the top.
static double bounceError(const ctPeer *peer, double rate, double e, int bounces)
{
    const double radius = 0.05, fall = sqrt(2.0 / g);
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 0.0, e, 1.0 / rate);
    peer->ground(w);
    ctPeerBody b = ballOf(1.0, radius, (ctVec3){0, 0, 1.0 + radius}, (ctVec3){0, 0, 0});
    int id = peer->ball(w, radius, &b);
    double time = fall, up = 1.0;
    for (int i = 0; i < bounces; i++) {
        up *= e;
        time += fall * up * (i + 1 < bounces ? 2.0 : 1.0);
    }
    run(peer, w, rate, time);
    ctPeerBody s = peer->state(w, id);
    double height = s.position.z - radius + 0.5 * s.velocity.z * s.velocity.z / g;
    peer->destroy(w);
    return fabs(height / (up * up) - 1.0);
}

static double oneBounce(const ctPeer *peer, double rate)
{
    return bounceError(peer, rate, 0.8, 1);
}

static double fiveBounces(const ctPeer *peer, double rate)
{
    return bounceError(peer, rate, 0.9, 5);
}

static double elasticBounces(const ctPeer *peer, double rate)
{
    return bounceError(peer, rate, 1.0, 10);
}

// ---- oblique impacts ---------------------------------------------------------------------------------

static double oblique(const ctPeer *peer, double rate, double along, double mu, double e)
{
    const double radius = 0.05;
    ctPeerWorld *w = peer->create((ctVec3){0, 0, 0}, mu, e, 1.0 / rate);
    peer->ground(w);
    ctPeerBody b = ballOf(1.0, radius, (ctVec3){0, 0, 0.2031}, (ctVec3){along, 0, -1.0});
    int id = peer->ball(w, radius, &b);
    run(peer, w, rate, 0.5);
    double after = peer->state(w, id).velocity.x;
    peer->destroy(w);
    double slip = mu * (1.0 + e), roll = 2.0 / 7.0 * along, loss = slip < roll ? slip : roll;
    return fabs((along - after) / loss - 1.0);
}

static double obliqueSliding(const ctPeer *peer, double rate)
{
    return oblique(peer, rate, 2.0, 0.1, 0.5);
}

static double obliqueSticking(const ctPeer *peer, double rate)
{
    return oblique(peer, rate, 0.5, 0.5, 0.5);
}

// ---- chains ------------------------------------------------------------------------------------------

// Five balls in a row, the first at 1 m/s: the greatest error of a velocity.
static double chain(const ctPeer *peer, double rate, double gap)
{
    const double radius = 0.05;
    ctPeerWorld *w = peer->create((ctVec3){0, 0, 0}, 0.0, 1.0, 1.0 / rate);
    int ids[5];
    for (int i = 0; i < 5; i++) {
        double x = i == 0 ? -0.2037 : (i - 1) * (2.0 * radius + gap);
        ctPeerBody b = ballOf(1.0, radius, (ctVec3){x, 0, 0}, (ctVec3){i == 0 ? 1.0 : 0.0, 0, 0});
        ids[i] = peer->ball(w, radius, &b);
    }
    run(peer, w, rate, 1.0);
    double worst = 0.0;
    for (int i = 0; i < 5; i++) {
        double v = peer->state(w, ids[i]).velocity.x;
        worst = fmax(worst, fabs(v - (i == 4 ? 1.0 : 0.0)));
    }
    peer->destroy(w);
    return worst;
}

static double looseChain(const ctPeer *peer, double rate)
{
    return chain(peer, rate, 0.001);
}

static double touchingChain(const ctPeer *peer, double rate)
{
    return chain(peer, rate, 0.0);
}

// ---- friction ----------------------------------------------------------------------------------------

static ctVec3 slope(double degrees)
{
    double a = degrees * CT_PI / 180.0;
    return ctV3(g * sin(a), 0.0, -g * cos(a));
}

// How far a flat block has come after some seconds.
static double blockTravel(const ctPeer *peer, double rate, ctVec3 gravity, double mu, double speed, double seconds)
{
    const ctVec3 size = {0.2, 0.2, 0.1};
    ctPeerWorld *w = peer->create(gravity, mu, 0.0, 1.0 / rate);
    peer->ground(w);
    ctPeerBody b = boxOf(1.0, size, (ctVec3){0, 0, 0.05}, (ctVec3){speed, 0, 0});
    int id = peer->box(w, size, &b);
    run(peer, w, rate, seconds);
    double x = peer->state(w, id).position.x;
    peer->destroy(w);
    return x;
}

static double creep(const ctPeer *peer, double rate)
{
    return fabs(blockTravel(peer, rate, slope(20.0), 0.5, 0.0, 10.0));
}

static double slides(const ctPeer *peer, double rate)
{
    double a = g * (sin(CT_PI / 6.0) - 0.3 * cos(CT_PI / 6.0));
    return fabs(blockTravel(peer, rate, slope(30.0), 0.3, 0.0, 1.0) / (0.5 * a) - 1.0);
}

static double stops(const ctPeer *peer, double rate)
{
    return fabs(blockTravel(peer, rate, (ctVec3){0, 0, -g}, 0.3, 2.0, 2.0) / (4.0 / (2.0 * 0.3 * g)) - 1.0);
}

// A ball on a surface: where it is after some seconds.
static double ballTravel(const ctPeer *peer, double rate, ctVec3 gravity, double mu, double speed, double seconds)
{
    const double radius = 0.1;
    ctPeerWorld *w = peer->create(gravity, mu, 0.0, 1.0 / rate);
    peer->ground(w);
    ctPeerBody b = ballOf(1.0, radius, (ctVec3){0, 0, radius}, (ctVec3){speed, 0, 0});
    int id = peer->ball(w, radius, &b);
    run(peer, w, rate, seconds);
    double x = peer->state(w, id).position.x;
    peer->destroy(w);
    return x;
}

static double bowling(const ctPeer *peer, double rate)
{
    // It slides for t = 2 v / 7 mu g and then rolls at 5/7 v.
    const double mu = 0.2, v = 3.0, t = 2.0 * v / (7.0 * mu * g), right = v * t - 0.5 * mu * g * t * t;
    return fabs(ballTravel(peer, rate, (ctVec3){0, 0, -g}, mu, v, 2.0) / (right + 5.0 / 7.0 * v * (2.0 - t)) - 1.0);
}

static double rollsDown(const ctPeer *peer, double rate)
{
    ctVec3 down = slope(10.0);
    return fabs(ballTravel(peer, rate, down, 0.5, 0.0, 2.0) / (0.5 * 5.0 / 7.0 * down.x * 4.0) - 1.0);
}

// A bowling ball with side spin: it slides against the velocity of its contact point, whose direction stays, on a
// parabola. How far it is to the side after a second.
static double hook(const ctPeer *peer, double rate)
{
    const double radius = 0.108, mu = 0.04, v = 8.0, spin = 30.0;
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, mu, 0.0, 1.0 / rate);
    peer->ground(w);
    ctPeerBody b = ballOf(7.0, radius, (ctVec3){0, 0, radius}, (ctVec3){v, 0, 0});
    b.spin = (ctVec3){-spin, 0, 0};
    int id = peer->ball(w, radius, &b);
    run(peer, w, rate, 1.0);
    double side = peer->state(w, id).position.y, across = spin * radius; // the contact point moves to -y
    peer->destroy(w);
    return fabs(side / (0.5 * mu * g * across / sqrt(v * v + across * across)) - 1.0);
}

// ---- impacts of bodies that turn -----------------------------------------------------------------------

// A rod of 1 m falls with one end lower and meets the ground with that end, no friction, e = 1/2: its spin after.
static double rod(const ctPeer *peer, double rate)
{
    const ctVec3 size = {1.0, 0.02, 0.02};
    const double tilt = 0.3, speed = 1.0, e = 0.5;
    ctPeerWorld *w = peer->create((ctVec3){0, 0, 0}, 0.0, e, 1.0 / rate);
    peer->ground(w);
    double reach = 0.5 * (size.x * sin(tilt) + size.z * cos(tilt));
    double arm = 0.5 * (size.x * cos(tilt) - size.z * sin(tilt)); // of the lowest edge, along x
    ctPeerBody b = boxOf(1.0, size, (ctVec3){0, 0, reach + 0.1037}, (ctVec3){0, 0, -speed});
    b.orientation = (ctQuat){cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0};
    int id = peer->box(w, size, &b);
    run(peer, w, rate, 0.2);
    double spin = peer->state(w, id).spin.y, p = (1.0 + e) * speed / (1.0 + arm * arm / b.inertia.y);
    peer->destroy(w);
    return fabs(spin / (-arm * p / b.inertia.y) - 1.0);
}

// Housner's block of 0.1 m by 0.4 m rocks: let go at a tilt, it lands, and rises to a tilt that follows from the energy
// that the landing leaves, (1 - 3/2 sin^2 a)^2 with tan a = 1/4.
static double rocking(const ctPeer *peer, double rate)
{
    const ctVec3 size = {0.1, 0.1, 0.4};
    const double a = atan(0.25), r = 0.5 * sqrt(0.1 * 0.1 + 0.4 * 0.4), tilt = 0.12, left = 1.0 - 1.5 * sin(a) * sin(a);
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 1.0, 0.0, 1.0 / rate);
    peer->ground(w);
    // It stands on its lower right edge.
    ctPeerBody b = boxOf(1.0, size, (ctVec3){-r * sin(a - tilt), 0, r * cos(a - tilt) + 1e-6}, (ctVec3){0, 0, 0});
    b.orientation = (ctQuat){cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0};
    int id = peer->box(w, size, &b);
    double peak = 0.0, a0 = 0.0, a1 = 0.0;
    for (int i = 0; i < (int)(1.2 * rate); i++) { // it lands on the other edge after 0.3 s and is up at 0.6 s
        peer->step(w);
        ctPeerBody s = peer->state(w, id);
        double a2 = -2.0 * atan2(s.orientation.y, s.orientation.w), bend = 2.0 * a1 - a0 - a2;
        if (a1 > a0 && a1 >= a2) { // the top of the parabola through three steps
            peak = fmax(peak, a1 + 0.125 * (a2 - a0) * (a2 - a0) / bend);
        }
        a0 = a1;
        a1 = a2;
    }
    peer->destroy(w);
    double rise = left * left * (cos(a - tilt) - cos(a)); // of the centre over r, at its top
    return fabs(peak / (a - acos(cos(a) + rise)) - 1.0);
}

// ---- free rotation -----------------------------------------------------------------------------------

static ctVec3 momentumOf(const ctPeerBody *s, ctVec3 inertia)
{
    ctVec3 w = ctInvRotate(s->orientation, s->spin);
    return ctRotate(s->orientation, (ctVec3){inertia.x * w.x, inertia.y * w.y, inertia.z * w.z});
}

static double tumbling(const ctPeer *peer, double rate)
{
    const ctVec3 size = {0.3, 0.2, 0.05};
    ctPeerBody b = boxOf(1.0, size, (ctVec3){0, 0, 1}, (ctVec3){0, 0, 0});
    b.spin = (ctVec3){0.05, 8.0, 0.05}; // about the middle axis
    ctVec3 before = momentumOf(&b, b.inertia);
    double energy = 0.5 * ctDot(b.spin, before);
    ctPeerWorld *w = peer->create((ctVec3){0, 0, 0}, 0.0, 0.0, 1.0 / rate);
    int id = peer->box(w, size, &b);
    run(peer, w, rate, 10.0);
    ctPeerBody s = peer->state(w, id);
    ctVec3 after = momentumOf(&s, b.inertia);
    peer->destroy(w);
    double drift = ctDistance(after, before) / ctLength(before);
    return fmax(drift, fabs(0.5 * ctDot(s.spin, after) / energy - 1.0));
}

const ctCase ctCases[] = {
    {"bounce", "a ball falls 1 m, e = 0.8", "rises to e² m", "height, relative", oneBounce},
    {"bounces", "the same, e = 0.9, fifth bounce", "e¹⁰ m", "height, relative", fiveBounces},
    {"elastic", "the same, e = 1, tenth bounce", "1 m", "height, relative", elasticBounces},
    {"oblique_slide", "ball at 2 m/s along, 1 m/s down, μ = 0.1, e = ½", "loses μ(1 + e) of 1 m/s",
     "loss of velocity, relative", obliqueSliding},
    {"oblique_stick", "ball at 0.5 m/s along, 1 m/s down, μ = ½", "keeps 5/7", "loss of velocity, relative",
     obliqueSticking},
    {"chain", "five balls, gaps of 1 mm, e = 1", "the last leaves with all of 1 m/s", "worst velocity, m/s",
     looseChain},
    {"chain_touching", "five touching balls, e = 1", "the same", "worst velocity, m/s", touchingChain},
    {"creep", "block at rest on 20°, μ = ½, 10 s", "stays", "way, m", creep},
    {"slide", "block on 30°, μ = 0.3, 1 s", "½(sin α - μ cos α)g", "way, relative", slides},
    {"stop", "block at 2 m/s, μ = 0.3", "stops after v²/2μg", "way, relative", stops},
    {"bowling", "ball at 3 m/s, μ = 0.2, 2 s", "slides, then rolls at 5/7 v", "way, relative", bowling},
    {"roll", "ball rolls down 10°, 2 s", "a = 5/7 g sin α", "way, relative", rollsDown},
    {"hook", "bowling ball at 8 m/s, side spin 30 rad/s, μ = 0.04, 1 s", "slides on a parabola", "way aside, relative",
     hook},
    {"rod", "tilted rod meets the ground with one end, e = ½", "impulse (1 + e)u/K₃₃", "spin after, relative", rod},
    {"rocking", "block 0.1 m by 0.4 m rocks (Housner)", "keeps (1 - 3/2 sin²α)² of the energy", "next tilt, relative",
     rocking},
    {"tumble", "box spins about its middle axis, 10 s", "L and energy stay", "the worse, relative", tumbling},
    {"platter", "ball rolls on a table that turns at 3 rad/s, 7.33 s", "a circle, at 2/7 of 3 rad/s",
     "distance from the start over the radius", ctSystem_Platter},
    {"rimless", "rimless wheel, 8 spokes, slope of 0.1 rad (McGeer)",
     "a landing keeps (cos 2α + r²)/(1 + r²) of the spin", "spin at landings, relative", ctSystem_RimlessWheel},
    {"dominoes_close", "dominoes, gap 0.15 of the height (van Leeuwen)", "the model's times",
     "time of seven pieces, relative", ctSystem_DominoesClose},
    {"dominoes_apart", "dominoes, gap 0.3 of the height", "the model's times", "the same", ctSystem_DominoesApart},
    {"sim_rolling", "SimBenchmark's rolling: a pushed box below 25 balls", "constant accelerations",
     "mean squared velocity, m²/s²", ctSystem_Rolling},
    {"sim_bouncing", "SimBenchmark's bouncing: 49 balls, e = 1, 20 s", "energy stays", "mean squared energy, J²",
     ctSystem_Bouncing},
    {"elastic666", "SimBenchmark's elastic 666: 216 balls fall, e = 1, 10 s", "energy stays", "mean squared energy, J²",
     ctSystem_Elastic666},
    {"overlap666", "SimBenchmark's 666: 216 balls collapse, e = 0, 10 s", "no overlap",
     "mean sum of squared overlaps, m²", ctSystem_Overlap666},
};
const int ctCaseCount = (int)(sizeof ctCases / sizeof ctCases[0]);
