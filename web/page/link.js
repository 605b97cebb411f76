// The address of a set-up: #scene=bowling&aim=-3.1&mu=0.2&law=poisson&camera=1,2,3,0,0,0&panels=0&paused=1, or
// #code=... with a scene's text, deflated, in URL-safe base64. Every other name is a parameter of the scene.
const options = ["mu", "e", "law", "contact", "fps", "scale"];
const own = ["scene", "code", "camera", "panels", "paused", "edit"];

export function parse(hash) {
  const entries = new URLSearchParams(hash.replace(/^#/, ""));
  const is = (name, value) => entries.get(name) === value;
  const link = {
    scene: entries.get("scene"),
    code: entries.get("code"),
    bare: is("panels", "0"),
    paused: is("paused", "1"),
    edit: is("edit", "1"),
    camera: null,
    words: [],
  };
  for (const [name, value] of entries) {
    if (options.includes(name)) {
      link.words.push(`--${name}`, value);
    } else if (!own.includes(name)) {
      link.words.push("--set", `${name}=${value}`);
    }
  }
  if (link.bare) link.words.push("--no-panels");
  if (link.paused) link.words.push("--paused");
  const camera = (entries.get("camera") ?? "").split(",").map(Number);
  link.camera = camera.length === 6 && camera.every(Number.isFinite) ? camera : null;
  return link;
}

// The address from the viewer's command line, `clatter run NAME --set aim=-3 --mu 0.2`. Further lines are comments.
export function fromCommand(command, { code = null, camera = null } = {}) {
  const words = command.split("\n")[0].match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ""));
  const entries = new URLSearchParams();
  if (code === null) {
    entries.set("scene", words[2]);
  } else {
    entries.set("code", code);
  }
  for (let i = 3; i + 1 < words.length; i += 2) {
    const [name, value] = words[i] === "--set" ? words[i + 1].split("=") : [words[i].slice(2), words[i + 1]];
    entries.set(name, value);
  }
  if (camera !== null) {
    entries.set("camera", camera.map((x) => Number(x.toPrecision(5))).join(","));
  }
  return `#${entries.toString().replaceAll("%2C", ",")}`;
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const binary = Array.from(bytes, (b) => String.fromCharCode(b)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(code) {
  const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}
