// One client for both servers: node client.js ours|boardgameio PORT [API_PORT]
//
// Takes its task as one line of JSON, {matches, pool, seats, warmup, seconds, seed}: `matches` at a
// time are played from a pool of `pool` each, made and watched by all their seats beforehand, with
// one move in flight a match. Says `ready`, `begin` and `end` with the figures, one line of JSON
// each; between begin and end it counts. A move counts when all seats have been told of it.
'use strict';

const readline = require('readline');
const WebSocket = require('ws');
const { sides } = require('./sides');

const ACCUSES = 1 / 100;

// mulberry32: a small seeded generator, so that both servers meet the same bots.
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function choose(options, random) {
  const bold = options.filter((option) => option.startsWith('tattle:'));
  const plain = options.filter((option) => !option.startsWith('tattle:'));
  const from = bold.length && random() < ACCUSES ? bold : plain;
  return from[Math.floor(random() * from.length)];
}

const counted = { on: false, moves: 0, updates: 0, bytes: 0, took: [] };

// A match with a socket for each seat; plays itself from `play` until it is over or stopped.
class Table {
  constructor(side, match, seats, random) {
    Object.assign(this, { side, match, seats, random });
    Object.assign(this, { sockets: [], version: 0, began: 0, moves: 0, told: 0 });
    Object.assign(this, { turn: null, sent: 0, stopped: false, done: () => {} });
  }

  async open() {
    const seats = [...Array(this.seats).keys()];
    await Promise.all(seats.map((seat) => this.sit(seat)));
    this.began = this.version;
  }

  sit(seat) {
    return new Promise((resolve, reject) => {
      const [url, more] = this.side.address(this.match, seat);
      const socket = new WebSocket(url, { perMessageDeflate: false, ...more });
      this.sockets[seat] = socket;
      socket.on('error', reject);
      socket.on('message', (data) => {
        const text = data.toString('latin1');
        const version = this.side.version(text);
        if (version > 0) this.hear(seat, version, text);
        else if (this.greeted(seat, text)) resolve();
      });
    });
  }

  greeted(seat, text) {
    const version = this.side.greeting(this.sockets[seat], this.match, seat, text);
    if (version < 0) return false;
    if (this.version > version) return true;
    this.version = version;
    const asked = this.side.asked(text, seat);
    if (asked) this.turn = { seat, asked };
    return true;
  }

  play() {
    return new Promise((resolve) => {
      this.done = resolve;
      this.next();
    });
  }

  next() {
    if (this.turn === null || this.stopped) {
      this.done();
      return;
    }
    const { seat, asked } = this.turn;
    const option = choose(asked.options, this.random);
    this.turn = null;
    this.told = 0;
    this.sent = performance.now();
    this.sockets[seat].send(this.side.move(this.match, seat, this.version, asked, option));
  }

  hear(seat, version, text) {
    if (counted.on) {
      counted.updates += 1;
      counted.bytes += text.length;
    }
    if (version !== this.version + 1) return;
    const asked = this.side.asked(text, seat);
    if (asked) this.turn = { seat, asked };
    this.told += 1;
    if (this.told < this.seats) return;
    this.version = version;
    this.moves += 1;
    if (counted.on) {
      counted.moves += 1;
      counted.took.push(performance.now() - this.sent);
    }
    this.next();
  }
}

const AT_ONCE = 8;

// All tables with their sockets, so many made at a time; lane by lane.
async function prepared(side, task) {
  const lanes = Array.from({ length: task.matches }, () => []);
  const left = lanes.flatMap((tables, lane) =>
    Array.from({ length: task.pool }, (_, place) => ({ tables, lane, place })),
  );
  async function some() {
    for (let next = left.pop(); next; next = left.pop()) {
      const random = seeded(task.seed * 1e6 + next.lane * 1e3 + next.place);
      const table = new Table(side, await side.create(task.seats), task.seats, random);
      await table.open();
      next.tables.push(table);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return lanes;
}

// Plays one table after another; `task.spent` is called where there is none left.
async function run(lane, task) {
  for (const table of lane) {
    if (!task.stopped) await table.play();
  }
  task.spent();
}

const say = (what, more = {}) => process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The median and the 99th percentile of what each move took, in ms.
function quantiles(took) {
  const sorted = Float64Array.from(took).sort();
  return { p50: sorted[sorted.length >> 1], p99: sorted[Math.floor(sorted.length * 0.99)] };
}

// Whether the server stands where the moves that were told of say; counts nothing twice.
async function standings(side, tables) {
  const sizes = [];
  for (const table of tables) {
    const { version, state } = await side.standing(table.match);
    if (version !== table.began + table.moves) {
      throw new Error(`${table.match.id}: ${table.moves} moves, but it went ${table.began}..${version}`);
    }
    sizes.push(state);
  }
  return sizes.sort((a, b) => a - b)[sizes.length >> 1];
}

async function main() {
  const side = new sides[process.argv[2]](...process.argv.slice(3));
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const task = JSON.parse((await lines.next()).value);
  say('started');
  const lanes = await prepared(side, task);
  const spent = new Promise((resolve) => { task.spent = resolve; });
  say('ready');
  await lines.next();
  const running = Promise.all(lanes.map((lane) => run(lane, task)));
  await pause(task.warmup * 1000);
  counted.on = true;
  const begun = performance.now();
  const before = process.cpuUsage();
  say('begin');
  await Promise.race([spent, pause(task.seconds * 1000)]);
  counted.on = false;
  const seconds = (performance.now() - begun) / 1000;
  const cpu = process.cpuUsage(before);
  const { moves, updates, bytes } = counted;
  const figures = { moves, seconds, updates, bytes, client: (cpu.user + cpu.system) / moves };
  say('end', { ...figures, ...quantiles(counted.took) });
  task.stopped = true;
  for (const table of lanes.flat()) table.stopped = true;
  await running;
  const tables = lanes.flat();
  const state = await standings(side, tables.filter((table) => table.moves));
  const logs = tables.map(({ match, began, moves: made }) => [match.id, began, made]);
  say('checked', { state, logs });
  await lines.next();
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
