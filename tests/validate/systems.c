// Motions of bodies on other bodies, with a closed form or a model of one degree of freedom; and SimBenchmark's
// rolling, bouncing and 666 tests. Each returns by how much the engine is off.
#include "collision/vec3.h"
#include "tests/support/random.h"
#include "tests/validate/validate.h"

#include <math.h>

static const double g = 9.81;
static const ctQuat upright = {1, 0, 0, 0};

static ctPeerBody ballAt(double mass, double radius, ctVec3 position, ctVec3 velocity)
{
    double i = 0.4 * mass * radius * radius;
    return (ctPeerBody){mass, {i, i, i}, position, upright, velocity, {0, 0, 0}};
}

static ctPeerBody boxAt(double mass, ctVec3 size, ctVec3 position)
{
    double k = mass / 12.0, x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
    return (ctPeerBody){mass, {k * (y + z), k * (x + z), k * (x + y)}, position, upright, {0, 0, 0}, {0, 0, 0}};
}

// ---- a ball on a turntable ---------------------------------------------------------------------------

// A ball that rolls on a table with the rate W moves on a circle with the rate 2/7 W, wherever it started and however
// fast: after one period it is back.
double ctSystem_Platter(const ctPeer *peer, double rate)
{
    const double turn = 3.0, radius = 0.05, speed = 0.3, start = 0.4, circle = speed / (2.0 / 7.0 * turn);
    const double period = 2.0 * CT_PI / (2.0 / 7.0 * turn);
    const int steps = (int)lround(rate * period);
    // The time of a step is such that the period is a whole number of them.
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 1.0, 0.0, period / steps);
    peer->turntable(w, turn);
    ctPeerBody b = ballAt(0.5, radius, (ctVec3){start, 0, radius}, (ctVec3){0, speed, 0});
    b.spin.x = (turn * start - speed) / radius; // the ball's lowest point moves with the table
    int id = peer->ball(w, radius, &b);
    for (int i = 0; i < steps; i++) {
        peer->step(w);
    }
    ctVec3 x = peer->state(w, id).position;
    peer->destroy(w);
    return hypot(x.x - start, x.y) / circle;
}

int ctPrism_Corners(int sides, double radius, double length, ctVec3 *corners)
{
    for (int i = 0; i < 2 * sides; i++) {
        double angle = 2.0 * CT_PI * (i % sides) / sides;
        corners[i] = (ctVec3){radius * sin(angle), i < sides ? -0.5 * length : 0.5 * length, -radius * cos(angle)};
    }
    return 2 * sides;
}

// ---- McGeer's rimless wheel --------------------------------------------------------------------------

// A wheel of spokes l at the angle 2 a, with the radius of gyration r l, lands on one spoke after the other. About the
// new foot the angular momentum is kept: a landing leaves (cos 2a + r^2) / (1 + r^2) of the spin. A step down the
// slope c gains what falling by 2 l sin a sin c does, so that the spin at landings settles at a value. It follows, at
// any time between landings, from the energy.
double ctSystem_RimlessWheel(const ctPeer *peer, double rate)
{
    enum { SPOKES = 8 };
    const double l = 0.5, a = CT_PI / SPOKES, slope = 0.1, r2 = 0.5, seconds = 12.0;
    const double kept = (cos(2.0 * a) + r2) / (1.0 + r2);
    const double right = sqrt(4.0 * g * sin(a) * sin(slope) / (l * (1.0 + r2) * (1.0 - kept * kept)));
    ctPeerWorld *w = peer->create((ctVec3){g * sin(slope), 0, -g * cos(slope)}, 1.0, 0.0, 1.0 / rate);
    peer->ground(w);
    ctPeerBody b = {1.0, {0.2, r2 * l * l, 0.2}, {0, 0, l}, upright, {l * right, 0, 0}, {0, right, 0}};
    int id = peer->prism(w, SPOKES, l, 0.6, &b), count = 0;
    double sum = 0.0;
    for (int i = 0; i < (int)lround(seconds * rate); i++) {
        peer->step(w);
        if (i < (int)(0.5 * seconds * rate)) {
            continue; // it settles
        }
        ctPeerBody s = peer->state(w, id);
        double angle = 2.0 * atan2(s.orientation.y, s.orientation.w), lean = angle - 2.0 * a * round(angle / (2.0 * a));
        double motion =
            0.5 * (s.velocity.x * s.velocity.x + s.velocity.z * s.velocity.z) + 0.5 * r2 * l * l * s.spin.y * s.spin.y;
        double falls = g * (cos(slope) * s.position.z - sin(slope) * l * sin(lean)) - g * l * cos(a + slope);
        sum += sqrt(fmax(0.0, 2.0 * (motion + falls) / ((1.0 + r2) * l * l)));
        count++;
    }
    peer->destroy(w);
    return fabs(sum / count / right - 1.0);
}

// ---- van Leeuwen's dominoes --------------------------------------------------------------------------

// Dominoes of height h and thickness d at gaps s turn about their lower front edges, lean on each other without
// friction, and strike without rebound (van Leeuwen 2010, without friction). Each lean follows from that of the
// foremost piece, so that the row has one degree of freedom: its energy stays, and a hit keeps its generalized
// momentum.
enum { PIECES = 14, FROM = 5, TO = 12 };
static const double tall = 0.5, thick = 0.075, firstSpin = 1.5;

// The lean of the piece behind one with the lean t, whose upper front edge touches its back:
// h sin(u - t) = (s + d) cos t - d.
static double leanBehind(double t, double gap)
{
    return t + asin(((gap + thick) * cos(t) - thick) / tall);
}

// The rate of that lean over the rate of t.
static double rateBehind(double t, double gap)
{
    double u = leanBehind(t, gap);
    return 1.0 - (gap + thick) * sin(t) / (tall * cos(u - t));
}

// Of the row whose foremost piece is n, at the lean t: the sum of squares of the rates over that of the foremost, and
// the height of all centres.
static void rowAt(int n, double t, double gap, double *inertia, double *height)
{
    double rate = 1.0;
    *inertia = *height = 0.0;
    for (int i = n; i >= 0; i--) {
        *inertia += rate * rate;
        *height += 0.5 * (tall * cos(t) + thick * sin(t));
        if (i > 0) {
            rate *= rateBehind(t, gap);
            t = leanBehind(t, gap);
        }
    }
}

// The row in motion: when each piece is hit, and the energy from then to the next hit, over the mass of one.
typedef struct Wave {
    double gap, inertia; // of a piece about its edge, over its mass
    double hits[PIECES], energies[PIECES];
} Wave;

// The spin of the foremost piece n at the lean t.
static double waveSpin(const Wave *w, int n, double t, double *sum)
{
    double height;
    rowAt(n, t, w->gap, sum, &height);
    return sqrt(2.0 * (w->energies[n] - g * height) / (w->inertia * *sum));
}

// When piece n, the foremost, has the lean t: dt = d lean / spin by the midpoint rule.
static double waveTime(const Wave *w, int n, double t)
{
    enum { PARTS = 4000 };
    double time = w->hits[n], sum;
    for (int i = 0; i < PARTS; i++) {
        time += t / PARTS / waveSpin(w, n, t * (i + 0.5) / PARTS, &sum);
    }
    return time;
}

static Wave waveOf(double gap)
{
    Wave w = {.gap = gap, .inertia = (tall * tall + thick * thick) / 3.0};
    double spin = firstSpin, sum, height, end = asin(gap / tall);
    for (int n = 0; n < PIECES; n++) {
        rowAt(n, 0.0, gap, &sum, &height);
        w.energies[n] = 0.5 * w.inertia * sum * spin * spin + g * height;
        if (n + 1 < PIECES) {
            w.hits[n + 1] = waveTime(&w, n, end);
            // The momentum of the row before, over the rates of the row after, whose first is the struck piece.
            double share = rateBehind(0.0, gap), last = waveSpin(&w, n, end, &sum);
            spin = last * share * sum / (1.0 + share * share * sum);
        }
    }
    return w;
}

static double leanOf(const ctPeer *peer, const ctPeerWorld *w, int id)
{
    ctPeerBody s = peer->state(w, id);
    return 2.0 * atan2(s.orientation.y, s.orientation.w);
}

// How long the wave takes from piece FROM to piece TO beside the model. At the first step at which such a piece is the
// foremost and well under way, its lean says which time it is in the model.
static double dominoes(const ctPeer *peer, double rate, double gap)
{
    const ctVec3 size = {thick, 0.25, tall};
    const Wave wave = waveOf(gap);
    const double hit = asin(gap / tall);
    double times[2] = {NAN, NAN}, right[2] = {NAN, NAN};
    int ids[PIECES], seen = 0;
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 0.0, 0.0, 1.0 / rate);
    peer->groundFriction(w, 10.0);
    peer->ground(w);
    for (int i = 0; i < PIECES; i++) {
        ctPeerBody b = boxAt(1.0, size, (ctVec3){i * (gap + thick), 0, 0.5 * tall});
        if (i == 0) { // about its lower front edge
            b.spin.y = firstSpin;
            b.velocity = (ctVec3){firstSpin * 0.5 * tall, 0, firstSpin * 0.5 * thick};
        }
        ids[i] = peer->box(w, size, &b);
    }
    for (int step = 1; step < 5.0 * rate && seen < 2; step++) {
        peer->step(w);
        int n = PIECES - 1;
        while (n > 0 && leanOf(peer, w, ids[n]) < 0.1 * hit) {
            n--;
        }
        double lean = leanOf(peer, w, ids[n]);
        if (n >= (seen == 0 ? FROM : TO) && lean < hit) {
            times[seen] = step / rate;
            right[seen++] = waveTime(&wave, n, lean);
        }
    }
    peer->destroy(w);
    return fabs((times[1] - times[0]) / (right[1] - right[0]) - 1.0);
}

double ctSystem_DominoesClose(const ctPeer *peer, double rate)
{
    return dominoes(peer, rate, 0.15 * tall);
}

double ctSystem_DominoesApart(const ctPeer *peer, double rate)
{
    return dominoes(peer, rate, 0.3 * tall);
}

// ---- SimBenchmark (Hwangbo et al.) -------------------------------------------------------------------

// A box of 10 kg with 25 balls of 1 kg on it is pushed with 150 N at 60 degrees to x; friction 0.4 with the ground and
// 0.8 with the balls, which roll. The sum of the mean squared errors of the velocities of the box and of one ball over
// 4 s, as there.
double ctSystem_Rolling(const ctPeer *peer, double rate)
{
    const double mass = 10.0, force = 150.0, drag = 0.4 * 35.0 * g, cosine = 0.5, sine = sqrt(0.75);
    const double grip = (force - drag) / mass / (3.5 + 25.0 / mass), slow = (force - drag - 25.0 * grip) / mass;
    const ctVec3 size = {20, 20, 1};
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 0.8, 0.0, 1.0 / rate);
    peer->groundFriction(w, 0.4);
    peer->ground(w);
    ctPeerBody base = boxAt(mass, size, (ctVec3){0, 0, 0.5});
    int box = peer->box(w, size, &base), ball = 0;
    for (int i = 0; i < 25; i++) {
        ctPeerBody b = ballAt(1.0, 0.5, (ctVec3){2.0 * (i % 5) - 4.0, 2.0 * (i / 5) - 4.0, 1.5}, (ctVec3){0, 0, 0});
        int id = peer->ball(w, 0.5, &b);
        ball = i == 0 ? id : ball;
    }
    peer->push(w, box, (ctVec3){force * cosine, force * sine, 0});
    double sum = 0.0;
    int steps = (int)lround(4.0 * rate);
    for (int i = 1; i <= steps; i++) {
        peer->step(w);
        ctVec3 v = peer->state(w, box).velocity, u = peer->state(w, ball).velocity;
        double t = i / rate, x = v.x - slow * t * cosine, y = v.y - slow * t * sine;
        double p = u.x - grip * t * cosine, q = u.y - grip * t * sine;
        sum += x * x + y * y + v.z * v.z + p * p + q * q + u.z * u.z;
    }
    peer->destroy(w);
    return sum / steps;
}

// 49 balls of 10 kg fall from 5 m without friction, e = 1: the mean squared error of their energy over 20 s.
double ctSystem_Bouncing(const ctPeer *peer, double rate)
{
    enum { BALLS = 49 };
    const double mass = 10.0, radius = 0.1, high = 5.0, right = BALLS * mass * g * high;
    int ids[BALLS], steps = (int)lround(20.0 * rate);
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 0.0, 1.0, 1.0 / rate);
    peer->ground(w);
    for (int i = 0; i < BALLS; i++) {
        ctPeerBody b = ballAt(mass, radius, (ctVec3){2.0 * (i % 7), 2.0 * (i / 7), high}, (ctVec3){0, 0, 0});
        ids[i] = peer->ball(w, radius, &b);
    }
    double sum = 0.0;
    for (int i = 0; i < steps; i++) {
        peer->step(w);
        double energy = 0.0;
        for (int j = 0; j < BALLS; j++) {
            ctPeerBody s = peer->state(w, ids[j]);
            energy += mass * (g * s.position.z + 0.5 * (s.velocity.x * s.velocity.x + s.velocity.y * s.velocity.y +
                                                        s.velocity.z * s.velocity.z));
        }
        sum += (energy - right) * (energy - right);
    }
    peer->destroy(w);
    return sum / steps;
}

enum { CUBE = 6, CUBE_BALLS = CUBE * CUBE * CUBE };
static const double cubeMass = 10.0, cubeRadius = 0.1;

// 6 by 6 by 6 balls of 10 kg, 1 cm apart but for a millimetre at random, the lowest centres at the given height.
static ctPeerWorld *cubeOfBalls(const ctPeer *peer, double rate, double e, double height, int ids[CUBE_BALLS])
{
    ctRandom random = ctRandomSeed(42);
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, 0.0, e, 1.0 / rate);
    peer->ground(w);
    for (int i = 0; i < CUBE_BALLS; i++) {
        ctVec3 at = {0.21 * (i / 36) + 0.001 * ctRandomUniform(&random, 0.0, 1.0),
                     0.21 * (i / 6 % 6) + 0.001 * ctRandomUniform(&random, 0.0, 1.0),
                     0.21 * (i % 6) + 0.001 * ctRandomUniform(&random, 0.0, 1.0) + height};
        ctPeerBody b = ballAt(cubeMass, cubeRadius, at, (ctVec3){0, 0, 0});
        ids[i] = peer->ball(w, cubeRadius, &b);
    }
    return w;
}

static double cubeEnergy(const ctPeer *peer, ctPeerWorld *w, const int ids[CUBE_BALLS])
{
    double energy = 0.0;
    for (int i = 0; i < CUBE_BALLS; i++) {
        ctPeerBody s = peer->state(w, ids[i]);
        energy += cubeMass * (g * s.position.z + 0.5 * ctDot(s.velocity, s.velocity) +
                              0.2 * cubeRadius * cubeRadius * ctDot(s.spin, s.spin));
    }
    return energy;
}

// The mean squared error of the energy over 10 s of a cube of balls that falls without friction, e = 1.
double ctSystem_Elastic666(const ctPeer *peer, double rate)
{
    int ids[CUBE_BALLS], steps = (int)lround(10.0 * rate);
    ctPeerWorld *w = cubeOfBalls(peer, rate, 1.0, 1.101, ids);
    const double right = cubeEnergy(peer, w, ids);
    double sum = 0.0;
    for (int i = 0; i < steps; i++) {
        peer->step(w);
        double off = cubeEnergy(peer, w, ids) - right;
        sum += off * off;
    }
    peer->destroy(w);
    return sum / steps;
}

static double squaredOverlaps(const ctVec3 x[CUBE_BALLS])
{
    double sum = 0.0;
    for (int i = 0; i < CUBE_BALLS; i++) {
        double under = fmax(0.0, cubeRadius - x[i].z);
        sum += under * under;
        for (int j = 0; j < i; j++) {
            ctVec3 d = ctSub(x[i], x[j]);
            double square = ctDot(d, d);
            if (square < 4.0 * cubeRadius * cubeRadius) {
                double overlap = 2.0 * cubeRadius - sqrt(square);
                sum += overlap * overlap;
            }
        }
    }
    return sum;
}

// The sum of the squared overlaps, mean over 10 s, of a cube of balls that collapses without friction, e = 0.
double ctSystem_Overlap666(const ctPeer *peer, double rate)
{
    int ids[CUBE_BALLS], steps = (int)lround(10.0 * rate);
    ctVec3 x[CUBE_BALLS];
    ctPeerWorld *w = cubeOfBalls(peer, rate, 0.0, 0.101, ids);
    double sum = 0.0;
    for (int i = 0; i < steps; i++) {
        peer->step(w);
        for (int j = 0; j < CUBE_BALLS; j++) {
            x[j] = peer->state(w, ids[j]).position;
        }
        sum += squaredOverlaps(x);
    }
    peer->destroy(w);
    return sum / steps;
}
