// The match on boardgame.io: it keeps the state and sends both their view of all of it after each move.
// Matches are made and joined through its lobby, and played over its own messages on socket.io.

import { act, begin, OVER, view } from "./clocktowers.mjs";

const GAME = "clocktowers";

/** Serves matches with these piles; returns the port. */
export async function serve(piles) {
  const { default: boardgame } = await import("boardgame.io/dist/cjs/server.js");
  const move = (kind) => ({ G, playerID }, what, tower) =>
    act(G, Number(playerID), [kind, what, tower]) ? undefined : "INVALID_MOVE";
  const game = {
    name: GAME,
    setup: () => begin(piles),
    moves: { play: move("play"), draw: move("draw"), discard: { move: move("discard"), redact: true } },
    turn: { endIf: ({ G, ctx }) => G.turn !== Number(ctx.currentPlayer) },
    endIf: ({ G }) => (G.phase === OVER ? G.points : undefined),
    playerView: ({ G, playerID }) => view(G, Number(playerID)),
    disableUndo: true,
  };
  const running = await boardgame.Server({ games: [game], origins: [] }).run({ port: 0, callback: () => {} });
  return running.appServer.address().port;
}

/** Seats two clients at a table. `heard(seat, version)` is called for each move that a seat hears of. */
export async function sit(port, heard, fail) {
  const { io } = await import("socket.io-client");
  const url = `http://127.0.0.1:${port}`;
  const post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/games/${GAME}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) fail(`boardgame.io: ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const seats = [0, 1].map(() => io(`${url}/${GAME}`, { transports: ["websocket"], forceNew: true }));
  let match;
  let credentials;
  const begun = async () => {
    match = (await post("create", { numPlayers: 2 })).matchID;
    credentials = [];
    for (const seat of [0, 1]) {
      const joined = await post(`${match}/join`, { playerID: `${seat}`, playerName: `${seat}` });
      credentials.push(joined.playerCredentials);
    }
    await Promise.all(seats.map((socket, seat) => {
      const synced = new Promise((done) => socket.once("sync", done));
      socket.emit("sync", match, `${seat}`, credentials[seat], 2);
      return synced;
    }));
  };
  await Promise.all(seats.map((socket) => new Promise((done) => socket.once("connect", done))));
  await begun();
  seats.forEach((socket, seat) => {
    socket.on("update", (_, state) => heard(seat, state._stateID));
    socket.on("disconnect", (why) => fail(`boardgame.io closed a connection: ${why}`));
  });
  return {
    move: (seat, version, [type, ...args]) => {
      const payload = { type, args, playerID: `${seat}`, credentials: credentials[seat] };
      seats[seat].emit("update", { type: "MAKE_MOVE", payload }, version, match, `${seat}`);
    },
    again: async () => {
      await begun();
      for (const seat of [0, 1]) heard(seat, 0);
    },
    sockets: seats.map((socket) => socket.io.engine.transport.ws._socket),
  };
}
