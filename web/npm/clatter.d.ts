// Types of clatter.js. Units are SI; vectors are [x, y, z], quaternions [w, x, y, z].

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];
export type Law = "stronge" | "poisson" | "algebraic" | "composite" | "compliant";
export type ContactMode = "island" | "microcollision";

export type ShapeDescription =
  | { sphere: readonly [radius: number] }
  | { box: Vector }
  | { cylinder: readonly [radius: number, height: number] }
  | { capsule: readonly [radius: number, height: number] }
  | { cone: readonly [radius: number, height: number] }
  | { ellipsoid: Vector }
  | { plane: readonly [nx: number, ny: number, nz: number, offset: number] }
  | { hull: readonly number[] }
  | { lathe: readonly number[] };

export interface WorldDescription {
  gravity?: Vector;
  fps?: number;
  law?: Law;
  contact?: ContactMode;
}

export interface MaterialDescription {
  friction?: number;
  restitution?: number;
  tangentialRestitution?: number;
  sigma?: number;
  rolling?: number;
  spinning?: number;
  density?: number;
}

export interface BodyDescription {
  shape: number | ShapeDescription;
  name?: string;
  motion?: "dynamic" | "fixed" | "kinematic";
  material?: number;
  mass?: number;
  density?: number;
  position?: Vector;
  orientation?: Quaternion;
  velocity?: Vector;
  spin?: Vector;
}

export interface SceneOptions {
  /** Parameters of the scene by name; mu, e and fps are the options of these names. */
  settings?: Record<string, number>;
  law?: Law;
}

export interface Stats {
  kinetic: number;
  potential: number;
  frictionLoss: number;
  restitutionLoss: number;
  impacts: number;
  contacts: number;
  asleep: number;
  overlap: number;
}

/** Every call that fails throws an Error that says what is wrong, and changes nothing. */
export interface World {
  readonly time: number;
  readonly count: number;
  /** 16 hexadecimal digits, equal for equal histories on every machine. */
  readonly hash: string;
  /** Duration of a run of the scene, s; 0 for a world without a scene. */
  readonly seconds: number;
  readonly title: string;
  material(name: string, description?: MaterialDescription): number;
  shape(description: ShapeDescription): number;
  /** Returns the body's index: its place in the arrays. */
  body(description: BodyDescription): number;
  /** The indices of bodies made after it decrease by one. */
  remove(index: number): void;
  setMotion(index: number, velocity: Vector, spin?: Vector): void;
  applyImpulse(index: number, impulse: Vector, point: Vector): void;
  /** Advances by one frame. */
  step(): void;
  name(index: number): string;
  /** A view into the engine's memory, valid until the next call. Seven numbers per body: position, quaternion. */
  poses(): Float64Array;
  /** Six numbers per body: velocity, spin. */
  motions(): Float64Array;
  /** The impacts of the last step, sixteen numbers each: time, body 1, body 2, point, normal, velocity, impulse, energy
   *  lost. */
  impacts(): Float64Array;
  /** Eleven numbers each: body 1, body 2, point, normal, force on body 1. */
  contacts(): Float64Array;
  stats(): Stats;
  destroy(): void;
}

export interface Clatter {
  world(description?: WorldDescription): World;
  /** A scene from the text of a Lua script. */
  scene(text: string, options?: SceneOptions): World;
  demo(name: string, options?: SceneOptions): World;
  demos(): string[];
}

/** Whether this JavaScript engine has the vector instructions of WebAssembly. */
export function hasVectors(): boolean;
/** vectors: false forces the variant without vector instructions; results are the same. */
export function load(options?: { vectors?: boolean }): Promise<Clatter>;
