// The match on Colyseus: a room holds it and sends each move's event to both as a message. Nothing else is
// sent, which is the least that Colyseus can do: a client has to know the rules to follow.

import { act, begin } from "./clocktowers.mjs";

const ROOM = "clocktowers";

/** Serves matches with these piles; returns the port. */
export async function serve(piles) {
  const { Room, Server } = await import("@colyseus/core");
  const { WebSocketTransport } = await import("@colyseus/ws-transport");

  class Table extends Room {
    maxClients = 2;
    patchRate = null; // there is no state to compare

    onCreate() {
      this.wanted = 0;
      this.start();
      this.onMessage("move", (client, move) => {
        const event = act(this.match, this.clients.indexOf(client), move);
        if (event) this.broadcast("moved", [++this.version, ...event]);
        else client.send("refused", move);
      });
      this.onMessage("again", () => {
        if (++this.wanted < this.maxClients) return;
        this.wanted = 0;
        this.start();
        this.broadcast("began", 0);
      });
    }

    start() {
      this.match = begin(piles);
      this.version = 0;
    }
  }

  const transport = new WebSocketTransport();
  const server = new Server({ transport, greet: false });
  server.define(ROOM, Table);
  await server.listen(0, "127.0.0.1");
  return transport.server.address().port;
}

/** Seats two clients at a table. `heard(seat, version)` is called for each move that a seat hears of. */
export async function sit(port, heard, fail) {
  const { Client } = await import("@colyseus/sdk");
  const client = new Client(`ws://127.0.0.1:${port}`);
  const host = await client.create(ROOM);
  const seats = [host, await client.joinById(host.roomId)];
  seats.forEach((room, seat) => {
    room.onMessage("moved", ([version]) => heard(seat, version));
    room.onMessage("began", (version) => heard(seat, version));
    room.onMessage("refused", (move) => fail(`Colyseus: the room refused ${move}`));
    room.onLeave((code) => fail(`Colyseus closed a connection: ${code}`));
  });
  return {
    move: (seat, version, move) => seats[seat].send("move", move),
    again: () => seats.forEach((room) => room.send("again")),
    sockets: seats.map((room) => room.connection.transport.ws._socket),
  };
}
