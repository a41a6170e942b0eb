// Clocktowers for two, as far as a server needs it: what is legal, and what it changes. Standard options.
// A card is its number in protocol/games/clocktowers/cards.py; a move is [kind, card or pile, tower].

const STOREYS = [0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0];
const CAT = 1;
const MOUSE = 2;
const ANIMAL = [0, 0, CAT, MOUSE, 0, CAT, MOUSE, 0, MOUSE, 0, 0, 0, 0, 0];
const POINTS = [5, 4, 2, 3]; // by animals: none, cats, mice, both
const FIRST_CLOCK = 7;
const FIRST_ROOF = 9;
const PLAY = "play";
const DRAW = "draw";
export const OVER = "over";

/** A fresh match; `piles`: floor, clock, roof, each from the top down. */
export function begin(piles) {
  return {
    phase: PLAY,
    turn: 0,
    turnsLeft: 58,
    piles: piles.map((pile) => pile.toReversed()),
    hands: [[2, 3, 8], [2, 3, 8]],
    towns: [[], []],
    ladder: [0b110, 0b110, 0b110, 0b110, 0b110],
    points: [0, 0],
    thrown: [[], []],
  };
}

/** Makes a move. Returns what everybody may know of it, or null, and changes nothing, where it is illegal. */
export function act(match, seat, [kind, what, tower]) {
  if (seat !== match.turn || match.phase !== (kind === DRAW ? DRAW : PLAY)) return null;
  if (kind === DRAW) return draw(match, seat, what);
  const held = match.hands[seat].indexOf(what);
  if (held < 0) return null;
  const event = kind === PLAY ? play(match, seat, what, tower) : discard(match, seat, what);
  if (event) {
    match.hands[seat].splice(held, 1);
    match.turnsLeft -= 1;
    if (match.piles.some((pile) => pile.length)) match.phase = DRAW;
    else endTurn(match, seat);
  }
  return event;
}

function play(match, seat, card, tower) {
  const town = match.towns[seat];
  if (tower === null) {
    if (card >= FIRST_CLOCK) return null;
    town.push({ cards: [card], height: STOREYS[card], clock: false, points: 0 });
    return ["played", seat, card, town.length - 1, STOREYS[card], 0];
  }
  const built = town[tower];
  if (!built || built.points || built.clock !== card >= FIRST_ROOF) return null;
  const colour = card - FIRST_ROOF;
  if (colour >= 0 && !((match.ladder[colour] >> built.height) & 1)) return null;
  built.cards.push(card);
  built.height += STOREYS[card];
  built.clock ||= card >= FIRST_CLOCK;
  if (colour >= 0) {
    built.points = POINTS[built.cards.reduce((animals, one) => animals | ANIMAL[one], 0)];
    match.points[seat] += built.points;
    match.ladder[colour] = 2 << built.height;
  }
  return ["played", seat, card, tower, built.height, built.points];
}

function discard(match, seat, card) {
  match.thrown[seat].push(card);
  return ["discarded", seat];
}

function draw(match, seat, number) {
  const pile = match.piles[number];
  if (!pile?.length) return null;
  const card = pile.pop();
  match.hands[seat].push(card);
  endTurn(match, seat);
  return ["drew", seat, number, card, pile.at(-1) ?? 0];
}

function endTurn(match, seat) {
  match.turn = 1 - seat;
  match.phase = match.turnsLeft ? PLAY : OVER;
}

/** What a seat may see: neither the cards below the top ones nor what another has in hand or has thrown away. */
export function view(match, seat) {
  const counted = (cards, owner) => (owner === seat ? cards : cards.length);
  return {
    ...match,
    piles: match.piles.map((pile) => [pile.length, pile.at(-1) ?? 0]),
    hands: match.hands.map(counted),
    thrown: match.thrown.map(counted),
  };
}
