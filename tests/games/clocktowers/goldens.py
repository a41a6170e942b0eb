"""The game's golden boards: `python -m` this module writes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.scene import draw
from clocktowers_tui.games.clocktowers.sight import Scene
from protocol.games.clocktowers import Phase
from tests.games.clocktowers.boards import (
    HIGH,
    HOSTILE,
    MANY,
    NEWS,
    READY,
    board,
    scene,
)
from tests.stage.golden_boards import SIZES, Golden, Goldens


def boards() -> Mapping[str, Golden]:
    """By file name."""
    found = {
        f"{seats}-players-{width}x{height}": Golden(scene(board(seats), chosen=0), width, height)
        for seats in (2, 3, 4)
        for width, height in SIZES
    }
    known = ("", "2c", "K-.Rb", "1m.2-.Ry")
    more = {
        "roofs-80x24": Golden(scene(board(4, own=READY), chosen=2), 80, 24),
        "roofs-60x20": Golden(scene(board(4, own=READY), chosen=2), 60, 20),
        "roofs-120x40": Golden(scene(board(4, own=READY), chosen=2), 120, 40),
        "news": Golden(scene(board(4))._replace(news=NEWS), 80, 24),
        "news-60x20": Golden(scene(board(4))._replace(news=NEWS), 60, 20),
        "many-towers-120x40": Golden(scene(board(4, own=MANY), chosen=0), 120, 40),
        "high-towers-120x40": Golden(scene(board(2, own=HIGH), chosen=2), 120, 40),
        "draw-first-120x40": Golden(scene(board(4, hand="2c.K-.Km.Rb"), chosen=0), 120, 40),
        "watching-120x40": Golden(scene(board(4, seat=None)), 120, 40),
        "pictures-120x40": Golden(arranged(Arrangement.PICTURES), 120, 40),
        "ledger-120x40": Golden(arranged(Arrangement.LEDGER), 120, 40),
        "ledger-80x24": Golden(arranged(Arrangement.LEDGER), 80, 24),
        "ascii-60x20": Golden(scene(board(4), chosen=0), 60, 20, GlyphSet.ASCII),
        "ascii-120x40": Golden(scene(board(4), chosen=0), 120, 40, GlyphSet.ASCII),
        "safe-60x20": Golden(scene(board(4), chosen=0), 60, 20, GlyphSet.SAFE),
        "safe-120x40": Golden(scene(board(4), chosen=0), 120, 40, GlyphSet.SAFE),
        "ascii": Golden(scene(board(4), chosen=0), 80, 24, GlyphSet.ASCII),
        "safe": Golden(scene(board(4), chosen=0), 80, 24, GlyphSet.SAFE),
        "no-tower-takes-it": Golden(scene(board(4), chosen=2), 80, 24),
        "drawing": Golden(scene(board(4, hand="2c.K-", phase=Phase.DRAW)), 80, 24),
        "sending": Golden(scene(board(4), chosen=1, waiting=True), 80, 24),
        "draw-first": Golden(scene(board(4, hand="2c.K-.Km.Rb"), chosen=0), 80, 24),
        "open-memory": Golden(scene(board(4, known=known)), 80, 24),
        "watching": Golden(scene(board(3, seat=None)), 80, 24),
        "many-towers-80x24": Golden(scene(board(4, own=MANY), chosen=0), 80, 24),
        "many-towers-60x20": Golden(scene(board(4, own=MANY), chosen=0), 60, 20),
        "hostile-names": Golden(scene(board(4))._replace(names=HOSTILE), 80, 24),
        "hostile-names-60x20": Golden(scene(board(4))._replace(names=HOSTILE), 60, 20),
    }
    return {**found, **more}


def arranged(wish: Arrangement) -> Scene:
    return scene(board(4), chosen=0)._replace(wish=wish)


GOLDENS: Final = Goldens(Path(__file__).parent / "goldens", boards, draw, GLYPHS)


if __name__ == "__main__":
    GOLDENS.write()
