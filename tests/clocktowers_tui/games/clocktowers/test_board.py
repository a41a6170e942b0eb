"""The widget, played by keys alone against the real rules."""

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.strip import Strip

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.games.clocktowers.choosing import NOTHING
from clocktowers_tui.games.clocktowers.face import CLOCKTOWERS
from clocktowers_tui.games.clocktowers.marks import NEW
from clocktowers_tui.games.face import Board
from clocktowers_tui.look import Colours, Look
from protocol.games.clocktowers import Discard, Draw, Options, Play, TurnOrder, View
from tests.clocktowers_tui.games.clocktowers.boards import LOG, NAMES, board
from tests.clocktowers_tui.games.clocktowers.goldens import FOLDER
from tests.clocktowers_tui.games.clocktowers.matches import Match

SHELL_ROWS = 3


class CountingBoard(ClocktowersBoard):
    """Counts the lines that Textual asks for."""

    painted = 0

    def render_line(self, y: int) -> Strip:
        self.painted += 1
        return super().render_line(y)


_LOOK = Look()


class Shell(App[None]):
    """As little of the match screen as the board needs around it."""

    CSS = f"ClocktowersBoard {{ height: 1fr; margin-bottom: {SHELL_ROWS}; }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "left", show=False)]

    def __init__(self, view: View, match: Match | None = None, look: Look = _LOOK) -> None:
        super().__init__()
        self.board = CountingBoard(look)
        self.match = match
        self.chosen: list[Any] = []
        self.hints: list[str] = []
        self.reasons: list[str | None] = []
        self.left = False
        self._view = view

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        self.board.focus()
        self.show(self._view)

    def show(self, view: View, *, waiting: bool = False) -> None:
        names = NAMES[: len(view.towns)]
        self.board.show(view, names, waiting=waiting, log=LOG)

    def on_board_chosen(self, event: Board.Chosen) -> None:
        self.chosen.append(event.action)
        if self.match is not None:
            refusal = self.match.act(event.action)
            if refusal is not None:
                self.reasons.append(CLOCKTOWERS.refusal(refusal))
            self.match.play_others()
            self.show(self.match.view())

    def on_board_hint(self, event: Board.Hint) -> None:
        self.hints.append(event.text)

    def action_left(self) -> None:
        self.left = True

    def lines(self) -> list[str]:
        """What stands on the screen, without the shell's rows."""
        strips = self.screen._compositor.render_strips()
        return ["".join(part.text for part in strip) for strip in strips][: -SHELL_ROWS or None]


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def type_fast(pilot: Pilot[None], *keys: str) -> None:
    """All keys at once, as a hurried player's terminal sends them; `press` waits after each."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await pilot.pause()


def keys_for(view: View, action: Any, random: Random) -> Iterator[str]:
    """The keys a player presses for a legal action, by numbers or by arrows."""
    if isinstance(action, Draw):
        yield "fcr"[action.pile]
        return
    place = view.hand.index(action.card)
    yield from [str(place + 1)] if random.random() < 0.5 else [*["l"] * place, "enter"]
    if isinstance(action, Discard):
        yield "x"
        return
    yield from keys_for_tower(view, place, action, random)
    yield "enter"


def keys_for_tower(view: View, card: int, action: Play, random: Random) -> Iterator[str]:
    at = choosing.pick_card(view, choosing.settle(view, None, NOTHING), card).selection
    places = [choosing.place(choice) for choice in choosing.targets(view, at)]
    wanted = NEW if action.tower is None else action.tower
    if random.random() < 0.5:
        yield from ["right"] * places.index(wanted)
    elif wanted == NEW:
        yield "n"
    elif wanted < 10:
        yield str((wanted + 1) % 10)
    else:
        yield from ["down"] * places.index(wanted)


@pytest.mark.parametrize(
    ("seats", "order", "size"),
    [(4, TurnOrder.PLAY_DRAW, (80, 24)), (3, TurnOrder.DRAW_PLAY, (60, 20))],
)
async def test_a_whole_match_by_keys(seats: int, order: TurnOrder, size: tuple[int, int]) -> None:
    match = Match(seats, Options(turn_order=order), seed=11)
    match.play_others()
    app = Shell(match.view(), match)
    random = Random(4)
    intended = []
    async with app.run_test(size=size) as pilot:
        while not match.over():
            view = match.view()
            action = random.choice(view.legal).action
            intended.append(action)
            await type_fast(pilot, *keys_for(view, action, random))
            for _ in range(100):
                if len(app.chosen) >= len(intended):
                    break
                await pilot.pause()
        assert CLOCKTOWERS.expected(match.view(), NAMES) == "The match is over"
    assert app.chosen == intended
    assert match.refused == 0


async def test_the_screen_shows_what_the_golden_has() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1")
        golden = (FOLDER / "4-players-80x24.txt").read_text(encoding="utf-8")
        assert [line.rstrip() for line in app.lines()] == [
            line.rstrip() for line in golden.splitlines()
        ]


async def test_an_impossible_pick_brings_the_servers_reason() -> None:
    match = Match(2, Options(first_seat=0), seed=1)
    app = Shell(match.view(), match)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3", "n")
        await press(pilot, "f")
        assert app.reasons == [
            "Only a floor starts a tower: put clock mouse on one of yours.",
            "It is time to play or discard a card, not to draw.",
        ]
        await press(pilot, "x")
        assert app.chosen[-1] == Discard(8)
        assert match.view().phase == "draw"


async def test_hints_say_what_follows_and_what_is_missing() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "x")
        assert app.hints[-1].startswith("Choose a card first")
        await press(pilot, "1", "n")
        assert app.hints[-1].startswith("floor 2 cat on new tower: height 2")


async def test_while_an_action_is_under_way_nothing_can_be_chosen() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "enter", "enter", "2", "x", "escape")
        assert app.chosen == [Play(5, 3)]
        assert "…4…" in app.lines()[7]
        app.show(board(4))
        await press(pilot, "enter")
        assert app.chosen == [Play(5, 3)] * 2


async def test_escape_steps_back_and_then_is_the_screens() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "escape")
        assert not app.left and "‹5›" not in app.lines()[7]
        await press(pilot, "backspace")
        assert not app.left
        await press(pilot, "escape")
        assert app.left


async def test_too_small_a_terminal_says_so_and_recovers() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(59, 20)) as pilot:
        await pilot.pause()
        text = " ".join(" ".join(app.lines()).split())
        assert "needs a terminal of 60x20, this one has 59x20." in text
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Ann (you)" in app.lines()[0]
        await pilot.resize_terminal(20, 5)
        await pilot.pause()
        assert "60x20" in " ".join(app.lines())


async def test_markup_in_names_and_log_is_text() -> None:
    app = Shell(board(2))
    async with app.run_test(size=(80, 24)) as pilot:
        names = ("[/nope]", "[b]x[/b]")
        app.board.show(board(2), names, waiting=False, log=["[@click=app.quit]x[/]"])
        await pilot.pause()
        shown = "\n".join(app.lines())
        for text in (*names, "[@click=app.quit]x[/]"):
            assert text in shown


async def test_only_what_changed_is_painted() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.board.painted = 0
        app.show(board(4))
        await pilot.pause()
        assert app.board.painted == 0
        await press(pilot, "right")
        assert 0 < app.board.painted <= 5
        app.board.painted = 0
        await press(pilot, "1")
        assert 0 < app.board.painted <= 6


async def test_the_mouse_does_the_same() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(offset=(3, 18))
        await pilot.click(offset=(27, 7))
        assert app.chosen == []
        await pilot.click(offset=(27, 7))
        assert app.chosen == [Play(5, 4)]


async def test_without_colours_there_are_none() -> None:
    app = Shell(board(4), look=Look(colours=Colours.NONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1")
        styles = {style for y in range(21) for _, style, _ in app.board.render_line(y)}
        base = app.board.rich_style
        assert all(style is None or style.bgcolor == base.bgcolor for style in styles)
        assert any(style is not None and style.reverse for style in styles)


async def test_watching_there_is_nothing_to_choose() -> None:
    app = Shell(board(3, seat=None))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "enter", "x", "f", "right", "n")
        assert app.chosen == []
