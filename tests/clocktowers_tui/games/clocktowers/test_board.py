"""The widget, played by keys alone against the real rules."""

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.strip import Strip

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.games.clocktowers.choosing import NOTHING
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.marks import NEW
from clocktowers_tui.games.face import Board
from clocktowers_tui.look import Colours, Look
from protocol.games.clocktowers import Discard, Draw, Options, Phase, Play, TurnOrder, View
from tests.clocktowers_tui.games.clocktowers.boards import (
    LOG,
    NAMES,
    OTHERS,
    READY,
    board,
    town,
)
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

    def __init__(
        self, view: View, match: Match | None = None, look: Look = _LOOK, wish: str = ""
    ) -> None:
        super().__init__()
        self.board = CountingBoard(look, wish)
        self.arranged: list[str] = []
        self.log_wanted = 0
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
                self.reasons.append(FACE.refusal(refusal))
            self.match.play_others()
            self.show(self.match.view())

    def on_board_hint(self, event: Board.Hint) -> None:
        self.hints.append(event.text)

    def on_board_arranged(self, event: Board.Arranged) -> None:
        self.arranged.append(event.layout)

    def on_board_log_wanted(self) -> None:
        self.log_wanted += 1

    def action_left(self) -> None:
        self.left = True

    def lines(self) -> list[str]:
        """What stands on the screen, without the shell's rows."""
        strips = self.screen._compositor.render_strips()
        return ["".join(part.text for part in strip) for strip in strips][: -SHELL_ROWS or None]

    def find(self, text: str) -> tuple[int, int]:
        """The second cell of where `text` stands."""
        for y, line in enumerate(self.lines()):
            if text in line:
                return line.index(text) + 1, y
        raise AssertionError(f"no {text} on\n" + "\n".join(self.lines()))

    def card(self, index: int) -> tuple[int, int]:
        """Where a card of the hand is, in whatever layout."""
        number = index + 1
        for label in (f"╭{number}─", f"╭[{number}]", f" {number} ", f"[{number}]"):
            for y, line in reversed(list(enumerate(self.lines()))):
                if label in line and ("hand" in line or label[0] == "╭"):
                    return line.index(label) + 1, y
        raise AssertionError(f"no card {index}")


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
        assert FACE.expected(match.view(), NAMES) == "The match is over"
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
        assert 0 < app.board.painted <= 12  # one's own quarter and the cards


async def test_the_mouse_does_the_same() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(offset=(3, 18))
        await pilot.click(offset=(27, 7))
        assert app.chosen == []
        await pilot.click(offset=(27, 7))
        assert app.chosen == [Play(5, 4)]


@pytest.mark.parametrize("wish", Arrangement)
async def test_whole_turns_by_mouse_in_every_layout(wish: Arrangement) -> None:
    """Every listed play and discard, clicked where the board's own text says that it is."""
    app = Shell(board(4, own=READY), wish=wish)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for card, label, action in (
            (0, "‹5›", Play(5, 4)),
            (0, "‹+›", Play(5, None)),
            (2, "‹4›", Play(9, 3)),
            (2, "‹x›", Discard(9)),
        ):
            app.show(board(4, own=READY))
            await pilot.pause()
            await pilot.click(offset=app.card(card))
            await pilot.pause()
            spot = app.find(label)
            await pilot.click(offset=spot)
            assert app.chosen == []
            await pilot.click(offset=spot)
            assert app.chosen == [action]
            app.chosen.clear()
            app.show(replace(board(4, own=READY), turn=1))  # another turn: nothing is chosen


@pytest.mark.parametrize("wish", Arrangement)
async def test_piles_and_the_log_by_mouse_in_every_layout(wish: Arrangement) -> None:
    app = Shell(board(4, phase=Phase.DRAW), wish=wish)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        x, y = app.find("x7")
        await pilot.click(offset=(x, y))
        assert app.chosen == []
        await pilot.click(offset=(x, y))
        assert app.chosen == [Draw(1)]
        await pilot.click(offset=app.find("Dmitri draws"))
        await pilot.pause()
        assert app.log_wanted == 1


async def test_layouts_by_key() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "z")
        pictures = app.lines()
        assert app.hints[-1] == "Layout: pictures"
        await press(pilot, "z")
        assert app.hints[-1] == "Layout: ledger; large from 110x36 on"
        assert "[4] 2-.1c.2- h7" in app.lines()[4]
        await press(pilot, "z")
        assert app.lines() == pictures
        assert app.arranged == ["pictures", "ledger", "automatic"]


async def test_a_layout_is_kept_where_it_does_not_fit() -> None:
    app = Shell(board(4), wish="large")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert any("╭───╮" in line for line in app.lines())
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert " 2-.1c.2-" in app.lines()[4]
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert any("╭───╮" in line for line in app.lines())


async def test_what_others_did_is_marked_until_ones_own_turn_ends() -> None:
    before = replace(board(4), turn=1)
    app = Shell(before)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "»" not in "".join(app.lines())
        towns = [*before.towns[:2], town([*OTHERS[1][:4], "1-.K-.Rb"]), before.towns[3]]
        moved = replace(board(4), towns=towns, left=bytes((12, 6, 9)), thrown=bytes((0, 1, 0, 0)))
        app.show(moved)
        await pilot.pause()
        shown = "".join(app.lines())
        assert "»5«" in shown and "»x6" in shown and "»x« ▒▒▒" in shown
        app.show(replace(moved, turn=1))
        await pilot.pause()
        assert "»" not in "".join(app.lines())


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
