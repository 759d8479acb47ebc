// What differs between the two servers: how a match is made, what is sent and how it is read.
'use strict';

const { randomUUID } = require('crypto');
const { options } = require('./game');

const GAME = 'tricks-and-treats';

async function post(url, body, headers = {}) {
  const sent = { 'content-type': 'application/json', ...headers };
  const reply = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

// The number behind `key`, -1 where the text has no such key.
function number(text, key) {
  const at = text.indexOf(key);
  return at < 0 ? -1 : parseInt(text.substr(at + key.length, 15), 10);
}

class Ours {
  constructor(port) {
    this.api = `http://127.0.0.1:${port}/v1/matches`;
    this.sockets = `ws://127.0.0.1:${port}/v1/matches`;
  }

  async create(seats) {
    const key = () => ({ 'idempotency-key': randomUUID() });
    const body = { game: GAME, seats, options: { first: 0 } };
    const made = await post(this.api, body, key());
    const match = { id: made.match, tokens: [] };
    for (let seat = 0; seat < seats; seat += 1) {
      match.tokens.push((await post(`${this.api}/${match.id}/seats`, { seat }, key())).token);
    }
    const host = { authorization: `Bearer ${made.host_token}` };
    await post(`${this.api}/${match.id}/start`, {}, { ...host, ...key() });
    return match;
  }

  address(match, seat) {
    const headers = { authorization: `Bearer ${match.tokens[seat]}` };
    return [`${this.sockets}/${match.id}/stream`, { headers }];
  }

  // Where a message that says that the match moved leaves it; 0 for any other.
  version(text) {
    return text.startsWith('{"type":"commit"') ? number(text, '"version":') : 0;
  }

  // The first message that this seat's socket gets; its version is where the match begins.
  greeting(socket, match, seat, text) {
    return text.startsWith('{"type":"hello"') ? number(text, '"version":') : -1;
  }

  asked(text) {
    if (!text.includes('"form":')) return null;
    const { question } = JSON.parse(text);
    return { id: question.id, options: question.form.options.map((option) => option.id) };
  }

  move(match, seat, version, asked, option) {
    const answer = { type: 'answer', id: randomUUID(), question: asked.id, option, seen: version };
    return JSON.stringify(answer);
  }

  async standing(match) {
    const headers = { authorization: `Bearer ${match.tokens[0]}` };
    const text = await (await fetch(`${this.api}/${match.id}`, { headers })).text();
    return { version: number(text, '"version":'), state: text.length };
  }
}

class BoardgameIo {
  constructor(port, apiPort) {
    this.api = `http://127.0.0.1:${apiPort}/games/${GAME}`;
    this.socket = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`;
    this.waiting = new Map();
  }

  async create(seats) {
    const { matchID: id } = await post(`${this.api}/create`, { numPlayers: seats });
    const match = { id, tokens: [], sockets: [] };
    for (let seat = 0; seat < seats; seat += 1) {
      const body = { playerID: String(seat), playerName: `seat ${seat}` };
      match.tokens.push((await post(`${this.api}/${id}/join`, body)).playerCredentials);
    }
    return match;
  }

  address() {
    return [this.socket, {}];
  }

  version(text) {
    return text.startsWith(`42/${GAME},["update"`) ? number(text, '"_stateID":') : 0;
  }

  // socket.io's handshake, then boardgame.io's `sync`; pings are answered for ever after.
  greeting(socket, match, seat, text) {
    if (text[0] === '0') socket.send(`40/${GAME},`);
    else if (text === '2') socket.send('3');
    else if (text.startsWith(`40/${GAME},`)) this.sync(socket, match, seat);
    else if (text.startsWith(`42/${GAME},["sync"`)) {
      match.sockets[seat] = socket;
      this.waiting.get(match.id)?.(text);
      return number(text, '"_stateID":');
    }
    return -1;
  }

  sync(socket, match, seat) {
    const args = [match.id, String(seat), match.tokens[seat], match.tokens.length];
    socket.send(`42/${GAME},${JSON.stringify(['sync', ...args])}`);
  }

  asked(text, seat) {
    if (!text.includes(`"seats":[${seat}],`)) return null;
    const [, , second] = JSON.parse(text.slice(text.indexOf('[')));
    const state = second.state ?? second;
    return { id: '', options: options(state.G, seat) };
  }

  move(match, seat, version, asked, option) {
    const [type, ...args] = option.split(':');
    if (type === 'tattle') args[0] = Number(args[0]);
    const playerID = String(seat);
    const payload = { type, args, playerID, credentials: match.tokens[seat] };
    const action = { type: 'MAKE_MOVE', payload };
    return `42/${GAME},${JSON.stringify(['update', action, version, match.id, playerID])}`;
  }

  async standing(match) {
    const told = new Promise((resolve) => this.waiting.set(match.id, resolve));
    this.sync(match.sockets[0], match, 0);
    const text = await told;
    this.waiting.delete(match.id);
    const [, , { state }] = JSON.parse(text.slice(text.indexOf('[')));
    const { _stateID: version, G, ctx } = state;
    return { version, state: JSON.stringify({ G, ctx }).length };
  }
}

exports.sides = { ours: Ours, boardgameio: BoardgameIo };
