// The page around the viewer: its address, pictures, the window, and error messages.
import { openEditor, ownPath, setText, showProblem, watchEditor } from "./editor.js";
import { call, callWords, checkBits, complaints, files, load, numbers } from "./engine.js";
import { fromCommand, pack, parse, unpack } from "./link.js";

const $ = (id) => document.getElementById(id);
const canvas = $("canvas");
const scenePath = () => call("ctWeb_ScenePath", "string");

// ---- messages ----------------------------------------------------------------------------------

function cover(text) {
  $("cover-text").textContent = text;
  $("cover").hidden = text === "";
}

let noteTimer = 0;
function note(text) {
  $("note").textContent = text;
  $("note").classList.add("shown");
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => $("note").classList.remove("shown"), 4000);
}

// ---- the address -------------------------------------------------------------------------------

let followed = null; // the part of the address that the picture shows

async function wordsOf(link) {
  if (link.code !== null) {
    setText(await unpack(link.code));
  }
  const scene = link.code !== null ? ownPath : link.scene;
  return scene === null ? link.words : [scene, ...link.words];
}

async function linkNow() {
  const own = scenePath() === ownPath;
  const code = own ? await pack(files().readFile(ownPath, { encoding: "utf8" })) : null;
  const camera = numbers("ctWeb_Camera", 6);
  return new URL(fromCommand(call("ctWeb_Command", "string"), { code, camera }), location.href).href;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

async function copyLink() {
  const url = await linkNow();
  followed = new URL(url).hash;
  history.replaceState(null, "", followed);
  note((await copy(url)) ? "The link is on the clipboard." : "The link is in the address bar.");
}

function arrange(link) {
  document.body.classList.toggle("bare", link.bare);
  if (link.camera !== null) {
    call("ctWeb_SetCamera", null, Array(6).fill("number"), link.camera);
  }
}

async function follow() {
  if (location.hash === followed) {
    return;
  }
  followed = location.hash;
  const link = parse(location.hash);
  const list = await wordsOf(link).catch(() => null);
  const good = list !== null && callWords("ctWeb_Show", list) === 0;
  const wrong = list === null ? "The text in this link is damaged." : complaints();
  showProblem(good ? "" : wrong);
  if (good) {
    arrange(link);
  } else {
    note(wrong);
  }
  $("hash").textContent = "";
}

// ---- pictures ----------------------------------------------------------------------------------

function save(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
}

let recorder = null;

// Starts or stops a recording. Returns whether it records now.
function record(name, on) {
  if (!on) {
    recorder?.stop();
    recorder = null;
    return 0;
  }
  if (typeof MediaRecorder !== "function" || !MediaRecorder.isTypeSupported("video/webm")) {
    return 0;
  }
  const parts = [];
  recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: "video/webm", videoBitsPerSecond: 8e6 });
  recorder.ondataavailable = (e) => parts.push(e.data);
  recorder.onstop = () => save(new Blob(parts, { type: "video/webm" }), `clatter-${name}.webm`);
  recorder.start();
  return 1;
}

async function showBits() {
  const path = scenePath();
  if (path === ownPath) {
    note("Only the demos have a state to compare with.");
    return;
  }
  const name = path.split("/").pop().replace(/\.lua$/, "");
  $("hash").textContent = `${name}: computing…`;
  const { hash, expected, same } = await checkBits(name);
  $("hash").textContent = `${name}: ${hash}\n${same ? "the same bits as on the desktop" : `on the desktop: ${expected}`}`;
}

// ---- the window --------------------------------------------------------------------------------

function size() {
  const box = $("stage").getBoundingClientRect();
  return [Math.max(64, Math.round(box.width)), Math.max(64, Math.round(box.height))];
}

function watchWindow() {
  new ResizeObserver(() => call("ctWeb_Resize", null, ["number", "number"], size())).observe($("stage"));
  let played = true;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      played = numbers("ctWeb_State", 6)[1] === 1;
      call("ctWeb_Play", null, ["boolean"], [false]);
    } else {
      call("ctWeb_Resume", null);
      call("ctWeb_Play", null, ["boolean"], [played]);
    }
  });
  canvas.addEventListener("webglcontextlost", (e) => {
    e.preventDefault();
    call("ctWeb_ContextLost", null);
    cover("The graphics device was lost. Waiting for it to come back…");
  });
  canvas.addEventListener("webglcontextrestored", () => {
    const good = call("ctWeb_ContextRestored", "number") === 0;
    cover(good ? "" : `The graphics device came back, but cannot be used:\n${complaints()}\nReload the page.`);
  });
  canvas.addEventListener("pointerdown", () => canvas.focus());
  window.addEventListener("hashchange", follow);
  $("link").onclick = copyLink;
  $("bits").onclick = () => showBits().catch((e) => note(e.message));
}

// ---- the beginning -----------------------------------------------------------------------------

function hasWebGl2() {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

const hooks = {
  canvas,
  onCopy: copy,
  onLink: copyLink,
  onScreenshot: (name) => canvas.toBlob((blob) => blob && save(blob, `clatter-${name}.png`)),
  onRecord: record,
  onStopped: (text) => cover(`Clatter has stopped: ${text}\nReload the page to start again.`),
  onAbort: (what) => {
    const why = /memory|OOM/i.test(String(what)) ? "the browser gives it no more memory" : what;
    cover(`Clatter has stopped: ${why}.\nReload the page to start again.`);
  },
};

// Shows the scene of the address. When the link or the scene has an error, shows the first demo and the error.
async function open(link) {
  const list = await wordsOf(link).catch(() => null);
  if (list !== null) {
    const status = callWords("ctWeb_Start", list, ["number", "number"], size());
    if (status !== 2) {
      arrange(link);
      return status;
    }
  }
  const wrong = list === null ? "The text in this link is damaged." : complaints();
  const status = callWords("ctWeb_Start", [], ["number", "number"], size());
  note(wrong);
  if (link.code !== null) openEditor(true);
  showProblem(wrong);
  return status;
}

async function start() {
  if (typeof WebAssembly !== "object") {
    throw new Error("this browser has no WebAssembly, which it runs on.");
  }
  if (!hasWebGl2()) {
    throw new Error("this browser has no WebGL 2, which it draws with. It may be switched off, or the driver blocked.");
  }
  await load(hooks);
  followed = location.hash;
  const link = parse(location.hash);
  if ((await open(link)) !== 0) {
    throw new Error(complaints());
  }
  cover("");
  watchWindow();
  watchEditor({ note, copy, demoName: () => parse(location.hash).scene ?? "bowling" });
  if (link.edit) openEditor(true);
  canvas.focus();
  performance.mark("clatter-ready");
  // For tests, and for pages of the same origin that embed this one.
  window.clatter = { state: () => numbers("ctWeb_State", 6), checkBits, link: linkNow };
}

start().catch((e) => cover(`Clatter cannot start: ${e.message ?? e}`));
