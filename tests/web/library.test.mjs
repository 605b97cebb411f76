// The module for JavaScript, in node: closed forms, errors, scenes, and the bits of the native program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { load } from "../../build/web/npm/clatter/clatter.js";

const expected = JSON.parse(readFileSync(new URL("../../build/web/hashes.json", import.meta.url)));
const clatter = await load();

// A ball that falls from rest at height h above where it touches, with restitution e.
test("a ball bounces to e^2 h", () => {
  const world = clatter.world({ gravity: [0, 0, -10], fps: 1000 });
  const material = world.material("ball", { friction: 0, restitution: 0.8 });
  world.body({ shape: { plane: [0, 0, 1, 0] }, motion: "fixed", material });
  const ball = world.body({ shape: { sphere: [0.1] }, material, position: [0, 0, 1.1] });
  const first = Math.sqrt(2 / 10);
  let impacts = [];
  while (world.time < first + 0.8 * first - 1e-9) {
    world.step();
    impacts = impacts.concat(Array.from(world.impacts()));
  }
  assert.equal(impacts.length, 16);
  assert.ok(Math.abs(impacts[0] - first) < 1e-12);
  assert.deepEqual(impacts.slice(1, 3).sort(), [0, 1]);
  const height = world.poses()[7 * ball + 2] - 0.1;
  const t = world.time - first;
  const v = 0.8 * Math.sqrt(2 * 10);
  assert.ok(Math.abs(height - (v * t - 5 * t * t)) < 1e-12);
  assert.ok(Math.abs(world.motions()[6 * ball + 2] - (v - 10 * t)) < 1e-12);
  world.destroy();
  assert.throws(() => world.step(), /destroyed/);
});

test("an impulse at the centre changes the velocity by J/m, and bodies can be removed", () => {
  const world = clatter.world({ gravity: [0, 0, 0] });
  const a = world.body({ shape: { box: [1, 1, 1] }, mass: 2, name: "a" });
  const b = world.body({ shape: { cylinder: [0.2, 1] }, mass: 1, name: "b", position: [5, 0, 0] });
  world.applyImpulse(a, [4, 0, 0], [0, 0, 0]);
  world.setMotion(b, [0, 1, 0], [0, 0, 3]);
  assert.deepEqual(Array.from(world.motions()), [2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3]);
  assert.equal(world.name(b), "b");
  world.remove(a);
  assert.equal(world.count, 1);
  assert.equal(world.name(0), "b");
  world.destroy();
});

test("what is wrong is said, and nothing changes", () => {
  assert.throws(() => clatter.world({ law: "newton" }), /newton/);
  const world = clatter.world();
  assert.throws(() => world.shape({ sphere: [-1] }), /radius/);
  assert.throws(() => world.shape({ torus: [1, 2] }), /torus/);
  assert.throws(() => world.body({ shape: { sphere: [1] }, motion: "flying" }), /flying/);
  assert.throws(() => world.body({ shape: { sphere: [1] }, position: [NaN, 0, 0] }), /./);
  assert.throws(() => world.remove(0), /no body 0/);
  assert.equal(world.count, 0);
  world.destroy();
  assert.throws(() => clatter.scene("body {"), /scene-\d+\.lua:1/);
  assert.throws(() => clatter.demo("bowling", { settings: { aimm: 1 } }), /aimm/);
  assert.throws(() => clatter.demo("nowhere"), /nowhere/);
});

test("a scene from text", () => {
  const world = clatter.scene(
    `scene { title = "Drop", seconds = 2 }
     local h = param("h", 1, 0, 10, "height")
     body { name = "ball", shape = sphere { radius = 0.1 }, position = {0, 0, h} }`, { settings: { h: 3 } });
  assert.equal(world.title, "Drop");
  assert.equal(world.seconds, 2);
  assert.equal(world.poses()[2], 3);
  world.destroy();
});

for (const vectors of [true, false]) {
  test(`every demo ends with the bits of the desktop, ${vectors ? "with" : "without"} vector instructions`, async () => {
    const variant = await load({ vectors });
    const names = variant.demos();
    assert.ok(names.length >= 14);
    for (const name of names) {
      const world = variant.demo(name);
      while (world.time < world.seconds - 1e-9) world.step();
      assert.equal(world.hash, expected[name], name);
      world.destroy();
    }
  });
}
