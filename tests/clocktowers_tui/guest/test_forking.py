"""The process that forks the clients of guests, with clients that only wait."""

import os
import signal
import socket
import subprocess
import sys
from select import select

import msgspec
import pytest

from protocol.framing import frame
from protocol.guests import Began, Order
from server.guests.clients import FORKS

pytestmark = pytest.mark.skipif(not FORKS, reason="forks on Linux only")

ORDER = frame(msgspec.msgpack.encode(Order(1, {})))
BROKEN = {
    "too long": b"\xff\xff\xff\xff",
    "no message": frame(b"\xc1"),
    "no text": frame(b"\x81\xa4type\xa1\xff"),
    "no terminal": ORDER,
}
_WAITING = """
import signal
from clocktowers_tui.guest import __main__ as it
it._import_all = lambda: None
it.become = lambda order, terminal: signal.pause()
"""
_FORGETS = "it.Forking._hang_up = lambda forking: None\n"


def ended(sent: bytes, more: str = "") -> tuple[int, str, bool]:
    """The status and the last words of a process that is sent this, b"" = its door goes and has
    not read its answers, and whether its client has ended, too."""
    door, its = socket.socketpair()
    reads, terminal = os.pipe()
    command = [sys.executable, "-P", "-c", f"{_WAITING}{more}it.main()", str(its.fileno())]
    with door, its:
        process = subprocess.Popen(
            command, pass_fds=[its.fileno()], stderr=subprocess.PIPE, text=True
        )
        socket.send_fds(door, [ORDER], [terminal])
        os.close(terminal)
        began = msgspec.msgpack.decode(door.recv(1024, socket.MSG_PEEK)[4:], type=Began)
        if sent:
            door.sendall(sent)
        else:
            door.close()
        assert process.stderr is not None
        status = process.wait(60)
        gone = bool(select([reads], [], [], 0.1 if more else 20)[0])
        if not gone:
            os.kill(began.pid, signal.SIGKILL)
        words = process.stderr.read()
        process.stderr.close()
    os.close(reads)
    return status, words, gone


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_order_ends_it_in_a_sentence_and_its_clients_too(broken: bytes) -> None:
    status, words, gone = ended(broken)
    assert gone and status == 1
    assert "the door sent a broken order" in words and words.count("\n") == 1


def test_a_door_that_goes_with_answers_unread_is_no_fault() -> None:
    assert ended(b"") == (0, "", True)


def test_without_the_signal_its_clients_go_on() -> None:
    assert ended(BROKEN["too long"], _FORGETS)[2] is False
