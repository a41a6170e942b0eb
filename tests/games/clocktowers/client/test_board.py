"""The widget, played by keys alone against the real rules."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import Colours, Look
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.games.clocktowers.choosing import NOTHING
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.marks import NEW
from clocktowers_tui.games.pane import Pane
from protocol.games.clocktowers import Discard, Draw, Options, Phase, Play, TurnOrder, View
from tests.games.clocktowers.boards import (
    LOG,
    NAMES,
    OTHERS,
    READY,
    board,
    town,
)
from tests.games.clocktowers.goldens import GOLDENS
from tests.games.clocktowers.matches import Match
from tests.stage.board_shell import BoardShell, painting, type_fast

_LOOK = Look()


class Shell(BoardShell[ClocktowersBoard]):
    """With a match, what is chosen is played, and the others play till the player's next turn."""

    def __init__(
        self, view: View, match: Match | None = None, look: Look = _LOOK, wish: str = ""
    ) -> None:
        super().__init__(ClocktowersBoard(look, wish), view)
        self.match = match
        self.reasons: list[str | None] = []

    def show(self, view: View) -> None:
        self.board.show(view, NAMES[: len(view.towns)], waiting=False, log=LOG)

    def on_board_chosen(self, event: Board.Chosen) -> None:
        if self.match is not None:
            refusal = self.match.act(event.action)
            if refusal is not None:
                self.reasons.append(FACE.refusal(refusal))
            self.match.play_others()
            self.show(self.match.view())

    def card(self, index: int) -> tuple[int, int]:
        """Where a card of the hand is, in whatever layout."""
        number = index + 1
        for label in (f"╭{number}─", f"╭[{number}]", f" {number} ", f"[{number}]"):
            for y, line in reversed(list(enumerate(self.lines()))):
                if label in line and ("Your hand" in line or label[0] == "╭"):
                    return line.index(label) + 1, y
        raise AssertionError(f"no card {index}")


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
    first = places.index(at.tower) if at.tower in places else 0
    steps = (places.index(wanted) - first) % (len(places) + 1)  # past its discard
    if random.random() < 0.5:
        yield from ["right"] * steps
    elif wanted == NEW:
        yield "n"
    elif wanted < 10:
        yield str((wanted + 1) % 10)
    else:
        yield from ["down"] * steps


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
            assert app.board.scene is not None
            view = app.board.scene.view
            action = random.choice(view.legal).action
            intended.append(action)
            await type_fast(pilot, keys_for(view, action, random))
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
        await pilot.press("1", "4")
        golden = GOLDENS.kept("4-players-80x24")
        assert [line.rstrip() for line in app.lines()] == [
            line.rstrip() for line in golden.splitlines()
        ]


async def test_an_impossible_pick_brings_the_servers_reason() -> None:
    match = Match(2, Options(first_seat=0), seed=1)
    app = Shell(match.view(), match)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3", "n")
        await pilot.press("f")
        assert app.reasons == [
            "Only a floor starts a tower: put clock mouse on one of yours.",
            "You cannot draw yet: play or discard a card.",
        ]
        await pilot.press("x")
        assert app.chosen[-1] == Discard(8)
        assert match.view().phase == "draw"


async def test_hints_say_what_follows_and_what_is_missing() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x")
        assert app.hints[-1].startswith("Pick a card first")
        await pilot.press("1", "n")
        assert app.hints[-1].startswith("A double floor with a cat goes on a new tower")


async def test_while_an_action_is_under_way_nothing_can_be_chosen() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "4", "enter", "enter", "2", "x", "escape")
        assert app.chosen == [Play(5, 3)]
        assert "…4…" in app.lines()[7]
        app.show(board(4))
        await pilot.press("enter")
        assert app.chosen == [Play(5, 3)] * 2


async def test_escape_steps_back_and_then_is_the_screens() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "escape")
        assert not app.left and "‹5›" not in app.lines()[7]
        await pilot.press("backspace")
        assert not app.left
        await pilot.press("escape")
        assert app.left


async def test_too_small_a_terminal_says_so_and_recovers() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(59, 20)) as pilot:
        await pilot.pause()
        text = " ".join(" ".join(app.lines()).split())
        assert "needs a terminal of 60x20, this one has 59x20." in text
        await pilot.resize_terminal(80, 24)
        assert "Ann (you)" in app.lines()[0]
        await pilot.resize_terminal(20, 5)
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
        with painting() as line:
            app.show(board(4))
            await pilot.pause()
            assert line.call_count == 0
            await pilot.press("right")
            assert 0 < line.call_count <= 5
            line.reset_mock()
            await pilot.press("1")
            assert 0 < line.call_count <= 12  # the player's own quarter and the cards


async def test_every_part_is_a_widget_of_its_own() -> None:
    app = Shell(board(3, phase=Phase.DRAW))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        placed = {pane.id: type(pane).__name__ for pane in app.board.query(Pane) if pane.size}
        towns = {f"town-{place}": "Town" for place in range(3)}
        others = {"hand": "Hand", "piles": "Piles", "ladder": "Ladder", "log": "Log"}
        assert placed == towns | others
        await pilot.click("#piles", offset=(2, 2))  # picks it
        await pilot.click("#piles", offset=(2, 2))
        await pilot.click("#log")
        assert app.chosen == [Draw(0)] and app.log_wanted == 1
        assert app.focused is app.board


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
            (2, "‹2›", Play(9, 1)),
            (2, "‹x›", Discard(9)),
        ):
            app.show(board(4, own=READY))
            await pilot.pause()
            await pilot.click(offset=app.card(card))
            if label == "‹+›":
                await pilot.press("4")  # the new tower is picked first
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
        assert app.log_wanted == 1


async def test_layouts_by_key() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "4")
        pictures = app.lines()
        await pilot.press("z")
        assert app.hints[-1] == "Board: ledger; a larger one needs 110x36."
        assert "[4] 2-.1c.2- h7" in app.lines()[4]
        await pilot.press("z")
        assert app.lines() == pictures
        assert app.arranged == ["ledger", "automatic"]


async def test_a_layout_is_kept_where_it_does_not_fit() -> None:
    app = Shell(board(4), wish="large")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert any("╭───╮" in line for line in app.lines())
        await pilot.resize_terminal(60, 20)
        assert "│▪ c││" in app.lines()[4]
        await pilot.resize_terminal(120, 40)
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
        assert "»5«" in shown and "»x6" in shown and "discarded ▒▒▒" in shown
        app.show(replace(moved, turn=1))
        await pilot.pause()
        assert "»" not in "".join(app.lines())


async def test_without_colours_there_are_none() -> None:
    app = Shell(board(4), look=Look(colours=Colours.NONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        panes = [pane for pane in app.board.query(Pane) if pane.size]
        lines = [line for pane in panes for line in map(pane.render_line, range(pane.size.height))]
        styles = {style for line in lines for _, style, _ in line}
        base = app.board.rich_style
        assert all(style is None or style.bgcolor == base.bgcolor for style in styles)
        assert any(style is not None and style.reverse for style in styles)


async def test_watching_there_is_nothing_to_choose() -> None:
    app = Shell(board(3, seat=None))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "enter", "x", "f", "right", "n")
        assert app.chosen == []


async def test_a_lesson_that_wants_a_discard_says_the_key_for_a_card_that_fits_nowhere() -> None:
    app = Shell(board(4))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for sought, ends in (([Discard(9)], "5 floors. x discards it."), ([], "on 5 floors.")):
            app.board.seek(sought)
            for key in ("3", "enter"):
                await pilot.press(key)
                assert app.hints[-1].endswith(ends)


async def test_the_help_explains_a_mouse_on_a_clock_where_it_is_drawn_as_a_letter() -> None:
    for size, wish, told in (((80, 24), "", True), ((80, 24), "ledger", False)):
        app = Shell(board(2), wish=wish)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert any("is a clock with a mouse" in one for one in app.board.legend()) is told
