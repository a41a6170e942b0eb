"""The game's golden boards: `python -m` this module writes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti.glyphs import GLYPHS
from clocktowers_tui.games.architetti_attenti.layout import Arrangement
from clocktowers_tui.games.architetti_attenti.placing import Ghost
from clocktowers_tui.games.architetti_attenti.scene import draw
from clocktowers_tui.games.architetti_attenti.sight import Scene
from protocol.games.architetti_attenti import Phase
from protocol.games.architetti_attenti.board import cell_named
from tests.games.architetti_attenti.boards import (
    HOSTILE,
    NEWS,
    NO_ROOM,
    board,
    scene,
)
from tests.stage.golden_boards import SIZES, Golden, Goldens


def boards() -> Mapping[str, Golden]:
    """By file name."""
    found = {}
    for width, height in SIZES:
        for seats in (1, 2, 3, 4):
            up = scene(board(seats), up=2)
            found[f"{seats}-players-{width}x{height}"] = Golden(up, width, height)
        for name, shown in _moments().items():
            found[f"{name}-{width}x{height}"] = Golden(shown, width, height)
    four = scene(board(4), up=2)
    more = {
        "ascii": Golden(four, 80, 24, GlyphSet.ASCII),
        "ascii-120x40": Golden(four, 120, 40, GlyphSet.ASCII),
        "ascii-60x20": Golden(four, 60, 20, GlyphSet.ASCII),
        "ascii-end": Golden(scene(board(4, phase=Phase.OVER)), 80, 24, GlyphSet.ASCII),
        "safe": Golden(four, 80, 24, GlyphSet.SAFE),
        "safe-120x40": Golden(four, 120, 40, GlyphSet.SAFE),
        "safe-60x20": Golden(four, 60, 20, GlyphSet.SAFE),
        "too-dear": Golden(scene(board(4), up=4), 80, 24),
        "no-room": Golden(scene(board(2, own=NO_ROOM), up=1), 80, 24),
        "watching": Golden(scene(board(3, seat=None)), 80, 24),
        "not-ones-turn": Golden(scene(board(3, turn=1)), 80, 24),
        "middle-120x40": Golden(four._replace(wish=Arrangement.MIDDLE), 120, 40),
        "small-80x24": Golden(four._replace(wish=Arrangement.SMALL), 80, 24),
    }
    return {**found, **more}


def _moments() -> Mapping[str, Scene]:
    """What is drawn at every size."""
    four, taken = board(4), cell_named("b5")
    assert taken is not None
    return {
        "misfit": scene(four, up=2, ghost=Ghost(taken, 0)),
        "place": scene(board(4, phase=Phase.PLACE)),
        "news": scene(four)._replace(news=NEWS),
        "another-town": scene(four)._replace(news=NEWS, looking=2),
        "end": scene(board(4, phase=Phase.OVER)),
        "hostile-names": scene(four)._replace(names=HOSTILE),
    }


GOLDENS: Final = Goldens(Path(__file__).parent / "goldens", boards, draw, GLYPHS)


if __name__ == "__main__":
    GOLDENS.write()
