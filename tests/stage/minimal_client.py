"""Plays one match of Clocktowers at random, with nothing but PROTOCOL.md, msgpack and sockets.

python tests/stage/minimal_client.py HOST PORT [--name N] [--table CODE]
"""

import argparse
import os
import random
import socket
import struct
import sys
from typing import Any

import msgpack


class Unexpected(Exception):
    """The server said something that this client did not expect."""


class BareLine:
    """A connection. The client waits for no answer: what is done shows, a refusal ends it."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=90)
        self.stream = self.socket.makefile("rb")
        self.requests = 0

    def say(self, kind: str, **fields: Any) -> None:
        payload = msgpack.packb({"type": kind, **fields})
        self.socket.sendall(struct.pack(">I", len(payload)) + payload)

    def wish(self, kind: str, **fields: Any) -> None:
        self.requests += 1
        self.say(kind, id=self.requests, **fields)

    def hear(self) -> dict[str, Any]:
        """The next message; answers pings on the way. A goodbye or a refusal ends the client."""
        head = self.stream.read(4)
        if len(head) < 4:
            raise Unexpected("the line was closed")
        message: dict[str, Any] = msgpack.unpackb(self.stream.read(struct.unpack(">I", head)[0]))
        if message["type"] in ("goodbye", "refused"):
            raise Unexpected(f"{message['type']}: {message['code']} {message.get('params', {})}")
        if message["type"] == "ping":
            self.say("pong", n=message.get("n", 0))
        return message

    def until(self, kind: str) -> dict[str, Any]:
        while (message := self.hear())["type"] != kind:
            pass
        return message


def sit_down(line: BareLine, table: str | None) -> None:
    """Make a table with a bot and begin at once; or join another's table, ready for its host."""
    if table is not None:
        line.wish("join", table=table)
        line.wish("ready")
        return
    line.wish("create", game="clocktowers", seats=2, bots=[[1, "random"]])
    line.wish("start")


def play(line: BareLine) -> dict[str, Any]:
    """Take a legal action whenever there is any, to the end; returns the message that ends the
    match."""
    while (message := line.hear())["type"] != "ended":
        if message["type"] == "update" and (legal := message["view"].get("legal")):
            action = random.choice(legal)[0]
            line.wish("act", version=message["version"], key=os.urandom(8), action=action)
    return message


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--name", default="Minimal")
    parser.add_argument("--table", help="join this one instead of making one")
    args = parser.parse_args()
    try:
        line = BareLine(args.host, args.port)
        hello = {"magic": "clocktowers", "versions": [1], "name": args.name}
        line.say("hello", **hello, client="minimal")
        print("welcome", line.until("welcome")["name"])
        sit_down(line, args.table)
        ended = play(line)
        line.say("bye")
    except (Unexpected, OSError) as error:
        print(error)
        return 1
    print("aborted" if ended.get("aborted") else ended["outcome"])
    return 1 if ended.get("aborted") else 0


if __name__ == "__main__":
    sys.exit(main())
