"""The thread that writes: one piece at a time, and nobody waits for it who does not want to."""

import os
from threading import Event

from clocktowers_tui.terminal.writer import Writer

LIMIT_S = 30


def test_one_piece_at_a_time() -> None:
    reading, writing = os.pipe()
    ready = Event()
    writer = Writer(writing, ready.set)
    assert not writer.busy
    piece = b"x" * 1_000_000  # more than a pipe holds
    writer.send(piece)
    assert writer.busy and not writer.wait(0.01)
    came = 0
    while came < len(piece):
        came += len(os.read(reading, 65536))
    assert writer.wait(LIMIT_S) and ready.wait(LIMIT_S)
    writer.end()
    os.close(reading)
    os.close(writing)


def test_a_terminal_that_is_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    writer = Writer(writing, lambda: None)
    writer.send(b"to nobody")
    assert writer.wait(LIMIT_S)
    writer.end()
    os.close(writing)
