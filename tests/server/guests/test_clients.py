"""Both ways to start a client lead a guest into the lobby, and out of it."""

from collections.abc import Callable
from pathlib import Path

import pyte
import pytest

from server.guests.clients import FORKS, Clients, Forked, Spawned
from server.guests.folders import Folders
from server.guests.guest import Size
from server.guests.guests import Arriving, Guests
from server.guests.words import Setup
from tests.stage.house import eventually, house, new_folder_with_key
from tests.stage.processes import alive, needs_proc

ANN = Arriving("192.0.2.7", "cookie ann", name="Ann", environ={"TERM": "xterm"}, size=Size(80, 24))


class Terminal:
    """A caller's."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.status: list[int | None] = []

    def show(self, output: bytes) -> None:
        self._stream.feed(output.replace(b"\x1b[>", b"\x1b[?").replace(b"\x1b[<", b"\x1b[?"))

    def take_on(self) -> None:
        """They type little."""

    def over(self, status: int | None) -> None:
        self.status.append(status)

    def sees(self, words: str) -> bool:
        return words in "\n".join(self._screen.display)


def setup_in(folder: Path) -> Setup:
    return Setup(
        state=str(folder),
        guests=2,
        guests_per_address=2,
        guests_per_identity=2,
        guest_idle_s=1800,
        hello_s=5,
        loopback_counts=True,
    )


@pytest.mark.parametrize(
    "make",
    [
        Spawned,
        pytest.param(Forked, marks=pytest.mark.skipif(not FORKS, reason="forks on Linux only")),
    ],
)
async def test_a_guest_comes_and_goes(make: Callable[[], Clients]) -> None:
    """No door takes part: what it does is all here."""
    folder: Path = new_folder_with_key()
    async with house(folder=folder) as at:
        clients = make()
        guests = Guests(setup_in(folder), Folders(folder), clients)
        terminal = Terminal()
        guest = guests.open(ANN, terminal)
        await eventually(lambda: terminal.sees("this server as Ann"))
        (session,) = at.server.peers.admitted
        assert session.who()["address"] == "192.0.2.7"
        guest.type(b"b")
        await eventually(lambda: terminal.sees("To the lobby"))
        assert not terminal.sees("invitation")
        guest.type(b"q")
        await eventually(lambda: terminal.sees("Enter a table's code"))
        guest.type(b"q")
        await eventually(lambda: terminal.status == [0])
        other = Terminal()
        guests.open(ANN._replace(invitation=bytes(12)), other)
        await eventually(lambda: other.sees("New table"))
        await eventually(lambda: other.sees("does not know that invitation"))
        await guests.end()
        assert len(guests) == 0
        clients.close()


@needs_proc
@pytest.mark.skipif(not FORKS, reason="forks on Linux only")
async def test_a_client_is_ended_also_when_another_process_forks_now() -> None:
    folder: Path = new_folder_with_key()
    async with house(folder=folder):
        clients = Forked()
        guests = Guests(setup_in(folder), Folders(folder), clients)
        terminal, other = Terminal(), Terminal()
        ann = guests.open(ANN, terminal)
        await eventually(lambda: terminal.sees("this server as Ann"))
        forking = clients._forking
        (pid,) = forking._pids.values()
        forking._process.kill()
        await eventually(lambda: forking.gone)
        guests.open(ANN._replace(proof="cookie ben", name="Ben"), other)
        await eventually(lambda: other.sees("this server as Ben"))
        assert alive(pid)
        ann.end()
        await eventually(lambda: not alive(pid))
        await guests.end()
        await eventually(lambda: len(guests) == 0)
        clients.close()
