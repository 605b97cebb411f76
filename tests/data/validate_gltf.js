// node validate_gltf.js FILE: what the Khronos validator says of a glTF file; status 1 on any error or warning.
const fs = require('fs');
const validator = require('gltf-validator');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then((report) => {
    const { numErrors, numWarnings, messages } = report.issues;
    console.log(`errors ${numErrors}, warnings ${numWarnings}, animations ${report.info.animationCount}`);
    messages.forEach((m) => console.log(`${m.code} ${m.pointer}: ${m.message}`));
    process.exit(numErrors + numWarnings === 0 ? 0 : 1);
});
