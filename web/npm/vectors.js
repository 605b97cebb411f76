// Whether this JavaScript engine has the vector instructions of WebAssembly. The probe is a module with one function
// that uses such an instruction.
const probe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
export const hasVectors = () => WebAssembly.validate(probe);
