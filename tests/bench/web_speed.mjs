// How long a demo takes in WebAssembly, in headless Chromium and in node, beside the native program: `make web-bench`.
// The three take turns and the best of each counts, so that what else the machine does weighs on all alike. Loading and
// drawing are left out.
// web_speed.mjs [DEMO ...]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { load } from "../../build/web/npm/clatter/clatter.js";

const root = new URL("../../", import.meta.url).pathname;
const require = createRequire(`${root}build/web/test/`);
const { Builder } = require("selenium-webdriver");
const chrome = require("selenium-webdriver/chrome");
const TURNS = 3;
const SHORT = 0.02; // s

// Runs as it stands here and in the browser: a demo to its end, several times; `wall` is the quickest of them.
function run(clatter, name, times) {
  const answer = { wall: Infinity };
  for (let i = 0; i < times; i++) {
    const world = clatter.demo(name);
    const begun = performance.now();
    while (world.time < world.seconds - 1e-9) {
      world.step();
    }
    answer.wall = Math.min(answer.wall, (performance.now() - begun) / 1000);
    answer.length = world.time;
    answer.hash = world.hash;
    world.destroy();
  }
  return answer;
}

// Seconds that the first thread of a process has been on a core.
const cpu = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e9;

// A demo of a few milliseconds is seldom interrupted: the quickest of many counts. Of a long one, the time on a core
// counts, which the kernel brings up to date at its ticks.
async function timed(pid, times, fn) {
  const begun = cpu(pid);
  const answer = await fn(times);
  return { ...answer, taken: times > 1 ? answer.wall : cpu(pid) - begun };
}

// The browser's processes that run pages, each with its time so far.
function renderers(profile) {
  const found = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return line.includes("--type=renderer") && line.includes(profile);
    } catch {
      return false;
    }
  });
  return new Map(found.map((pid) => [pid, cpu(pid)]));
}

const server = spawn("node", [`${root}web/serve.mjs`, `${root}build/web/npm/clatter`, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((done) => server.stdout.on("data", (text) => done(String(text).match(/http:\S+/)[0])));
const profile = mkdtempSync(`${tmpdir()}/clatter-web-speed-`);
const options = new chrome.Options().setChromeBinaryPath("/usr/bin/chromium").addArguments("--headless=new", "--no-sandbox",
  `--user-data-dir=${profile}`, "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--no-first-run");
const driver = await new Builder().forBrowser("chrome").setChromeOptions(options)
  .setChromeService(new chrome.ServiceBuilder("/usr/bin/chromedriver")).build();
try {
  await driver.manage().setTimeouts({ script: 600000 });
  await driver.get(`${address}example.html`);
  await driver.executeAsyncScript(`const done = arguments[0];
    import("./clatter.js").then(async (m) => { window.module = await m.load(); window.run = ${run}; done(); });`);
  const before = renderers(profile);
  await driver.executeScript("window.run(window.module, 'bowling', 3)");
  const worked = (pid) => cpu(pid) - before.get(pid);
  const page = [...before.keys()].sort((a, b) => worked(b) - worked(a))[0];
  const inBrowser = (name, times) => timed(page, times,
    () => driver.executeScript("return window.run(window.module, ...arguments)", name, times));
  const native = (name) => {
    const stats = execFileSync(`${root}build/clatter`, ["sim", name, "--stats", "-"], { stdio: ["ignore", "pipe", "ignore"] });
    const read = JSON.parse(stats);
    return { taken: read.cpu_s, hash: read.state_hash };
  };
  const clatter = await load();
  const names = process.argv.length > 2 ? process.argv.slice(2) : clatter.demos();
  console.log("| demo | native, ms per s | Chromium | ratio | node | ratio |\n|---|---|---|---|---|---|");
  for (const name of names) {
    let best = [Infinity, Infinity, Infinity];
    let length = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      const first = native(name);
      const times = first.taken < SHORT ? 20 : 1;
      const here = await timed(process.pid, times, () => run(clatter, name, times));
      const answers = [first, await inBrowser(name, times), here];
      length = answers[2].length;
      best = best.map((value, k) => Math.min(value, answers[k].taken));
      if (answers.some((a) => a.hash !== answers[0].hash)) {
        throw new Error(`${name}: ${answers.map((a) => a.hash).join(" ")} are not one state`);
      }
    }
    const [a, b, c] = best.map((value) => 1000 * value / length);
    console.log(`| ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} | ${c.toFixed(2)} | ${(c / a).toFixed(2)} |`);
  }
} finally {
  await driver.quit();
  server.kill();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
