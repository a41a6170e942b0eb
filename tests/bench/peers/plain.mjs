// The least that a peer can be: lines of JSON on TCP. It needs no packages, so it proves the driver anywhere.

import net from "node:net";
import readline from "node:readline";
import { act, begin, OVER } from "../../../bench/peers/clocktowers.mjs";

const say = (socket, what) => socket.write(`${JSON.stringify(what)}\n`);
const hear = (socket, what) => readline.createInterface(socket).on("line", (text) => what(JSON.parse(text)));

export async function serve(piles) {
  let waiting = [];
  const server = net.createServer((socket) => {
    waiting.push(socket);
    if (waiting.length < 2) return;
    const seats = waiting;
    waiting = [];
    let match = begin(piles);
    let version = 0;
    seats.forEach((line, seat) =>
      hear(line, (move) => {
        if (match.phase === OVER) [match, version] = [begin(piles), 0];
        version += 1;
        const event = act(match, seat, move);
        for (const each of seats) say(each, event ? version : `refused ${move}`);
      }),
    );
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server.address().port;
}

export async function sit(port, heard, fail) {
  const sockets = [];
  for (const seat of [0, 1]) {
    const socket = net.connect(port, "127.0.0.1");
    await new Promise((done) => socket.once("connect", done));
    hear(socket, (version) => (Number.isInteger(version) ? heard(seat, version) : fail(version)));
    sockets.push(socket);
  }
  return {
    move: (seat, version, move) => say(sockets[seat], move),
    again: () => heard(0, 0),
    sockets,
  };
}
