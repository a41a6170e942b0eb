"""The Bank: what it pays and has paid, beside the board or over it, and covers no choice."""

import re

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.spans import cells
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.sheet import prices_block
from clocktowers_tui.games.wild_wild_pattern.sight import LEAST
from clocktowers_tui.games.wild_wild_pattern.words import line_words, money
from clocktowers_tui.text.i18n import languages, speak
from protocol.games.wild_wild_pattern import Options, Phase, Take, View
from protocol.games.wild_wild_pattern.bank import CENTS, Line, in_play
from tests.games.wild_wild_pattern.boards import BANKED, PAYING, board, cards, declaring, visits
from tests.games.wild_wild_pattern.face_case import shell
from tests.stage.board_shell import on_screen


async def test_what_the_bank_pays_covers_no_choice() -> None:
    """Beside the Wheel every key still means the choice; where the list is, it stays away."""
    async with on_screen(shell(board(4, Phase.TAKE, acting=0, takes=1))) as (app, pilot):
        await pilot.press("d")
        shown = "\n".join(app.lines())
        assert "4 same object" in shown and "1-8: take that card" in shown
        await pilot.press("3")
        assert app.chosen == [Take(2)]
        app.show(declaring())
        await pilot.press("d")
        assert app.hints[-1] == "You choose first: the Bank's list would cover the keys."
        assert "BEFORE" in "\n".join(app.lines())


async def test_the_banks_sheet_comes_goes_and_comes_again() -> None:
    async with on_screen(shell(board(4, Phase.LAY, acting=1))) as (app, pilot):
        await pilot.press("d")
        assert "What the Bank pays" in app.lines()[0]
        ready = board(4, Phase.READY, bank=visits(BANKED))
        app.show(ready)
        await pilot.pause()
        assert "What the Bank paid" in app.lines()[0]
        for closes in (["space"], ["enter"], ["escape"], ["d", "d"], ["3"]):
            await pilot.press(*closes)
            assert "What the Bank paid" not in app.lines()[0]
            await pilot.press("d")
            assert "What the Bank paid" in app.lines()[0]
        assert app.chosen == [] and not app.left
        app.show(replace(ready, phase=Phase.RACE))
        await pilot.pause()
        assert "S H O O T !" in "".join(app.lines()), "a race is never covered"
        app.show(board(4, Phase.READY, bank=ready.bank, turn=2))
        await pilot.pause()
        assert "R e a d y ?" in "".join(app.lines()), "it has been seen"
        app.show(ready)
        app.show(board(4, Phase.READY))
        await pilot.pause()
        assert "R e a d y ?" in "".join(app.lines()), "nor does it stay for another match"


async def test_the_result_lies_over_no_sheet() -> None:
    """It tells of the last visit itself; the Bank's list comes when it is asked for."""
    async with on_screen(shell(board(4, Phase.LAY, acting=1))) as (app, pilot):
        app.show(board(4, Phase.OVER, bank=visits(BANKED)))
        await pilot.pause()
        assert "What the Bank paid" not in app.lines()[0]
        await pilot.press("d")
        assert "What the Bank paid" in app.lines()[0]


async def test_what_does_not_fit_on_the_sheet_is_scrolled_to() -> None:
    async with on_screen(shell(board(4, Phase.READY)), (60, 20)) as (app, pilot):
        won = [BANKED[0], *map(cards, ("DGB BGB WGB LRB PAB", "KRC KYC KAB KWB", "HGC HWB"))]
        app.show(board(4, Phase.READY, bank=visits(won)))
        await pilot.pause()
        assert "(1-7/10)" in app.lines()[0] and "3 of the Target" not in "".join(app.lines())
        await pilot.press("down", "down", "down")
        assert "(4-10/10)" in app.lines()[0] and "3 of the Target" in "".join(app.lines())


async def test_the_prices_are_on_the_table_before_anybody_has_been_at_the_bank() -> None:
    """In the smallest terminal whole; a round later behind what was paid."""
    async with on_screen(shell(board(options=PAYING)), (60, 20)) as (app, pilot):
        await pilot.press("d")
        shown = "\n".join(app.lines())
        for line in in_play(five_colours_win=False):
            price = "WINS" if line is Line.WILD else money(CENTS[line])
            assert re.search(rf"{line_words(line)} +[$]?{price.lstrip('$')}", shown)
        assert "Esc: close" in shown and "╭ 8 ─" in shown, "beside the Wheel while there is a race"
        await pilot.press("d")
        assert "Ann (you)" in "".join(app.lines())
        app.show(board(phase=Phase.READY, bank=visits(BANKED)))
        await pilot.pause()
        assert app.find("What the Bank paid")
        assert [words for _actions, words in app.board.actions_now()] == ["Close", "Prices"]
        await pilot.press("d")
        assert app.find("What the Bank pays after")
        await pilot.press("d")
        assert app.find("Ann (you)")


async def test_the_prices_stay_while_nothing_is_asked() -> None:
    async with on_screen(shell(declaring(1))) as (app, pilot):
        await pilot.press("d")
        app.show(board(phase=Phase.TAKE, acting=1, takes=1))
        await pilot.pause()
        assert app.find("What the Bank pays after")
        app.show(board(phase=Phase.TAKE, acting=0, takes=1))
        await pilot.pause()
        assert not [line for line in app.lines() if "The Bank pays" in line], "what is to do now"
        app.show(board())
        await pilot.pause()
        assert app.find("Ann (you)"), "a race is on"


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize(
    ("view", "targets"),
    [(board(options=Options()), 1), (board(options=PAYING), 1), (board(3, seat=None), 0)],
)
def test_all_of_it_has_room(code: str, view: View, targets: int) -> None:
    speak(code)
    rows = prices_block(view, LEAST[0], GLYPHS[GlyphSet.UNICODE], "closes")
    assert len(rows) <= LEAST[1] and max(map(cells, rows)) <= LEAST[0]
    assert sum("★" in span.text for row in rows for span in row) == targets
