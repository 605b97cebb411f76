// The editor of the scene's text, beside the picture.
import { call, callWords, complaints, files } from "./engine.js";
import { pack } from "./link.js";

const $ = (id) => document.getElementById(id);
export const ownPath = "/own/scene.lua"; // the text, in the module's file system
const storeKey = "clatter.scene";
let badLine = 0;

function numberLines() {
  const list = $("lines");
  const count = $("text").value.split("\n").length;
  list.textContent = "";
  for (let i = 1; i <= count; i++) {
    const row = document.createElement("span");
    row.textContent = `${i}\n`;
    row.className = i === badLine ? "bad" : "";
    list.append(row);
  }
  list.scrollTop = $("text").scrollTop;
}

// Shows a message such as "/own/scene.lua:7: what is wrong", and marks the line.
export function showProblem(text) {
  const place = text.match(/scene\.lua:(\d+):/);
  badLine = place === null ? 0 : Number(place[1]);
  $("problem").textContent = text.replace(/^.*?scene\.lua:(\d+): */, "line $1: ");
  numberLines();
}

// Writes the text to the file that the viewer reads.
export function writeOwn(text) {
  files().mkdirTree("/own");
  files().writeFile(ownPath, text);
}

export function setText(text) {
  writeOwn(text);
  $("text").value = text;
  numberLines();
}

export function openEditor(on) {
  $("editor").hidden = !on;
  if (on && $("text").value === "") {
    const path = call("ctWeb_ScenePath", "string");
    $("text").value = localStorage.getItem(storeKey) ?? files().readFile(path, { encoding: "utf8" });
    $("text").setSelectionRange(0, 0);
    $("text").scrollTop = 0;
  }
  if (on) {
    numberLines();
    $("text").focus();
  } else {
    $("canvas").focus();
  }
}

function run() {
  const text = $("text").value;
  localStorage.setItem(storeKey, text);
  writeOwn(text);
  showProblem(callWords("ctWeb_Show", [ownPath]) === 0 ? "" : complaints());
}

export function watchEditor({ note, copy, demoName }) {
  $("edit").onclick = () => openEditor($("editor").hidden);
  $("close").onclick = () => openEditor(false);
  $("run").onclick = run;
  $("share").onclick = async () => {
    const url = new URL(`#code=${await pack($("text").value)}`, location.href).href;
    const copied = await copy(url);
    note(copied ? `A link of ${url.length} characters is on the clipboard.` : "The link cannot be copied here.");
  };
  // Back to the text of the demo that the address names.
  $("revert").onclick = () => {
    localStorage.removeItem(storeKey);
    $("text").value = files().readFile(`/scenes/${demoName()}.lua`, { encoding: "utf8" });
    showProblem("");
  };
  $("text").addEventListener("input", () => {
    badLine = 0;
    numberLines();
  });
  $("text").addEventListener("scroll", () => ($("lines").scrollTop = $("text").scrollTop));
  document.addEventListener("keydown", (e) => {
    const control = e.ctrlKey || e.metaKey;
    if (control && e.key === "e") {
      e.preventDefault();
      openEditor($("editor").hidden);
    } else if (control && e.key === "Enter" && !$("editor").hidden) {
      e.preventDefault();
      run();
    }
  });
}
