"""What comes to a guest's terminal, over SSH or as frames of a WebSocket, shows nothing that the
seat may not see: two matches that differ only in that paint the same pictures. And what another
player writes does not act on it."""

import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol import text
from protocol.from_client import Say
from protocol.from_server import Done, Started
from protocol.games.clocktowers import Options
from protocol.ids import MatchId, Seat
from server.games.registry import GAMES
from server.guests import keeping
from tests.clocktowers_tui.test_hostile_text import PAYLOADS, foreign
from tests.games.clocktowers.case import disguise_clocktowers
from tests.stage.at_doors import DoorTerminal, Frames, frames, sits_down, still
from tests.stage.changed_client import open_gate, uncleaned
from tests.stage.changed_server import changed
from tests.stage.guests import SshServer, needs_ssh
from tests.stage.house import AT_HOME, LENIENT, START, House, eventually, house, new_folder_with_key
from tests.stage.memory_journal import MemoryJournal
from tests.stage.processes import needs_proc

pytestmark = [needs_ssh, needs_proc]

CLOCKTOWERS: Final = GAMES["clocktowers"]
REAL: Final = CLOCKTOWERS.rules
SHOWN: Final = 6
"""Cards that both piles have on top, in the same order."""
_TURN: Final = "Your turn"


def deals() -> tuple[Any, Any]:
    """Two that differ in the hand of seat 0, the order of the piles and what was removed."""
    fresh = REAL.setup(Options(first_seat=1), 3, bytes(32))
    twin = disguise_clocktowers(fresh, None, Random(1), SHOWN)
    floors = next(cards for cards in twin.deal.removed if cards and cards != fresh.hands[0])
    twin.hands[0] = sorted([*twin.hands[0][1:], floors[0]])
    assert twin.hands[0] != fresh.hands[0] and twin.piles != fresh.piles
    assert twin.hands[1:] == fresh.hands[1:]
    return fresh, twin


@asynccontextmanager
async def doors(kept: MemoryJournal) -> AsyncIterator[tuple[House, SshServer]]:
    folder = new_folder_with_key()
    config = replace(AT_HOME, doors=("plain", "ssh", "web"))
    limits = replace(LENIENT, grace_s=600)
    async with house(folder=folder, config=config, limits=limits, journal=kept) as at:
        yield at, SshServer(folder, folder, at.address.port, None)  # type: ignore[arg-type]


async def pictures(deal: Any, monkeypatch: pytest.MonkeyPatch, **broken: Any) -> list[str]:
    """What the two guests are shown, step by step, while each has a turn. `broken`: functions of
    the rules."""
    rules: Any = REAL._replace(setup=lambda *how: REAL.copy(deal), **broken)
    monkeypatch.setitem(GAMES, "clocktowers", CLOCKTOWERS._replace(rules=rules))
    kept = MemoryJournal()
    seen = []
    async with AsyncExitStack() as stack:
        at, server = await stack.enter_async_context(doors(kept))
        ben = await stack.enter_async_context(await at.peer("Ben"))
        code = await ben.create(seats=3, options=Options(first_seat=1))
        ssh = DoorTerminal(await stack.enter_async_context(server.dial("Sara", "sara")))
        web = await stack.enter_async_context(frames(server.port))
        await sits_down(ssh, code)
        await web.sees("Your name")
        await web.press(*"Wanda", "Enter")
        await sits_down(web, code)
        await ben.done(START)
        begun = await ben.until(Started)
        ends: tuple[DoorTerminal | Frames, ...] = (ssh, web)
        for acting in ends:
            for keys, phase in ((("1", "Enter"), "Your turn: play"), (("f",), "Your turn: draw")):
                await acting.sees(phase)
                seen += [await still(end) for end in ends]
                await acting.press(*keys)
        for end in ends:
            await end.sees("Ben is choosing")
        seen += [await still(end) for end in ends]
        seed = (await kept.load(MatchId(begun.match)))[0].seed.hex()
        for end in ends:
            assert not _holds(end.painted, seed)
    return [re.sub(rf"\b{code}\b", "CODE", picture) for picture in seen]


def _holds(painted: bytes, seed: str) -> bool:
    """Whether a part of the seed is to be read there."""
    return any(seed[at : at + 12].encode() in painted for at in range(0, len(seed) - 12, 6))


@pytest.mark.soak
async def test_two_deals_that_differ_in_what_is_hidden_paint_the_same_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = [await pictures(deal, monkeypatch) for deal in deals()]
    assert len(one) == 10 and _TURN in one[0] and "Sara is choosing" in one[1]
    assert one == two


def leaking_own(state: Any, seat: Seat) -> Mapping[str, Any]:
    """While another has the turn a guest is sent Ben's hand in the place of their own."""
    own = REAL.own(state, seat)
    return {**own, "hand": bytes(state.hands[0])} if seat != state.turn else own


@pytest.mark.soak
async def test_a_server_that_leaks_is_found_at_both_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = [await pictures(deal, monkeypatch, own=leaking_own) for deal in deals()]
    assert one[1] != two[1], "the browser's"
    assert one[4] != two[4], "that of SSH"


def test_a_part_of_a_seed_is_found() -> None:
    seed = bytes(range(32)).hex()
    assert _holds(b"\x1b[2;3H" + seed.encode() + b"\x1b[m", seed)
    assert _holds(seed[7:29].encode(), seed) and not _holds(seed[::-1].encode(), seed)


# Hostile texts ------------------------------------------------------------------------------------


LONG: Final = 4096
TITLE: Final = "Q\x1b]52;c;eA==\x07\u202e[@click=app.quit]x"
SAID: Final = (
    *PAYLOADS.values(),
    "\u202eQlong\u200b" * (LONG // 7),
    "\x1b]52;c;cHduZWQ=\x07\x1b]8;;http://evil.example\x07Qend\x1b]8;;\x07",
)

_SCREEN: Final = b"\x1b[?1049h"
"""Before it a guest without a name is asked for one, line by line."""


@pytest.fixture
def server_uncleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    clean = text.clean
    for module in [*sys.modules.values()]:
        if getattr(module, "clean", None) is clean:
            monkeypatch.setattr(module, "clean", lambda typed: typed)


@pytest.fixture
def guests_uncleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = ",".join(one.__name__ for one in (uncleaned, open_gate))
    monkeypatch.setattr(keeping, "_PROGRAM", (*changed("doors"), changes))


async def heard(title: str = TITLE) -> dict[str, list[str]]:
    """By door, what came to a guest's terminal there and is neither to be read nor the client's
    own, while somebody of bad will has made the table, and talks."""
    folder = new_folder_with_key()
    config = replace(AT_HOME, doors=("plain", "ssh", "web"))
    limits = replace(LENIENT, grace_s=600, chat_burst=100)
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(house(folder=folder, config=config, limits=limits))
        server = SshServer(folder, folder, at.address.port, None)  # type: ignore[arg-type]
        foe = await stack.enter_async_context(await at.peer("Q\u200bfoe[/]"))
        code = await foe.create(seats=3, title=title)
        ends: dict[str, Any] = {
            "ssh": DoorTerminal(await stack.enter_async_context(server.dial("Sara", "sara"))),
            "web": await stack.enter_async_context(frames(server.port)),
        }
        await ends["web"].sees("Your name")
        await ends["web"].press(*"Wanda", "Enter")

        for end in ends.values():
            await end.sees("New table")

            await sits_down(end, code)
            await end.press("/")
            await end.sees("Say: ")
        taken = [isinstance(await foe.request(Say(id=0, text=line)), Done) for line in SAID]
        assert taken[-1]
        for end in ends.values():
            await eventually(lambda end=end: b"Qend" in end.painted)  # type: ignore[misc]
            await still(end)
        shown = {door: end.painted.partition(_SCREEN)[2] for door, end in ends.items()}
        return {door: foreign(painted) for door, painted in shown.items()}


@pytest.mark.usefixtures("server_uncleaned")
@pytest.mark.soak
async def test_nothing_comes_out_even_where_the_server_lets_everything_through() -> None:
    assert await heard() == {"ssh": [], "web": []}


@pytest.mark.usefixtures("server_uncleaned", "guests_uncleaned")
@pytest.mark.soak
async def test_without_any_cleaning_it_comes_out_at_both_doors() -> None:
    found = await heard(title="Evening")  # the list of tables can be read
    assert found["ssh"] and found["web"]
