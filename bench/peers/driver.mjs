// A server of a peer, or the load on it: pairs of clients that play one scripted match in lockstep, again and
// again, as bench/load/load.py plays on ours.
//
//     node driver.mjs serve PEER SCRIPT     prints where it listens
//     node driver.mjs load PEER SCRIPT PLAN     prints LoadFigures (bench/load/figures.py)
//
// SCRIPT and PLAN are JSON: {piles, seats, moves}, where seats[n] makes moves[n], and bench.load.figures.LoadPlan.

import { readFileSync, writeSync } from "node:fs";

const LATE_MOVE = 104; // near the end, as in bench/load/stage.py; memory is read there
const RECENT = 4;
const STUCK_MS = 60_000;
const TICKS_PER_S = 100; // of Linux, on every machine

process.env.NODE_ENV = "production"; // before anything of the peer's is imported
const [what, peer, script, plan] = process.argv.slice(2).map((word, at) => (at < 2 ? word : JSON.parse(word)));
const { serve, sit } = await import(`./${peer}.mjs`);

function fail(why) {
  console.error(`load generator: ${why}`);
  process.exit(1);
}

function rssBytes() {
  return Number(readFileSync(`/proc/${plan.pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/)[1]) * 1024;
}

/** Wall time and processor time of the measured process, in seconds; bytes read. */
function spent(pairs) {
  const fields = readFileSync(`/proc/${plan.pid}/stat`, "utf8").split(")").at(-1).trim().split(" ");
  const sockets = pairs.flatMap((pair) => pair.table.sockets);
  const bytes = sockets.reduce((total, socket) => total + socket.bytesRead, 0);
  const cpuS = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
  return [performance.now() / 1000, cpuS, bytes];
}

/** All pairs of the plan. None moves before every pair is there. */
class Stage {
  seated = 0;
  games = 0;
  moves = 0;
  heldRssBytes = 0;
  latenciesMs = [];
  untilMs = Infinity;
  waiting = [];
  finished = 0;

  constructor() {
    this.allHere = new Promise((done) => (this.begin = done));
    this.allDone = new Promise((done) => (this.end = done));
    let before = -1;
    setInterval(() => {
      if (this.seated + this.moves === before) fail(`nothing has happened for ${STUCK_MS / 1000} s`);
      before = this.seated + this.moves;
    }, STUCK_MS);
  }

  ready(move) {
    if (this.waiting.push(move) === plan.matches) this.begin();
  }

  moved() {
    this.moves += 1;
    if (this.moves === LATE_MOVE * plan.matches) this.heldRssBytes = rssBytes();
  }

  /** Whether a pair that has played a game plays another. */
  goesOn() {
    this.games += 1;
    if (performance.now() < this.untilMs) return true;
    this.finished += 1;
    if (this.finished === plan.matches) this.end();
    return false;
  }
}

/** Two clients at one table. */
class Pair {
  ended = 0;
  sentAtMs = new Array(RECENT).fill(0);

  constructor(stage) {
    this.stage = stage;
  }

  async sitDown() {
    this.table = await sit(plan.port, (seat, version) => this.heard(seat, version), fail);
    this.stage.seated += 1;
    this.heard(script.seats[0], 0);
  }

  /** A seat knows of the first `version` moves: it moves if it is next. */
  heard(seat, version) {
    const { seats, moves } = script;
    if (version && seats[version - 1] !== seat) {
      this.stage.latenciesMs.push(performance.now() - this.sentAtMs[version % RECENT]);
    }
    if (version === moves.length) this.end();
    else if (seats[version] === seat) {
      if (version || this.stage.moves) this.move(version);
      else this.stage.ready(() => this.move(version));
    }
  }

  move(version) {
    this.stage.moved();
    this.sentAtMs[(version + 1) % RECENT] = performance.now();
    this.table.move(script.seats[version], version, script.moves[version]);
  }

  end() {
    this.ended += 1;
    if (this.ended < 2) return;
    this.ended = 0;
    if (this.stage.goesOn()) this.table.again();
  }
}

/** By nearest rank, as in bench/load/figures.py. */
function percentile(ranked, share) {
  return ranked[Math.max(0, Math.ceil(share * ranked.length) - 1)];
}

async function load() {
  const idle_rss_bytes = rssBytes();
  const stage = new Stage();
  const pairs = Array.from({ length: plan.matches }, () => new Pair(stage));
  for (const pair of pairs) await pair.sitDown();
  await stage.allHere;
  const begun = spent(pairs);
  stage.untilMs = performance.now() + plan.seconds * 1000;
  for (const move of stage.waiting) move();
  await stage.allDone;
  const ended = spent(pairs);
  const [wall_s, cpu_s, move_bytes] = ended.map((value, at) => value - begun[at]);
  const ranked = stage.latenciesMs.sort((a, b) => a - b);
  return {
    matches: plan.matches,
    games: stage.games,
    moves: stage.moves,
    wall_s,
    p50_ms: percentile(ranked, 0.5),
    p99_ms: percentile(ranked, 0.99),
    cpu_s,
    move_bytes,
    idle_rss_bytes,
    held_rss_bytes: stage.heldRssBytes,
  };
}

if (what === "serve") {
  writeSync(1, `listening on 127.0.0.1:${await serve(script.piles)}\n`);
} else {
  writeSync(1, `${JSON.stringify(await load())}\n`);
  process.exit(0);
}
