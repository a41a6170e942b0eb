// A terminal in a page: shows what the guest's client paints, sends what is typed.
"use strict";

const LARGEST_PX = 18;
// A usual screen with letters of that size at least; else the smallest that is played on.
const SCREENS = [[80, 24, 12], [60, 20, 8]];
const PIECE = 2048; // letters of a paste in one message
const FIRST_WAIT_MS = 500, LONGEST_WAIT_MS = 10000;

const place = document.getElementById("terminal");
const term = new Terminal({
  allowProposedApi: true, // for the widths of characters
  fontFamily: "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  macOptionClickForcesSelection: true,
  scrollback: 0,
  theme: { background: "#101014" },
});
const fit = new FitAddon.FitAddon();
let line = null, waitMs = FIRST_WAIT_MS, ended = false;

// What the page remembers until the tab is closed: by it the server knows a reload.
const tab = sessionStorage.tab ||= Array.from(
  crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function draw() {
  term.open(place);
  term.loadAddon(fit);
  term.loadAddon(new Unicode11Addon.Unicode11Addon());
  term.unicode.activeVersion = "11";
  try {
    const webgl = new WebglAddon.WebglAddon(); // blocks without seams
    webgl.onContextLoss(() => webgl.dispose());
    term.loadAddon(webgl);
  } catch {
    // The page's own elements draw everything, too.
  }
  measure();
  term.focus();
}

// The largest letters with which a whole screen fits.
function measure() {
  for (const [columns, rows, smallestPx] of SCREENS) {
    for (let px = LARGEST_PX; px >= smallestPx; px--) {
      term.options.fontSize = px;
      const size = fit.proposeDimensions();
      if (size && size.cols >= columns && size.rows >= rows) return fit.fit();
    }
  }
  fit.fit();
}

function send(message) {
  if (line && line.readyState === WebSocket.OPEN) line.send(message);
}

const asBytes = new TextEncoder();

function type(text) {
  if (ended) {
    ended = false;
    comeIn();
    return;
  }
  for (let at = 0; at < text.length; at += PIECE) send(asBytes.encode(text.slice(at, at + PIECE)));
}

function say(sentence) {
  term.write(`\r\n\x1b[0m${sentence}\r\n`);
}

async function comeIn() {
  const secret = location.hash.slice(1);
  if (secret) history.replaceState(null, "", location.pathname);
  try {
    const answer = await fetch("/enter", { method: "POST", body: secret });
    if (answer.ok) open((await answer.json()).table);
    else if (answer.status < 500) leave(await answer.text());
    else tryLater();
  } catch {
    tryLater();
  }
}

function open(table) {
  const name = localStorage.name ?? ""; // another machine of this server may not know it
  const asked = new URLSearchParams({ tab, table, name, columns: term.cols, rows: term.rows });
  line = new WebSocket(`${location.origin.replace("http", "ws")}/terminal?${asked}`);
  line.binaryType = "arraybuffer";
  let last = null; // the sentence with which the server ends the line on purpose
  line.onmessage = ({ data }) => {
    waitMs = FIRST_WAIT_MS;
    if (typeof data === "string") last = data;
    else term.write(new Uint8Array(data));
  };
  line.onclose = () => {
    line = null;
    if (last === null) tryLater();
    else leave(last);
  };
}

function tryLater() {
  term.reset();
  say("The connection is lost. Your seat is held; this page comes back by itself.");
  setTimeout(comeIn, waitMs);
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
}

function leave(sentence) {
  ended = true;
  if (sentence) say(sentence);
  say("Press a key to come in again.");
}

const ARROWS = { Left: "D", Up: "A", Down: "B", Right: "C" };

function keyNamed(name) {
  if (name in ARROWS) return (term.modes.applicationCursorKeysMode ? "\x1bO" : "\x1b[") + ARROWS[name];
  return { Esc: "\x1b", Tab: "\t", Enter: "\r" }[name];
}

for (const button of document.querySelectorAll("#keys button")) {
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // the keyboard stays open
    type(keyNamed(button.dataset.key));
  });
}

term.onData(type);
term.onBinary((text) => send(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
term.onResize(({ cols, rows }) => send(JSON.stringify([cols, rows])));
term.onTitleChange((title) => { document.title = title || "Clocktowers"; });
term.parser.registerOscHandler(7878, (name) => { localStorage.name = name; return true; });
// What the client copies (OSC 52) goes to the clipboard; nothing is ever read from there.
term.parser.registerOscHandler(52, (text) => {
  const bytes = Uint8Array.from(atob(text.slice(text.indexOf(";") + 1)), (letter) => letter.charCodeAt(0));
  navigator.clipboard?.writeText(new TextDecoder().decode(bytes)).catch(() => {});
  return true;
});
// Ctrl+C copies what is selected; without a selection it is a key of the program's.
term.attachCustomKeyEventHandler((event) => {
  const copies = event.key === "c" && (event.ctrlKey || event.metaKey) && term.hasSelection();
  if (copies && event.type === "keydown") {
    navigator.clipboard?.writeText(term.getSelection()).catch(() => {});
    term.clearSelection();
    event.preventDefault();
  }
  return !copies;
});

addEventListener("resize", measure);
addEventListener("hashchange", () => location.reload());
// A page that was left may be kept for the way back: its guest goes, and comes in again with it.
addEventListener("pagehide", () => line && line.close());
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
draw();
comeIn();
