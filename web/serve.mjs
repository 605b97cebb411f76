// serve.mjs FOLDER [PORT]: serves a folder on the loopback address, with the content types that browsers require.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm", ".json": "application/json", ".png": "image/png", ".ts": "text/plain; charset=utf-8",
};
const [folder, port = "8080"] = process.argv.slice(2);
if (folder === undefined || !/^\d{1,5}$/.test(port)) {
  console.error("usage: serve.mjs FOLDER [PORT]");
  process.exit(2);
}
const server = createServer((request, answer) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
  let found = null;
  try {
    found = file.startsWith(normalize(folder)) ? statSync(file) : null;
  } catch {}
  if (!found?.isFile()) {
    answer.writeHead(404, { "content-type": "text/plain" }).end("not here\n");
    return;
  }
  answer.writeHead(200, {
    "content-type": types[extname(file)] ?? "application/octet-stream",
    "content-length": found.size,
    "cache-control": "no-cache",
  });
  createReadStream(file).pipe(answer);
});
server.on("error", (e) => {
  console.error(`serve.mjs: ${e.message}`);
  process.exit(1);
});
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`Clatter is at http://localhost:${server.address().port}/ until you press Ctrl+C.`);
});
