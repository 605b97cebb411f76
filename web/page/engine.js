// The viewer's module, and calls into it.
import { hasVectors } from "./vectors.js";

let module = null;
let messages = []; // error messages since the last callWords

export const call = (name, result, types = [], values = []) => module.ccall(name, result, types, values);

// A call with the words of a command line. Returns a status; complaints() returns the error messages.
export function callWords(name, list, types = [], values = []) {
  messages = [];
  return call(name, "number", ["string", ...types], [list.join("\n"), ...values]);
}

export const complaints = () => messages.join("\n");
export const files = () => module.FS;

export function numbers(name, count) {
  const at = call(name, "number") >> 3;
  return Array.from(module.HEAPF64.subarray(at, at + count));
}

export async function load(hooks) {
  const variant = hasVectors() ? "simd" : "plain";
  const { default: create } = await import("./viewer.js");
  module = await create({
    ...hooks,
    noInitialRun: true,
    locateFile: (name) => (name.endsWith(".wasm") ? `viewer-${variant}.wasm` : name),
    print: (line) => console.log(line),
    printErr: (line) => messages.push(line),
  });
}

// The hash of a demo's final state, computed here, and the one that the desktop computed when the page was built.
export async function checkBits(name) {
  const expected = (await (await fetch("hashes.json")).json())[name];
  messages = [];
  if (!call("ctWeb_HashBegin", "boolean", ["string"], [name])) {
    throw new Error(complaints());
  }
  let hash = "";
  while (hash === "") {
    hash = call("ctWeb_HashStep", "string", ["number"], [12]);
    await new Promise((done) => setTimeout(done, 0));
  }
  return { name, hash, expected, same: hash === expected };
}
