"""The game's golden boards: `python -m` this module writes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti.choosing import inside
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS
from clocktowers_tui.games.architetti_attenti.sight import Arrangement
from protocol.games.architetti_attenti import Phase
from tests.games.architetti_attenti.boards import NEWS, NO_ROOM, board, draw, scene
from tests.games.architetti_attenti.meadows import at
from tests.stage.golden_boards import HOSTILE, LARGE, SIZES, SMALLEST, USUAL, Golden, Goldens, sized


def boards() -> Mapping[str, Golden]:
    """By file name: each state that is drawn in a way of its own, at the sizes where it is."""
    view, over = board(4), scene(board(4, phase=Phase.OVER))
    four, news = scene(view, up=2), scene(view)._replace(news=NEWS)
    shown = {
        "4-players": (four, SIZES),
        "3-players": (scene(board(3), up=2), [USUAL]),
        "2-players": (scene(board(2), up=2), [USUAL, LARGE]),
        "1-players": (scene(board(1), up=2), SIZES),
        "misfit": (scene(view, up=2, ghost=inside(at("b5"), 0)), [USUAL, SMALLEST]),
        "place": (scene(board(4, phase=Phase.PLACE)), [USUAL]),
        "news": (news, [USUAL, LARGE]),
        "another-town": (news._replace(looking=2), [USUAL, SMALLEST]),
        "end": (over, SIZES),
        "hostile-names": (scene(view)._replace(names=HOSTILE), [USUAL, SMALLEST]),
        "too-dear": (scene(view, up=4), [USUAL]),
        "no-room": (scene(board(2, own=NO_ROOM), up=1), [USUAL]),
        "watching": (scene(board(3, seat=None)), [USUAL]),
        "not-ones-turn": (scene(board(3, turn=1)), [USUAL]),
        "middle": (four._replace(wish=Arrangement.MIDDLE), [LARGE]),
        "small": (four._replace(wish=Arrangement.SMALL), [USUAL]),
    }
    ascii_ = sized({"ascii": (four, SIZES), "ascii-end": (over, [USUAL])}, GlyphSet.ASCII)
    return {**sized(shown), **ascii_, **sized({"safe": (four, [USUAL])}, GlyphSet.SAFE)}


GOLDENS: Final = Goldens(Path(__file__).parent / "goldens", boards, draw, GLYPHS)


if __name__ == "__main__":
    GOLDENS.write()
