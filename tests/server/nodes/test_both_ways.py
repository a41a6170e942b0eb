"""At a table of the node that they have dialled, and led to another node: people are sent the same
bytes, and the journal has the same moves."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

import pytest
from msgspec import structs

from protocol.clock import PerTurn
from server.config import Config, Limits
from server.net.session import Session
from server.nodes.front import Front, Home
from server.nodes.homecoming import FarLine
from server.nodes.splicing import Splicing
from server.nodes.upstream import Upstream
from server.nodes.words import Introduction, Word
from server.server import Server
from server.store.memory import MemoryJournal
from tests.stage.both_ways import Evening, spend

EVENINGS: Final = {
    "two": Evening("clocktowers"),
    "on a slow disk": Evening("clocktowers", slow=True, seed=1),
    "three and a clock": Evening("clocktowers", 3, clock=PerTurn(10), seed=2),
    "tiles against a bot": Evening("architetti_attenti", 3, bots=1, seed=3),
    "a race": Evening("wild_wild_pattern", 3, seed=4),
}


class Pipe(asyncio.Transport):
    """One end of a line between two nodes, which cuts what is said into pieces by its dice."""

    def __init__(self, dice: Random) -> None:
        super().__init__()
        self.dice, self.protocol, self.other = dice, asyncio.Protocol(), self
        self.over = False

    def write(self, data: Any) -> None:
        cut = self.dice.randrange(len(data) + 1)
        for part in (data[:cut], data[cut:]):
            if part and not self.over:
                asyncio.get_running_loop().call_soon(self.other.protocol.data_received, part)

    def close(self) -> None:
        if not self.over:
            self.over = self.other.over = True
            for end in (self, self.other):
                asyncio.get_running_loop().call_soon(end.protocol.connection_lost, None)

    abort = close

    def is_closing(self) -> bool:
        return self.over

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    def set_write_buffer_limits(self, *_: Any, **__: Any) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


def led(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Callable[[str], Server]]:
    """The first player dials the node of the table, the others one of two other nodes."""
    dice = Random(7)
    homes: dict[str, Splicing] = {}

    upstreams: dict[Splicing, Upstream] = {}

    def between(here_is: Any, there_is: Any) -> None:
        here, there = Pipe(dice), Pipe(dice)
        here.other, there.other = there, here
        here.protocol, there.protocol = here_is, there_is
        there.protocol.connection_made(there)
        here.protocol.connection_made(here)

    async def dial(self: Splicing, front: Front, home: Home, caller: Any, *, watches: bool) -> None:
        to_home, other = front.line_to(home, caller), homes[home.name]
        if not watches:
            between(to_home, FarLine(other._welcome))
            return
        if (upstream := upstreams.get(self)) is None:
            upstream = upstreams[self] = Upstream(lambda _: None)
            between(upstream, FarLine(other._welcome, other.leads))
        upstream.open(to_home)

    monkeypatch.setattr(Splicing, "_dial", dial)

    class OneHome:
        async def of_table(self, code: str) -> Home | None:
            return Home("home", "")

        of_match = of_table

        def knows(self, address: str) -> bool:
            return True

    def dialled(group: asyncio.TaskGroup, home: Server) -> Callable[[str], Server]:
        fronts = [_front(group, home) for _ in range(2)]
        for name, server in zip(("home", "b", "c"), (home, *fronts), strict=True):
            homes[name] = Splicing(name, OneHome(), server.service, server.session)
        return lambda name: home if name == "p0" else fronts[int(name[1]) % 2]

    return dialled


def _front(group: asyncio.TaskGroup, home: Server) -> Server:
    """Names are the cluster's: here both servers have the same list of them."""
    limits = Limits(grace_s=5, per_address=1000, commands_s=2.0, commands_burst=20)
    server = Server(Config(limits=limits), MemoryJournal(), group)
    server.lobby.names = home.lobby.names
    group.create_task(server.peers.sweep())
    return server


@pytest.mark.parametrize("name", EVENINGS)
def test_both_ways_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = spend(EVENINGS[name], monkeypatch)
    with monkeypatch.context() as patch:
        far = spend(EVENINGS[name], monkeypatch, led(patch))
    assert far.kept == direct.kept
    assert far.sent == direct.sent
    assert direct.actions > 20


introduction = Splicing._introduction


def forgets_what_the_hello_asked(self: Splicing, session: Session) -> Introduction:
    return structs.replace(introduction(self, session), changes=False)


def loses_what_is_said_on_the_way(self: Front, data: bytes) -> None:
    if self._to_home is not None:
        self._to_home.say(Word.DATA, data)


def passes_on_twice(self: Front, line: Any) -> None:
    said = self.take_said()
    line.say(Word.DATA, said + said)


FAULTS: Final[dict[str, tuple[Any, str, Any]]] = {
    "forgets what the hello asked": (Splicing, "_introduction", forgets_what_the_hello_asked),
    "loses what is said on the way": (Front, "data_received", loses_what_is_said_on_the_way),
    "passes a request on twice": (Front, "_pass_on", passes_on_twice),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_way_with_a_fault_is_found_out(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = spend(EVENINGS["two"], monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(*FAULTS[fault])
        far = None
        with suppress(ExceptionGroup):  # the evening cannot go on
            far = spend(EVENINGS["two"], monkeypatch, led(patch))
    assert far is None or (far.kept, far.sent) != (direct.kept, direct.sent)
