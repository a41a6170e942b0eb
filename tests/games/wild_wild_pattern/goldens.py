"""The game's golden boards: `python -m` this module writes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.scene import draw
from clocktowers_tui.games.wild_wild_pattern.selecting import Selection
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.cards import Challenge
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    HOSTILE,
    LATE,
    PAYING,
    PRACTICE,
    RIGHT,
    WHEEL,
    WRONG,
    board,
    clicked,
    declaring,
    scene,
    told,
    visits,
)
from tests.stage.golden_boards import SIZES, Golden, Goldens


def boards() -> Mapping[str, Golden]:
    """By file name."""
    found = {}
    for width, height in SIZES:
        for seats in (1, 2, 3, 4):
            found[f"{seats}-players-{width}x{height}"] = Golden(scene(board(seats)), width, height)
        for name, shown in _moments().items():
            found[f"{name}-{width}x{height}"] = Golden(shown, width, height)
    moments = _moments()
    more = {}
    for glyphs in (GlyphSet.ASCII, GlyphSet.SAFE):
        more[f"{glyphs}"] = Golden(scene(board()), 80, 24, glyphs)
        more[f"{glyphs}-60x20"] = Golden(scene(board()), 60, 20, glyphs)
        more[f"{glyphs}-120x40"] = Golden(scene(board()), 120, 40, glyphs)
        more[f"{glyphs}-declaring"] = Golden(moments["declaring"], 80, 24, glyphs)
        more[f"{glyphs}-prices"] = Golden(moments["prices"], 60, 20, glyphs)
        more[f"{glyphs}-bank"] = Golden(moments["bank"], 80, 24, glyphs)
    return {**found, **more}


def _moments() -> Mapping[str, Scene]:
    """What is drawn at every size."""
    mine, lays = board(4, Phase.CHALLENGE, acting=0), board(4, Phase.LAY, acting=0)
    return {
        "ready": scene(board(4, Phase.READY, done=[False, True, False, True])),
        "clicked": scene(clicked()),
        "declaring": scene(declaring()),
        "before": scene(declaring(), Selection(Direction.BEFORE, cursor=1)),
        "after": scene(declaring(), Selection(Direction.AFTER, anchor=2)),
        "another-declares": scene(declaring(2)),
        "hit": scene(told(RIGHT, winner=0, barred=RIGHT.place)),
        "wrong": scene(told(WRONG)),
        "late": scene(told(LATE)),
        "practising": scene(board(1, Phase.LAY, acting=0, wheel=WHEEL, options=PRACTICE)),
        "taking": scene(board(4, Phase.TAKE, acting=0, takes=2, barred=2)),
        "challenge": scene(mine),
        "one-card": scene(mine, Selection(challenge=Challenge.ONE_CARD, cursor=7)),
        "laying": scene(lays),
        "watching": scene(board(3, seat=None)),
        "bank": scene(board(4, Phase.READY, bank=visits(BANKED, out=1)), sheet=Sheet.PAID),
        "prices": scene(board(4, Phase.READY, options=PAYING), sheet=Sheet.PRICES),
        "end": scene(board(4, Phase.OVER)),
        "hostile-names": scene(board())._replace(names=HOSTILE),
    }


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
