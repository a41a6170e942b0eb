"""The terminal is told of my turn, once each time it comes, and of nobody else's; and of chat only
when that was asked for."""

import asyncio
import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.app.app import Notices
from clocktowers_tui.config.settings import Settings, save
from clocktowers_tui.deeds.client import is_my_turn
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.state.store import State, heard, toggled
from clocktowers_tui.state.table import Connection, Kind
from protocol.from_server import Said
from protocol.games.clocktowers import Phase
from tests.clocktowers_tui.state.test_chat import there
from tests.stage import small_match
from tests.stage.pseudo_terminal import PseudoTerminal, environment
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.staged import CLIENT

ON = Settings(name="Ann")


class NoticeTerminal:
    """What it was told."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.rings = 0
        self.popped_up: list[str] = []
        app: Any = self
        self.notices, self.set_title = Notices(app), self.titles.append

    def bell(self) -> None:
        self.rings += 1

    def pop_up(self, sender: str, words: str) -> None:
        self.popped_up.append(f"{sender}: {words}")

    def sees(self, *states: State, settings: Settings = ON) -> "NoticeTerminal":
        for state in states:
            self.notices.follow(state, settings, FACES)
        return self


def at(
    version: int,
    turn: int | None,
    *,
    seat: int | None = 0,
    phase: Phase = Phase.PLAY,
    kind: Kind = Kind.VISIT,
) -> State:
    state = State(connection=Connection(kind=kind, address="here", name="Ann"))
    state = heard(state, small_match.at_table("Ann", "Bo", seat=seat))
    view: dict[str, Any] = {**small_match.view(turn, seat), "phase": phase.value}
    update = replace(small_match.update(version), view=view)
    return heard(heard(state, small_match.started()), update)


def test_a_turn_that_comes_rings_once() -> None:
    terminal = NoticeTerminal().sees(at(0, 1), at(1, 0), at(2, 0, phase=Phase.DRAW), at(2, 0))
    assert terminal.rings == 1
    assert terminal.titles == ["ABCD - Clocktowers", "● Your turn - Clocktowers"]
    terminal.sees(at(3, 1), at(4, 0))
    assert terminal.rings == len(terminal.popped_up) == 2
    assert terminal.titles[2:] == ["ABCD - Clocktowers", "● Your turn - Clocktowers"]


def test_watching_and_the_end_ring_nothing() -> None:
    over = heard(at(5, 0), small_match.ended())
    terminal = NoticeTerminal().sees(at(0, 0, seat=None), at(1, 1, seat=None), over, State())
    assert terminal.rings == 0
    assert terminal.titles == ["ABCD - Clocktowers", "Clocktowers"]
    assert not is_my_turn(over, FACES)


def test_alone_there_is_a_title_and_no_bell() -> None:
    terminal = NoticeTerminal().sees(at(0, 1, kind=Kind.SOLO), at(1, 0, kind=Kind.SOLO))
    assert terminal.rings == len(terminal.popped_up) == 0
    assert terminal.titles == ["Clocktowers", "● Your turn - Clocktowers"]


def test_a_seat_that_a_bot_plays_to_the_end_has_no_turns() -> None:
    mine = at(1, 0)
    assert mine.table is not None
    own, *others = mine.table.info.seats
    info = replace(mine.table.info, seats=[replace(own, handed_over=True), *others])
    terminal = NoticeTerminal().sees(replace(mine, table=replace(mine.table, info=info)))
    assert (terminal.rings, terminal.titles) == (0, ["ABCD - Clocktowers"])


def test_each_can_be_switched_off() -> None:
    mine = at(1, 0)
    silent = NoticeTerminal().sees(mine, settings=replace(ON, bell=False))
    assert silent.rings == 0 and silent.titles
    untitled = NoticeTerminal().sees(mine, settings=replace(ON, title=False))
    assert untitled.rings == 1 and untitled.titles == []
    untitled = NoticeTerminal().sees(mine).sees(mine, settings=replace(ON, title=False))
    assert untitled.titles == ["● Your turn - Clocktowers", "Clocktowers"]


async def test_on_a_real_terminal(home: Path) -> None:
    """It hears of the turn, once; in another window the player sees it on the desktop, in the way
    that they have chosen."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        peer.says(small_match.at_table("Ann", "Bo"), small_match.started())
        peer.says(small_match.update(0, turn=1))
        await away.wait()
        peer.says(small_match.update(1, turn=0))
        while True:
            await peer.hears()

    away = asyncio.Event()
    async with scripted(script) as address:
        arguments = [*CLIENT, "join", str(address), "--name", "Ann"]
        save(Settings(popups="777"), home / ".config" / "clocktowers" / "settings.json")
        kitty = environment(str(home)) | {"KITTY_WINDOW_ID": "1", "TMUX": "/tmp/tmux-0/default"}
        async with PseudoTerminal.run(arguments, kitty) as terminal:
            await terminal.says(b"\x1b]2;ABCD - Clocktowers\x07")
            terminal.press("\x1b[O")
            await terminal.settles()
            away.set()
            await terminal.says("\x1b]2;● Your turn - Clocktowers\x07".encode())
            await terminal.says(
                b"\x1bPtmux;\x1b\x1b]777;notify;Clocktowers;Your turn\x1b\x1b\\\x1b\\"
            )
            terminal.press("\x03")
            await terminal.sees("once more")
            terminal.press("\x03")
            assert await terminal.ends() == 0
    assert re.sub(b"\x1b\\][^\x07]*\x07", b"", terminal.painted).count(b"\x07") == 1


# The chat -----------------------------------------------------------------------------------------


ASKED = Settings(chat_bell=True)


def test_it_rings_once_for_each_new_line_of_another() -> None:
    first, second = there("Ben"), heard(there("Ben"), Said(n=2, name="Ben", text="?"))
    assert NoticeTerminal().sees(there(), first, first, second, settings=ASKED).rings == 2


def test_nobody_else_and_nobody_unasked_rings() -> None:
    """Neither the player's own line, nor one of somebody who is muted."""
    quiet = toggled(there(), "Ben")
    muted = heard(quiet, Said(n=1, name="Ben", text="hello"))
    for before, after, settings in (
        (there(), there("Ann"), ASKED),
        (there(), there("Ben"), Settings()),
        (quiet, muted, ASKED),
    ):
        assert NoticeTerminal().sees(before, after, settings=settings).rings == 0
