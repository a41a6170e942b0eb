"""What runs in a worker process: one decision from a view and the events since the deal."""

import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.connection import wait
from random import Random
from typing import Final

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Stop
from server.games.registry import GAMES

THINKING_S: Final = 1.0
"""In live play only. Far above what a decision takes, unless the machine is very busy."""


def prepare() -> None:
    """Once in every worker: leave Ctrl-C to the server, and never outlive it.

    A worker holds both ends of its queue's pipe, so it would not notice that the server was
    killed; the sentinel of the parent process tells.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def time_is_up() -> Stop:
    """Whether a second has passed since now: a person does not wait longer for a bot's thoughts."""
    end_s = time.monotonic() + THINKING_S
    return lambda: time.monotonic() >= end_s


def decide(game: str, level: str, view: bytes, events: bytes, seed: str) -> bytes:
    """The action of a bot (or nil: let others go on), all as msgpack; `seed` makes its dice."""
    vocabulary = VOCABULARIES[game]
    action = GAMES[game].bots[level](
        msgspec.msgpack.decode(view, type=vocabulary.view),
        msgspec.msgpack.decode(events, type=list[vocabulary.event]),  # type: ignore[name-defined]
        Random(seed),
        time_is_up(),
    )
    return msgspec.msgpack.encode(action)
