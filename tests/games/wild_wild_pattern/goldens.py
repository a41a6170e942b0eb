"""The game's golden boards: `python -m` this module writes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.wild_wild_pattern.choosing import Selection, on_offer
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import Challenge, Direction
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    LATE,
    PAYING,
    PRACTICE,
    RIGHT,
    WHEEL,
    WILD,
    WRONG,
    board,
    clicked,
    declaring,
    draw,
    scene,
    told,
    visits,
)
from tests.stage.golden_boards import HOSTILE, LARGE, SIZES, SMALLEST, USUAL, Golden, Goldens, sized


def pointed(view: View, selection: Selection, at: int) -> Scene:
    """With the cursor on this offer."""
    return scene(view, selection._replace(cursor=on_offer(view, selection)[at]))


def boards() -> Mapping[str, Golden]:
    """By file name: each state that is drawn in a way of its own, at the sizes where it is."""
    mine, lays = board(4, Phase.CHALLENGE, acting=0), board(4, Phase.LAY, acting=0)
    bank = scene(board(4, Phase.READY, bank=visits(BANKED, out=1)), sheet=Sheet.PAID)
    prices = scene(board(4, Phase.READY, options=PAYING), sheet=Sheet.PRICES)
    practising = scene(board(1, Phase.LAY, acting=0, wheel=WHEEL, options=PRACTICE))
    picking = pointed(mine, Selection(challenge=Challenge.ONE_CARD), 7)
    shown = {
        **{f"{seats}-players": (scene(board(seats)), [USUAL]) for seats in (2, 3)},
        **{f"{seats}-players": (scene(board(seats)), SIZES) for seats in (1, 4)},
        "ready": (scene(board(4, Phase.READY, done=[False, True, False, True])), [USUAL, SMALLEST]),
        "clicked": (scene(clicked()), [USUAL]),
        "declaring": (scene(declaring()), SIZES),
        "before": (pointed(declaring(), Selection(Direction.BEFORE), 1), [USUAL]),
        "after": (scene(declaring(), Selection(Direction.AFTER, anchor=2)), [USUAL]),
        "another-declares": (scene(declaring(2)), [USUAL]),
        "hit": (scene(told(RIGHT, winner=0, barred=RIGHT.place)), SIZES),
        "wrong": (scene(told(WRONG)), [USUAL, SMALLEST]),
        "late": (scene(told(LATE)), [USUAL]),
        "practising": (practising, SIZES),
        "taking": (scene(board(4, Phase.TAKE, acting=0, takes=2, barred=2)), [USUAL]),
        "challenge": (scene(mine), [USUAL, SMALLEST]),
        "wild": (scene(replace(mine, won=WILD)), [USUAL]),
        "one-card": (picking, [USUAL, SMALLEST]),
        "laying": (scene(lays), [USUAL]),
        "watching": (scene(board(3, seat=None)), [USUAL]),
        "bank": (bank, SIZES),
        "prices": (prices, [USUAL]),
        "end": (scene(board(4, Phase.OVER)), [USUAL]),
        "hostile-names": (scene(board())._replace(names=HOSTILE), [USUAL, SMALLEST]),
    }
    others = {"declaring": shown["declaring"][0], "bank": bank}
    ascii_ = {"ascii": (scene(board()), [USUAL, LARGE]), "ascii-prices": (prices, [SMALLEST])}
    ascii_ |= {f"ascii-{name}": (one, [USUAL]) for name, one in others.items()}
    safe = {"safe": (scene(board()), [USUAL])}
    return {**sized(shown), **sized(ascii_, GlyphSet.ASCII), **sized(safe, GlyphSet.SAFE)}


GOLDENS: Final = Goldens(
    Path(__file__).parent / "goldens",
    boards,
    draw,
    GLYPHS,
    # The dots of an unfinished sentence are replaced where sentences are spoken.
    foreign="ö…",
)


if __name__ == "__main__":
    GOLDENS.write()
