"""The game's golden boards: `python -m` this module writes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.inks import GLYPHS
from clocktowers_tui.games.clocktowers.sight import Arrangement
from protocol.games.clocktowers import Phase
from tests.games.clocktowers.boards import HIGH, MANY, NEWS, READY, board, draw, scene
from tests.stage.golden_boards import HOSTILE, LARGE, SIZES, SMALLEST, USUAL, Golden, Goldens, sized


def boards() -> Mapping[str, Golden]:
    """By file name: each state that is drawn in a way of its own, at the sizes where it is."""
    four, roofs = board(4), board(4, own=READY)
    known = ("", "2c", "K-.Rb", "1m.2-.Ry")
    choosing = scene(four, chosen=0)
    shown = {
        "4-players": (choosing, SIZES),
        "3-players": (scene(board(3), chosen=0), [USUAL]),
        "2-players": (scene(board(2), chosen=0), [USUAL, LARGE]),
        "roofs": (scene(roofs, chosen=2), [USUAL, SMALLEST]),
        "news": (scene(four)._replace(news=NEWS), [USUAL, SMALLEST]),
        "many-towers": (scene(board(4, own=MANY), chosen=0), [USUAL, LARGE]),
        "high-towers": (scene(board(2, own=HIGH), chosen=2), [LARGE]),
        "watching": (scene(board(3, seat=None)), [USUAL]),
        "watching-four": (scene(board(4, seat=None)), [LARGE]),
        "pictures": (choosing._replace(wish=Arrangement.PICTURES), [LARGE]),
        "ledger": (choosing._replace(wish=Arrangement.LEDGER), [USUAL]),
        "no-tower-takes-it": (scene(four, chosen=2), [USUAL]),
        "drawing": (scene(board(4, hand="2c.K-", phase=Phase.DRAW)), [USUAL]),
        "sending": (scene(four, chosen=1, waiting=True), [USUAL]),
        "draw-first": (scene(board(4, hand="2c.K-.Km.Rb"), chosen=0), [USUAL]),
        "open-memory": (scene(board(4, known=known)), [USUAL]),
        "hostile-names": (scene(four)._replace(names=HOSTILE), [USUAL, SMALLEST]),
    }
    ascii_ = sized({"ascii": (choosing, SIZES)}, GlyphSet.ASCII)
    return {**sized(shown), **ascii_, **sized({"safe": (choosing, [USUAL])}, GlyphSet.SAFE)}


GOLDENS: Final = Goldens(Path(__file__).parent / "goldens", boards, draw, GLYPHS)


if __name__ == "__main__":
    GOLDENS.write()
