// Tricks and Treats as a boardgame.io game: the plain rules (no specials, exchange or written
// guesses), the same cards, the same three moments of a turn and as much state as ours keeps.
'use strict';

const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const KINDS = ['PEP', 'GUM', 'CHO', 'COR'];
const COPIES = { 1: 2, 2: 2, 3: 2, 4: 1 };
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'];
const TIMES_UP = 'TIMES_UP';
const START_HAND = 2;
const EXTRA_BASKETS = 2;
const LETTER_POINTS = 4;

function setup({ ctx, random }) {
  const seats = Array.from({ length: ctx.numPlayers }, (_, seat) => seat);
  const line = LETTERS.slice(0, seats.length + EXTRA_BASKETS);
  const deck = random.Shuffle(cards());
  const players = Object.fromEntries(
    seats.map((seat) => [seat, { hand: deck.splice(0, START_HAND), letter: '', known: [] }]),
  );
  const bottom = random.Shuffle([...deck.splice(-3), TIMES_UP]);
  const letters = random.Shuffle(line);
  for (const seat of seats) players[seat].letter = letters[seat];
  return {
    secret: { deck: [...deck, ...bottom], undealt: letters.slice(seats.length) },
    players,
    written: false,
    first: 0,
    line,
    piles: line.map(() => []),
    deck: deck.length + bottom.length,
    undealt: EXTRA_BASKETS,
    removed: [],
    hands: seats.map(() => START_HAND),
    shown: seats.map(() => []),
    ruled_out: [],
    guesses: [],
    out: [],
    turn: 1,
    tattled: false,
    times_up: false,
    revealed: [],
    judged: [],
    scores: {},
    cause: '',
    winner: null,
    question: ask('before_draw', 0),
  };
}

function cards() {
  return KINDS.flatMap((kind) =>
    Object.entries(COPIES).flatMap(([value, count]) => Array(count).fill(kind + value)),
  );
}

const PROMPTS = {
  before_draw: 'Draw a Candy card, or accuse somebody first.',
  play: 'Put a Candy card under any Basket.',
  end_turn: 'End the turn, or accuse somebody first.',
};

function ask(kind, seat) {
  return { kind, seats: [seat], about: {}, prompt: PROMPTS[kind] };
}

function asks(G, seat, kind) {
  return G.question !== null && G.question.kind === kind && G.question.seats[0] === seat;
}

function playing(G) {
  return G.hands.map((_, seat) => seat).filter((seat) => !G.out.includes(seat));
}

function next(G, seat) {
  const left = playing(G);
  return left.find((other) => other > seat) ?? left[0];
}

function turnOver(G, seat, events) {
  const after = next(G, seat);
  G.turn += 1;
  G.tattled = false;
  G.question = ask('before_draw', after);
  events.endTurn({ next: String(after) });
}

function draw({ G, playerID, events }) {
  const seat = Number(playerID);
  if (!asks(G, seat, 'before_draw')) return INVALID_MOVE;
  G.players[seat].hand.push(G.secret.deck.shift());
  G.hands[seat] += 1;
  G.deck -= 1;
  G.times_up = G.secret.deck[0] === TIMES_UP;
  if (G.times_up) timesUp(G, events);
  else G.question = ask('play', seat);
}

function put({ G, playerID, events }, card, basket) {
  const seat = Number(playerID);
  const { hand } = G.players[seat];
  const slot = G.line.indexOf(basket);
  if (!asks(G, seat, 'play') || !hand.includes(card) || slot < 0) return INVALID_MOVE;
  hand.splice(hand.indexOf(card), 1);
  G.hands[seat] -= 1;
  G.piles[slot].push({ card, doubled: false });
  if (G.tattled) turnOver(G, seat, events);
  else G.question = ask('end_turn', seat);
}

function end({ G, playerID, events }) {
  const seat = Number(playerID);
  if (!asks(G, seat, 'end_turn')) return INVALID_MOVE;
  turnOver(G, seat, events);
}

function tattle({ G, playerID, events }, target, letter) {
  const seat = Number(playerID);
  const inTurn = G.question !== null && G.question.seats[0] === seat;
  const others = playing(G).filter((other) => other !== seat);
  if (!inTurn || G.tattled || !others.includes(target) || !G.line.includes(letter)) {
    return INVALID_MOVE;
  }
  const owned = G.players[target].letter;
  const right = owned === letter;
  G.tattled = true;
  if (!right) G.ruled_out.push({ seat: target, letter });
  G.players[seat].known.push({ seat: target, letter: owned });
  const [loser, holder] = right ? [target, seat] : [seat, target];
  G.shown[holder].push({ seat: loser, letter: G.players[loser].letter });
  G.out.push(loser);
  if (playing(G).length === 1) over(G, events, 'last_player', playing(G)[0]);
  else if (!right || G.question.kind === 'end_turn') turnOver(G, seat, events);
}

function timesUp(G, events) {
  for (const seat of playing(G)) G.scores[seat] = score(G, seat);
  const totals = Object.entries(G.scores).map(([seat, row]) => [Number(seat), row.total]);
  const best = [...new Set(totals.map(([, total]) => total))].sort((a, b) => b - a);
  const alone = best.map((total) => totals.filter((row) => row[1] === total));
  const winner = alone.find((rows) => rows.length === 1);
  over(G, events, 'times_up', winner ? winner[0][0] : null);
}

function score(G, seat) {
  const pile = G.piles[G.line.indexOf(G.players[seat].letter)];
  const candy = pile.reduce((sum, { card }) => sum + Number(card[3]), 0);
  const letters = LETTER_POINTS * G.shown[seat].length;
  return { candy, letters, guesses: 0, total: candy + letters };
}

function over(G, events, cause, winner) {
  G.revealed = G.hands.map((_, seat) => G.players[seat].letter);
  G.cause = cause;
  G.winner = winner;
  G.question = null;
  events.endGame({ cause, winner });
}

// What the asked seat may answer, in the words that both servers' bots choose from. Ours sends it
// with the question; a client of boardgame.io works it out from the state.
function options(G, seat) {
  if (G.question === null || G.question.seats[0] !== seat) return [];
  const { kind } = G.question;
  const hand = [...new Set(G.players[seat].hand)].sort();
  const plain = {
    before_draw: () => ['draw'],
    play: () => hand.flatMap((card) => G.line.map((basket) => `put:${card}:${basket}`)),
    end_turn: () => ['end'],
  }[kind]();
  const targets = G.tattled ? [] : playing(G).filter((other) => other !== seat);
  return [...plain, ...targets.flatMap((s) => G.line.map((letter) => `tattle:${s}:${letter}`))];
}

exports.options = options;
exports.game = {
  name: 'tricks-and-treats',
  minPlayers: 2,
  maxPlayers: 4,
  setup,
  playerView: PlayerView.STRIP_SECRETS,
  // What touches secrets runs on the server alone, as boardgame.io's manual says.
  moves: {
    draw: { move: draw, client: false },
    put,
    end,
    tattle: { move: tattle, client: false },
  },
};
