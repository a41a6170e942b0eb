"""Clocktowers for the laws of the client."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, Final

from msgspec.structs import replace

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers import choosing, words
from clocktowers_tui.games.clocktowers.actions import CARDS, PILES
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.games.clocktowers.choosing import NEW, NOTHING, OUT, settle
from clocktowers_tui.games.clocktowers.inks import HATS, NIGHT, PAINTING, ROOF_PAINTS, Ink
from clocktowers_tui.games.clocktowers.sight import Arrangement, Scene, layout
from clocktowers_tui.games.parts import Hit, Shared
from clocktowers_tui.games.spans import Rect
from clocktowers_tui.keys.keymap import Keymap
from protocol.errors import Refusal
from protocol.games import Switch, clocktowers as ct
from tests.games.clocktowers.boards import LOG, MANY, board, scene
from tests.games.clocktowers.matches import TowerMatch, some_views
from tests.stage.board_shell import BoardShell
from tests.stage.golden_boards import NAMES
from tests.stage.own_files import Drawn, FaceCase, OnBoard, Said

_LOOK: Final = Look()
_FOUR: Final = board(4)


def shell(
    view: ct.View, *, look: Look = _LOOK, wish: str = "", match: TowerMatch | None = None
) -> BoardShell[ClocktowersBoard]:
    board = ClocktowersBoard(look, wish)
    return BoardShell(board, view, lambda view: len(view.towns), LOG, match)


_BOARD: Final = OnBoard(
    shell=shell,
    golden=(_FOUR, ("1", "left", "left"), "4-players-80x24"),
    whose="Ann (you)",
    hints=(
        (_FOUR, ("x",), "Pick a card first"),
        (None, ("1", "n"), "A double floor with a cat starts a new tower here"),
    ),
    sends=(_FOUR, ("1", "left", "left", "enter"), ("enter", "2", "x", "escape"), ct.Play(5, 3)),
    back=(_FOUR, ("1",), 1),
    # The player's own quarter and the cards.
    paints=(_FOUR, board(4), (("right", 5), ("1", 12))),
    marked=(_FOUR, ("1",)),
    parts=(board(3), {"town-0", "town-1", "town-2", "hand", "piles", "ladder", "log"}),
)


def moments(seats: int, seat: int | None) -> Iterator[Scene]:
    order = ct.TurnOrder.DRAW_PLAY if seats == 3 else ct.TurnOrder.PLAY_DRAW
    options = ct.Options(turn_order=order, ladder=ct.Ladder.OWN, open_memory=Switch.ON)
    for view in some_views(seats, options, seed=7, seat=seat):
        yield Scene(view, NAMES[:seats], selection=settle(view, None, NOTHING))


def laid_out(width: int, height: int) -> Iterable[Sequence[Rect]]:
    for seats, slots, wish in product((2, 3, 4), (None, 0, 4), Arrangement):
        if (found := layout(width, height, seats, slots, wish)) is not None:
            yield from ([*found.places(rungs).values()] for rungs in (1, 6))


_CHOOSING: Final = scene(board(4, own=MANY), chosen=0)
_DRAWN: Final = Drawn(
    moments=moments,
    crowded=(_CHOOSING, scene(board(4, known=("2c", "", "K-.Rb.1m", "")))),
    hits=tuple(
        (
            _CHOOSING._replace(wish=wish),
            {
                *(Hit(choosing.point_tower, (place,)) for place in (*range(13), NEW, OUT)),
                *(Hit(choosing.pick_card, (place,)) for place in range(3)),
                *(Hit(choosing.point_pile, (pile,)) for pile in range(3)),
                *(Shared.LOG, None),
            },
        )
        for wish in Arrangement
    ),
    laid_out=laid_out,
    drawn=(*HATS, *NIGHT, Ink.GROUND),  # the letter and the number stand beside them
    grounds=lambda palette: [PAINTING.paints[palette][name].colour for name in ROOF_PAINTS],
    apart=50.0,  # Okabe and Ito's roofs come to 16 for tritan eyes
)


@cache
def played(seats: int, seed: int, seat: int | None) -> TowerMatch:
    match = TowerMatch(seats, ct.Options(), seed, seat)
    while not match.over():
        match.play_one()
    return match


def _card(code: str) -> int:
    return ct.CODES.index(code)


def silent(event: Any) -> bool:
    """A roof is told with the tower that it completes, the player's own discard with the card."""
    if isinstance(event, ct.Played):
        return event.card >= ct.FIRST_ROOF
    return isinstance(event, ct.Discarded) and event.seat == 0


def seen(match: TowerMatch) -> Iterator[tuple[Sequence[Any], ct.View]]:
    """With another first card or seat, another card of any draw, or other cards that went out."""
    events, view = match.events, match.view()
    (dealt, *later), removed = events, view.removed
    for wrong in (
        replace(dealt, first_seat=1 - dealt.first_seat),
        replace(dealt, piles=bytes((dealt.piles[0] % 6 + 1, *dealt.piles[1:]))),
        replace(dealt, left=bytes((dealt.left[0] + 1, *dealt.left[1:]))),
        replace(dealt, piles=b""),
    ):
        yield [wrong, *later], view
    draws = [at for at, event in enumerate(events) if isinstance(event, ct.Drew)]
    for at in draws:
        drew = events[at]
        others = [replace(drew, card=drew.card % 13 + 1), replace(drew, top=drew.top + 1)]
        others += [ct.Drew(0, pile, 300, 7) for pile in (-1, 3, 200)]
        for other in others:
            yield [*events[:at], other, *events[at + 1 :]], view
    first, *_, last = (at for at in draws if events[at].pile == 0)
    swapped = [*events]
    swapped[first], swapped[last] = events[last], events[first]
    yield swapped, view
    yield [*events, events[draws[-1]]], view
    for at, card in enumerate(removed):
        other_card = bytes((card % 13 + 1,))
        yield events, replace(view, removed=removed[:at] + other_card + removed[at + 1 :])
    for hands in (b"", bytes(1), bytes(5)):
        yield events, replace(view, hands=hands)


_DEALT: Final = ct.Dealt(1, b"\1\7\x0b", b"\x0f\x0e\x11", ct.Options())
_WORDS: Final = Said(
    played=played,
    told=(
        (_DEALT, "The cards are dealt; Björn begins"),
        (ct.Played(1, _card("2c"), 3, 4), "Björn put a double floor with a cat on tower 4"),
        (ct.Played(1, _card("2c"), 3, 2), "Björn started tower 4: a double floor with a cat"),
        (ct.Played(1, _card("K-"), 3, 2), "Björn put a clock on tower 4"),
        (ct.Played(1, _card("Rb"), 3, 4), ""),
        (
            ct.Completed(1, 3, _card("Rb"), 4, 3, 5),
            "Björn completed tower 4 (blue, 4 floors): 3 points",
        ),
        (ct.Discarded(1), "Björn discarded a card"),
        (ct.Drew(1, 2, _card("Rg"), _card("Rb")), "Björn drew a green roof"),
        (ct.Drew(1, 2, _card("Rg"), 0), "Björn drew a green roof; no roofs are left"),
    ),
    own=(
        (_DEALT, 1, "The cards are dealt; you begin"),
        (ct.Played(0, _card("2c"), 3, 4), 0, "You put a double floor with a cat on tower 4"),
        (ct.Played(0, _card("2c"), 3, 2), 0, "You started tower 4: a double floor with a cat"),
        (
            ct.Completed(0, 3, _card("Rb"), 4, 3, 5),
            0,
            "You completed tower 4 (blue, 4 floors): 3 points",
        ),
        (ct.Discarded(0), 0, ""),
        (ct.YouDiscarded(_card("Km")), 0, "You discarded a clock with a mouse"),
        (ct.Drew(0, 2, _card("Rg"), _card("Rb")), 0, "You drew a green roof"),
    ),
    silent=silent,
    seen=seen,
    shown=ct.Drew,
    options=(
        (ct.PRESETS["italian"], "First tower of a colour: 2 floors"),
        (
            {"first_heights": [2], "ladder": "own"},
            "First tower of a colour: 2 floors; Heights of the next roofs: each player's own",
        ),
        ({"first_seat": 0}, "Who begins: seat 1"),
        ({"from_a_newer_server": 1, "ladder": "sideways"}, "standard rules"),
    ),
    values={"first_heights": ("1,2", "2")},
    keys=(
        (
            Keymap({PILES[0].id: ("y",), CARDS[0].id: ("e",)}),
            Refusal("wrong_phase", {"phase": ct.Phase.DRAW}),
            "Now draw: y, c or r.",
        ),
    ),
    letters={
        f"the colour {colour}": colour[0].upper()
        for colour in ("blue", "green", "purple", "red", "yellow")
    },
    lettered=lambda: "".join(words.roof_letter(roof) for roof in range(ct.FIRST_ROOF, 14)),
)

CASE: Final = FaceCase(_BOARD, _DRAWN, _WORDS)
