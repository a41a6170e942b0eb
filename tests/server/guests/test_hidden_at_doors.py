"""What comes to a guest's terminal, over SSH or as frames of a WebSocket, shows nothing that the
seat may not see: two matches that differ only in that paint the same pictures."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol.from_server import Started
from protocol.games.clocktowers.options import Options
from protocol.ids import MatchId, Seat
from server.games.registry import GAMES
from server.store.memory import MemoryJournal
from tests.games.clocktowers.case import disguise_clocktowers
from tests.laws.broken import Broken
from tests.stage.at_doors import Frames, Terminal, frames, sits_down, still
from tests.stage.guests import SshServer, needs_ssh
from tests.stage.house import AT_HOME, LENIENT, START, House, house, new_folder_with_key
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


async def pictures(
    deal: Any, view: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """What the two guests are shown, step by step, while each has a turn."""
    rules = Broken(REAL, setup=lambda *how: REAL.copy(deal), view=view)
    monkeypatch.setitem(GAMES, "clocktowers", CLOCKTOWERS._replace(rules=rules))
    kept = MemoryJournal()
    seen = []
    async with AsyncExitStack() as stack:
        at, server = await stack.enter_async_context(doors(kept))
        ben = await stack.enter_async_context(await at.peer("Ben"))
        code = await ben.create(seats=3, options=Options(first_seat=1))
        ssh = Terminal(await stack.enter_async_context(server.dial("Sara", "sara")))
        web = await stack.enter_async_context(frames(server.port))
        await sits_down(ssh, code)
        await web.sees("Your name")
        await web.press(*"Wanda", "Enter")
        await sits_down(web, code)
        await ben.done(START)
        begun = await ben.until(Started)
        ends: tuple[Terminal | Frames, ...] = (ssh, web)
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
    one, two = [await pictures(deal, REAL.view, monkeypatch) for deal in deals()]
    assert len(one) == 10 and _TURN in one[0] and "Sara is choosing" in one[1]
    assert one == two


def leaking(state: Any, seat: Seat | None) -> Any:
    """While another has the turn a guest is sent Ben's hand in the place of their own."""
    view = REAL.view(state, seat)
    return replace(view, hand=bytes(state.hands[0])) if seat and seat != state.turn else view


@pytest.mark.soak
async def test_a_server_that_leaks_is_found_at_both_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = [await pictures(deal, leaking, monkeypatch) for deal in deals()]
    assert one[1] != two[1], "the browser's"
    assert one[4] != two[4], "that of SSH"


def test_a_part_of_a_seed_is_found() -> None:
    seed = bytes(range(32)).hex()
    assert _holds(b"\x1b[2;3H" + seed.encode() + b"\x1b[m", seed)
    assert _holds(seed[7:29].encode(), seed) and not _holds(seed[::-1].encode(), seed)
