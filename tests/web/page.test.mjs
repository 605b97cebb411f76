// The page in headless Chromium, through its driver: what a person would do, and what can go wrong.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import test, { after, before } from "node:test";
import { deflateRawSync } from "node:zlib";

const root = new URL("../../", import.meta.url).pathname;
const require = createRequire(`${root}build/web/test/`);
const { Builder, By, Key, Origin } = require("selenium-webdriver");
const chrome = require("selenium-webdriver/chrome");
const { PNG } = require("pngjs");

let server, driver, address;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, fn, seconds = 60) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await wait(100)) {
    const answer = await fn();
    if (answer) return answer;
  }
  assert.fail(`${what}: not within ${seconds} s`);
}

const script = (text, ...values) => driver.executeScript(text, ...values);
const state = () => script("return window.clatter?.state()");
const cover = () => script("const c = document.getElementById('cover'); return c.hidden ? '' : c.textContent.trim()");

// time, playing, frame rate, friction of the first pair, bodies, pictures
async function open(hash) {
  await driver.get("about:blank");
  await driver.get(`${address}${hash}`);
  await until("the page is ready", () => script("return window.clatter !== undefined"));
  await until("a picture", async () => (await state())[5] > 2);
}

async function picture(name) {
  const bytes = Buffer.from(await driver.takeScreenshot(), "base64");
  mkdirSync(`${root}build/web/pictures`, { recursive: true });
  writeFileSync(`${root}build/web/pictures/${name}.png`, bytes);
  return PNG.sync.read(bytes);
}

function differing(a, b) {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    count += Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) > 24 ? 1 : 0;
  }
  return count;
}

before(async () => {
  server = spawn("node", [`${root}web/serve.mjs`, `${root}build/web/site`, "0"], { stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((done) => server.stdout.on("data", (text) => done(String(text).match(/http:\S+/)[0])));
  const options = new chrome.Options().setChromeBinaryPath("/usr/bin/chromium").addArguments(
    "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-quic", "--window-size=900,640", "--autoplay-policy=no-user-gesture-required");
  driver = await new Builder().forBrowser("chrome").setChromeOptions(options)
    .setChromeService(new chrome.ServiceBuilder("/usr/bin/chromedriver")).build();
});

after(async () => {
  await driver?.quit();
  server?.kill();
});

test("bowling plays, and the picture moves", async () => {
  await open("#scene=bowling&panels=0");
  const early = await picture("bowling-early");
  const begun = (await state())[0];
  await until("two seconds of simulated time", async () => (await state())[0] > begun + 2);
  const late = await picture("bowling-late");
  assert.ok(differing(early, late) > 500, "the ball and the pins move");
});

test("a link carries parameters, friction, law and camera", async () => {
  await open("#scene=ramp&mu=0.37&law=poisson&paused=1&camera=3,-4,2,0,0,0.5");
  const now = await state();
  assert.equal(now[1], 0, "paused");
  assert.ok(Math.abs(now[3] - 0.37) < 1e-12, "friction of the link");
  const link = new URLSearchParams(new URL(await script("return window.clatter.link()")).hash.slice(1));
  assert.equal(link.get("scene"), "ramp");
  assert.equal(link.get("mu"), "0.37");
  assert.equal(link.get("law"), "poisson");
  assert.equal(link.get("camera"), "3,-4,2,0,0,0.5");
  await script("location.hash = '#scene=superball&mu=0.21&paused=1'");
  await until("the other scene", async () => Math.abs((await state())[3] - 0.21) < 1e-12);
});

test("a slider of the panel changes friction", async () => {
  // Without parameters, the materials come first in the panel.
  const text = 'scene { title = "Two" }\nbody { shape = sphere { radius = 1 } }\n' +
    'body { shape = plane { normal = {0, 0, 1}, offset = -1 }, motion = "fixed" }\n';
  await open(`#paused=1&code=${deflateRawSync(text).toString("base64url")}`);
  const before = (await state())[3];
  const canvas = await driver.findElement(By.id("canvas"));
  const box = await canvas.getRect();
  // The first slider of the panel on the left: searched for by what dragging does, not by a fixed place.
  for (let y = 106; y < 420; y += 10) {
    const at = (x) => ({ origin: canvas, x: Math.round(x - box.width / 2), y: Math.round(y - box.height / 2) });
    await driver.actions().move(at(60)).press().move(at(110)).pause(120).release().perform();
    await wait(150);
    if ((await state())[3] !== before) return;
  }
  await picture("slider");
  assert.fail("no slider changed the friction");
});

test("the editor marks the line of an error, and runs what is right", async () => {
  await open("#scene=marbles");
  await driver.findElement(By.id("edit")).click();
  const area = await driver.findElement(By.id("text"));
  assert.match(await area.getAttribute("value"), /scene/);
  const put = (text) => script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", area, text);
  await put('scene { title = "Mine" }\nlocal x = 1\nbody { shape = sphere { radius = -1 } }\n');
  await area.sendKeys(Key.chord(Key.CONTROL, Key.ENTER));
  await until("the message", async () => /line 3.*radius/.test(await driver.findElement(By.id("problem")).getText()));
  assert.equal(await script("return document.querySelector('#lines .bad').textContent.trim()"), "3");
  await put('scene { title = "Mine" }\nbody { shape = sphere { radius = 1 } }\nbody { shape = sphere { radius = 1 }, position = {3, 0, 0} }\n');
  await driver.findElement(By.id("run")).click();
  await until("two bodies", async () => (await state())[4] === 2);
  assert.equal(await driver.findElement(By.id("problem")).getText(), "");
  const link = await script("return window.clatter.link()");
  assert.match(link, /#code=/);
  await open(new URL(link).hash);
  assert.equal((await state())[4], 2, "the text travels in the link");
  assert.match(await script("return localStorage.getItem('clatter.scene')"), /Mine/);
});

test("broken links and scenes show a demo and say what is wrong", async () => {
  await open("#scene=bowlin");
  await until("the note", async () => /bowlin/.test(await script("return document.getElementById('note').textContent")));
  await open("#code=%%%");
  assert.match(await script("return document.getElementById('note').textContent"), /damaged/);
  await open("#scene=bowling&aim=x");
  assert.match(await script("return document.getElementById('note').textContent"), /aim/);
});

test("the picture follows the window", async () => {
  await open("#scene=platter&paused=1");
  await driver.manage().window().setRect({ width: 500, height: 420 });
  const width = () => script("return document.getElementById('canvas').width");
  const inner = () => script("return Math.round(document.getElementById('stage').clientWidth * devicePixelRatio)");
  await until("a narrow canvas", async () => Math.abs((await width()) - (await inner())) <= 2 && (await inner()) < 560);
  await driver.manage().window().setRect({ width: 900, height: 640 });
  await until("a wide canvas", async () => Math.abs((await width()) - (await inner())) <= 2 && (await inner()) > 800);
});

test("a lost context comes back", async () => {
  await open("#scene=platter&paused=1&panels=0");
  await wait(500);
  const before = await picture("context-before");
  await script(`window.lose = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.lose.loseContext()`);
  await until("the message", async () => /lost/.test(await cover()));
  await script("window.lose.restoreContext()");
  await until("the picture", async () => (await cover()) === "");
  await wait(1500);
  const again = await picture("context-after");
  assert.ok(differing(before, again) < 0.02 * before.width * before.height, "the same picture as before");
});

test("time stops while the tab is in the background", async () => {
  await open("#scene=superball");
  await script(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
  await wait(300);
  const then = (await state())[0];
  await wait(1500);
  const now = (await state())[0];
  assert.ok(now - then < 0.1, `${now - then} s passed`);
});

test("without WebGL 2 the page says so", async () => {
  await driver.sendDevToolsCommand("Page.addScriptToEvaluateOnNewDocument", {
    source: "HTMLCanvasElement.prototype.getContext = () => null" });
  await driver.get(`${address}#`);
  await driver.navigate().refresh();
  await until("the message", async () => /WebGL 2/.test(await cover()));
});
