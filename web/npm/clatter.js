// Clatter for JavaScript: worlds of rigid bodies with impacts. See clatter.d.ts and docs/web.md.
//
// const clatter = await load();
// const world = clatter.world({ gravity: [0, 0, -9.81] });
import createModule from "./clatter-core.js";
import { hasVectors } from "./vectors.js";

export { hasVectors };

const motions = { dynamic: 0, fixed: 1, kinematic: 2 };
const isNode = typeof process === "object" && typeof process.versions?.node === "string";

async function bytesOf(name) {
  const url = new URL(name, import.meta.url);
  if (isNode) {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status}`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}

// Loads the engine. vectors: false forces the variant without vector instructions.
export async function load({ vectors = hasVectors() } = {}) {
  const wasmBinary = await bytesOf(vectors ? "clatter-simd.wasm" : "clatter-plain.wasm");
  const module = await createModule({ wasmBinary });
  return new Clatter(module);
}

class Clatter {
  constructor(module) {
    this.module = module;
    this.scenes = 0;
  }

  world({ gravity = [0, 0, -9.81], fps = 60, law = "stronge", contact = "island" } = {}) {
    const words = ["number", "number", "number", "number", "string", "string"];
    return this.wrap(this.module.ccall("ctJs_World", "number", words, [...gravity, 1 / fps, law, contact]));
  }

  // A scene from the text of a script. settings: { NAME: VALUE, mu, e, fps }.
  scene(text, { settings = {}, law = "" } = {}) {
    const path = `/scene-${++this.scenes}.lua`;
    this.module.FS.writeFile(path, text);
    try {
      return this.open(path, settings, law);
    } finally {
      this.module.FS.unlink(path);
    }
  }

  // One of the demos, by name.
  demo(name, { settings = {}, law = "" } = {}) {
    return this.open(name, settings, law);
  }

  demos() {
    return this.module.FS.readdir("/scenes").filter((f) => f.endsWith(".lua")).map((f) => f.slice(0, -4)).sort();
  }

  open(path, settings, law) {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${Number(value)}`).join("\n");
    return this.wrap(this.module.ccall("ctJs_Scene", "number", ["string", "string", "string"], [path, lines, law]));
  }

  wrap(pointer) {
    if (pointer === 0) {
      throw new Error(this.module.ccall("ctJs_Error", "string", ["number"], [0]));
    }
    return new World(this.module, pointer);
  }
}

class World {
  constructor(module, pointer) {
    this.module = module;
    this.pointer = pointer;
  }

  call(name, result, types = [], values = []) {
    if (this.pointer === 0) {
      throw new Error("this world was destroyed");
    }
    return this.module.ccall(name, result, ["number", ...types], [this.pointer, ...values]);
  }

  check(good) {
    if (!good) {
      throw new Error(this.call("ctJs_Error", "string"));
    }
    return good;
  }

  // Calls fn with the address of numbers in the engine's memory.
  withNumbers(numbers, fn) {
    const at = this.module._malloc(8 * Math.max(1, numbers.length));
    this.module.HEAPF64.set(numbers, at >> 3);
    try {
      return fn(at);
    } finally {
      this.module._free(at);
    }
  }

  view(name, count, width) {
    const at = this.check(this.call(name, "number"));
    return new Float64Array(this.module.HEAPF64.buffer, at, count * width);
  }

  material(name, { friction = 0.5, restitution = 0.5, tangentialRestitution = 0, sigma = 0, rolling = 0, spinning = 0,
    density = 1000 } = {}) {
    const numbers = [friction, restitution, tangentialRestitution, sigma, rolling, spinning, density];
    const id = this.withNumbers(numbers, (at) => this.call("ctJs_Material", "number", ["string", "number"], [name, at]));
    this.check(id >= 0);
    return id;
  }

  // { sphere: [radius] }, { box: [x, y, z] }, { cylinder: [radius, height] }, { capsule: [radius, height] },
  // { cone: [radius, height] }, { ellipsoid: [a, b, c] }, { plane: [nx, ny, nz, offset] }, { hull: [x, y, z, ...] },
  // { lathe: [r, r, ..., z, z, ...] }
  shape(description) {
    const [name, numbers] = Object.entries(description)[0] ?? ["", []];
    return this.check(this.withNumbers(numbers, (at) =>
      this.call("ctJs_Shape", "number", ["string", "number", "number"], [name, at, numbers.length])));
  }

  // Returns the body's index: its place in the arrays of poses and motions.
  body({ shape, name = "", motion = "dynamic", material = 0, mass = 0, density = 0, position = [0, 0, 0],
    orientation = [1, 0, 0, 0], velocity = [0, 0, 0], spin = [0, 0, 0] }) {
    if (!(motion in motions)) {
      throw new Error(`motion "${motion}" is none of ${Object.keys(motions).join(", ")}`);
    }
    const id = typeof shape === "number" ? shape : this.shape(shape);
    const numbers = [mass, density, ...position, ...orientation, ...velocity, ...spin];
    const ordinal = this.withNumbers(numbers, (at) => this.call("ctJs_Body", "number",
      ["string", "number", "number", "number", "number"], [name, id, motions[motion], material, at]));
    this.check(ordinal >= 0);
    return ordinal;
  }

  // The indices of bodies made after it decrease by one.
  remove(index) {
    this.check(this.call("ctJs_Remove", "number", ["number"], [index]));
  }

  setMotion(index, velocity, spin = [0, 0, 0]) {
    this.check(this.withNumbers([...velocity, ...spin], (at) =>
      this.call("ctJs_SetMotion", "number", ["number", "number"], [index, at])));
  }

  applyImpulse(index, impulse, point) {
    this.check(this.withNumbers([...impulse, ...point], (at) =>
      this.call("ctJs_Impulse", "number", ["number", "number"], [index, at])));
  }

  // Advances by one frame.
  step() {
    this.check(this.call("ctJs_Step", "number"));
  }

  get time() {
    return this.call("ctJs_Time", "number");
  }

  get count() {
    return this.call("ctJs_Count", "number");
  }

  get hash() {
    return this.call("ctJs_Hash", "string");
  }

  // Duration of a run of the scene, s; 0 for a world without a scene.
  get seconds() {
    return this.call("ctJs_SceneSeconds", "number");
  }

  get title() {
    return this.call("ctJs_SceneTitle", "string");
  }

  name(index) {
    return this.call("ctJs_Name", "string", ["number"], [index]);
  }

  // These arrays are views into the engine's memory: read them before the next call.
  poses() {
    return this.view("ctJs_Poses", this.count, 7);
  }

  motions() {
    return this.view("ctJs_Motions", this.count, 6);
  }

  impacts() {
    return this.view("ctJs_Impacts", this.call("ctJs_ImpactCount", "number"), 16);
  }

  contacts() {
    return this.view("ctJs_Contacts", this.call("ctJs_ContactCount", "number"), 11);
  }

  stats() {
    const [kinetic, potential, frictionLoss, restitutionLoss, impacts, contacts, asleep, overlap] =
      this.view("ctJs_Stats", 1, 8);
    return { kinetic, potential, frictionLoss, restitutionLoss, impacts, contacts, asleep, overlap };
  }

  destroy() {
    this.call("ctJs_Free", null);
    this.pointer = 0;
  }
}
