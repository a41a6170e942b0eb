"""Several people at one keyboard: hands are covered between them, whatever the one before has
opened; the match waits for all of them, and counts for nobody."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest

from clocktowers_tui.cli.commands import read
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard
from clocktowers_tui.games.wild_wild_pattern.choosing import NOTHING
from clocktowers_tui.history import matches
from clocktowers_tui.net.seats import Seats, unfinished
from clocktowers_tui.net.wishes import Return, Solo
from clocktowers_tui.terminal.grid import SYNC_END
from protocol.from_client import CreateTable
from protocol.table import Pace
from tests.stage.changed_client import changed, marked
from tests.stage.pilot import playing, press, sees
from tests.stage.pseudo_terminal import ESC, PseudoTerminal, environment
from tests.stage.typist import typing

PEOPLE: Final = ("Ann", "Ben")
_DUE: Final = re.compile(r"╭─ (\w+), your turn ─")
_SYNCS: Final = "\x1b[?2026;2$y"
"""This terminal shows a frame at once, when all of it has come."""
_PRIES: Final = ("L", "V", "H", "u", "?", "\x10", "S", "C", "q", "B", "o", "v")
"""Keys for the log, an earlier moment, a hint, the last move, help, the palette, settings, the
chat, leaving, the rules, others and a review."""


class Watched(PseudoTerminal):
    """Looks at each frame: the hands in it are of the person whom the screen belongs to, which is
    nobody from the question whose turn it is until that person answers."""

    owner = ""
    due = ""
    frames = 0
    wrong: tuple[str, ...] = ()
    shown: frozenset[str] = frozenset()

    def _receive(self) -> None:
        stream, whole = self._stream, self._stream.feed

        def by_frames(received: bytes) -> None:
            *frames, rest = received.split(SYNC_END.encode())
            for frame in frames:
                whole(frame)
                self._look()
            whole(rest)

        setattr(stream, "feed", by_frames)  # noqa: B010
        super()._receive()
        setattr(stream, "feed", whole)  # noqa: B010

    def _look(self) -> None:
        text = self.text()
        if due := _DUE.search(text):
            self.owner, self.due = "", due[1]
        hands = {PEOPLE[int(seat)] for seat in re.findall(r"§(\d)", text)}
        self.frames, self.shown = self.frames + 1, self.shown | hands
        if hands - {self.owner}:
            self.wrong += (f"{hands}'s hand, {self.owner or self.due}'s turn:\n{text}",)

    async def pry(self) -> None:
        for key in _PRIES:
            self.press(key)
            await self.settles()
            self.press(ESC)
        self.resize(60, 20)
        await self.settles()
        self.resize(80, 24)
        await self.settles()

    async def play(self) -> None:
        """Show the hand of the person who is due, discard, draw; look around meanwhile."""
        self.press("z")  # an Enter that came at once would be the other person's
        await self.settles()
        self.owner = due = self.due
        self.press("\r")
        await self.sees(f"► {due} (you)", f"§{PEOPLE.index(due)}")
        self.press("1x")
        await self.sees("draw a card")
        await self.pry()  # which takes it back
        self.press("1x")
        await self.sees("draw a card")
        self.press("Lf")
        await self.settles()
        self.press(f"{ESC}f")
        await self.sees(", your turn ─")


async def test_no_frame_shows_a_hand_to_another_person(tmp_path: Path) -> None:
    asked = ("solo", "--people", "2", "--names", ",".join(PEOPLE))
    home = environment(str(tmp_path))
    async with Watched.run([*changed(marked), *asked], home) as terminal:
        assert isinstance(terminal, Watched)
        terminal.press(_SYNCS)
        await terminal.sees(", your turn ─")
        await terminal.play()
        await terminal.pry()
        await terminal.play()
        assert not terminal.wrong, terminal.wrong[0]
        assert terminal.shown == {*PEOPLE} and terminal.frames > 50


async def test_in_plain_mode_nothing_of_the_one_before_is_left_to_read() -> None:
    async with typing() as typist:
        await typist.types("setup --people 2 --names Ann,Ben", "your turn: press Enter.")
        await typist.types("look hand", "There is none now.")
        for _turn in range(2):
            await typist.types("", "Card 1:")
            await typist.types("note x", "alone at your keyboard.")
            before = len(typist.heard)
            typist.type("discard 1", "f")
            await typist.hears("your turn: press Enter.", before)
            said, blank, left = typist.heard.rpartition("\n" * 40)
            assert "You drew" in said or blank
            assert "Card 1:" not in left and "You " not in left


def solo(people: Sequence[str], game: str = "clocktowers", **options: object) -> Solo:
    asked = options or {"first_seat": 0}
    return Solo(CreateTable(id=0, game=game, seats=len(people), options=asked), people=(*people,))


async def test_they_come_back_and_nothing_that_hides_nothing_is_covered() -> None:
    async with playing(solo(PEOPLE, "architetti_attenti")) as ann:
        await sees(ann, "Ann: Your turn")
        await press(ann, "enter", "enter", shows="Enter Build")
        await press(ann, "enter", shows="Ben: Your turn")
        await ann[0].journey.end(hold_seat=True)
    (seat,) = unfinished()
    assert (seat.name, seat.progress.people, len(Seats().unfinished())) == ("Ann", ("Ben",), 2)
    async with playing(Return(seat)) as back:
        await sees(back, "Ben: Your turn")
        await press(back, "q", shows="End the match")
        await press(back, "down", "down", "enter", shows="Set up a match")
    assert not Seats().unfinished()


async def test_the_match_counts_for_nobody_and_can_be_played_again() -> None:
    async with typing() as typist:
        typist.client.keep(Settings(name="Ann", pace=Pace.AT_ONCE))
        await typist.types("setup architetti --people 2 --names Ann,Ben", "Your turn")
        await typist.plays_to_the_end(Random(1))
        await typist.client.keeping.settle()
        await typist.types("result", "it counts for nobody")
        (kept,) = matches.newest_first()
        assert kept.practice and kept.me is None
        await typist.types("rematch", ", your turn.")


async def test_two_halves_of_a_keyboard_race() -> None:
    calm = solo(PEOPLE, "wild_wild_pattern", practice="on")
    async with playing(calm, shows="f k Ready") as both:
        board, now_s = both[0].screen.query_one(WildWildPatternBoard), 100.0
        board._now_s = lambda: now_s
        await press(both, "r", shows="Ann: Your card is still face down: f turns it up")
        await press(both, "f", shows="ready")
        told = ("╭Ann────╮ ╭Ben────╮╭ g l ", "e r t d g c v b Ann  u i o j l m , . Ben")
        await press(both, "k", shows=told)
        hands = [hand.card for hand in board.hands]
        assert board.scene is not None and board.scene.view.seat is None and hands[0] != hands[1]
        await press(both, "l", "d", shows=("Ben: You shot", "► Ben "))
        await press(both, "r", shows="Ann: Somebody was faster.")
        assert board.scene.view.place == 2 and board.scene.selection == NOTHING
        now_s += 1
        await press(both, "n", "n", shows=("Ann: Take 1 card", "Ben passes after"))
        assert board.scene.view.card == hands[0]
        now_s += 1
        await press(both, "8", shows="Ann: Lay your card")
        now_s += 1
        await press(both, "enter", shows=("f k Ready", "turn 2"))
        await press(both, "k", "f", shows="s h Click!")
        await press(both, "s", shows=("Who shoots with Ann's card?", "u i o j l m , . Ben  y Pass"))
        await press(both, "i", shows="Ben: The board has just changed")
        now_s += 1
        await press(both, "v", shows="Ann: You said Click!")
        await press(both, "y", shows="Ann: Take 1 card")
        await press(both, "q", shows="Leave this match?")


async def test_a_race_has_two_halves_and_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    for flags in (["--people", "3"], ["--names", "Ann,Ben,Cid"]):
        with pytest.raises(SystemExit):
            read(["solo", "--game", "wild_wild_pattern", *flags])
        assert "choose" in capsys.readouterr().err
    async with typing() as typist:
        await typist.types("setup wild --people 2", "Two play Wild Wild Pattern by ear at a table")
