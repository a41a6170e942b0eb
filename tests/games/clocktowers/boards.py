"""Boards set up by hand, for goldens and tests: cards are written with their codes."""

from collections.abc import Sequence

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.log import News
from clocktowers_tui.games.clocktowers.scene import PARTS, sight
from clocktowers_tui.games.clocktowers.sight import Scene
from protocol.games import clocktowers as ct
from tests.stage.golden_boards import NAMES, drawer

draw = drawer(sight, PARTS)

LOG = (
    "The cards are dealt; Ann begins",
    "Chiara: double floor on 4",
    "Chiara draws clock",
    "Dmitri: yellow roof on 1, height 5: 3 points",
    "Dmitri draws floor mouse",
)
ANN = ("2c.K-.Rr", "2-.1m.1-.K-.Rb", "1-.K-.Ry", "2-.1c.2-", "1-.1m")
HIGH = ("2c.2-.1m.K-.Rr", "2-.2c.2-.1-.K-", "2-.2-.2-.2-.2-.2c.2-", "1-.Km")
READY = ("2c.K-.Rr", "2-.1m.1-.K-", "1-.K-.Ry", "2-.1c.2-.Km", "1-.1m")
OTHERS = (
    ("2-.K-.Rg", "1c.1-.2m.Km.Rp", "2-.2-.1-", "1m"),
    ("1-.K-.Rr", "1-.1-.K-.Rr", "2-.2-.K-.Rb", "1c.1-", "1-.K-"),
    ("2-.1c.1-.1-.K-.Ry", "1-.1m.2c", "2-.K-"),
)
MANY = (*ANN, "1c", "2m.1-", "2-.2-.2c.1-.1-.1-.K-.Rg", "1-.K-", "2m", "1c.1c.1c", "1-", "2c.K-")


NEWS = News(frozenset({(2, 3), (3, 0)}), frozenset({1}), frozenset({1}))


def cards(codes: str) -> bytes:
    return bytes(ct.CODES.index(code) for code in codes.split(".")) if codes else b""


def town(towers: Sequence[str]) -> ct.Town:
    rows = [cards(tower) for tower in towers]
    return ct.Town(rows, bytes(3 if row[-1] >= ct.FIRST_ROOF else 0 for row in rows))


def floor_choices(card: int, towers: Sequence[int]) -> list[ct.Choice]:
    return [
        ct.Choice(ct.Play(card, None), 2),
        *(ct.Choice(ct.Play(card, tower), 7) for tower in towers),
    ]


def roof_choices(held: bytes, towers: Sequence[str]) -> list[ct.Choice]:
    """Every roof in hand on every tower that waits for one, at whatever height."""
    found = []
    for card in sorted({card for card in held if card >= ct.FIRST_ROOF}):
        for tower, row in enumerate(map(cards, towers)):
            if ct.CODES[row[-1]][0] == "K":
                height = sum(ct.STOREYS[one] for one in row)
                found.append(ct.Choice(ct.Play(card, tower), height, 4, height + 1))
    return found


def board(
    seats: int,
    *,
    own: Sequence[str] = ANN,
    hand: str = "2c.K-.Rb",
    phase: ct.Phase = ct.Phase.PLAY,
    seat: int | None = 0,
    known: Sequence[str] = (),
) -> ct.View:
    """Ann's turn. Her floor may start a tower or go on the fourth and fifth, her clock on those."""
    towns = [town(towers) for towers in (own, *OTHERS)[:seats]]
    held = cards(hand)
    legal = [
        *floor_choices(held[0], (3, 4)),
        ct.Choice(ct.Play(7, 3), 5),
        ct.Choice(ct.Play(7, 4), 2),
    ]
    legal += roof_choices(held, own)
    legal += [ct.Choice(ct.Discard(card)) for card in held]
    draws = [ct.Choice(ct.Draw(pile)) for pile in range(3)]
    return ct.View(
        seat=seat,
        turn=0,
        phase=phase,
        hand=held if seat == 0 else b"",
        hands=bytes([len(held), *[3] * (seats - 1)]),
        piles=cards("1m.K-.Rr"),
        left=bytes((12, 7, 9)),
        towns=towns,
        ladder=[bytes((1 << 5, 1 << 3, 1 << 4, 1 << 3, 0b110))],
        points=bytes(sum(one.points) for one in towns),
        thrown=bytes(seats),
        legal=(draws if phase is ct.Phase.DRAW else legal) if seat == 0 else [],
        known=[cards(codes) for codes in known],
    )


def choosing_tower(view: ct.View, card: int = 0) -> choosing.Selection:
    """With the first tower picked that takes the card."""
    at: choosing.Selection = choosing.pick_card(
        view, choosing.settle(view, None, choosing.NOTHING), card
    ).selection
    first = next(iter(choosing.targets(view, at)), None)
    return at._replace(tower=first)


def scene(view: ct.View, *, chosen: int | None = None, waiting: bool = False) -> Scene:
    """With the card at place `chosen` taken up."""
    settled = choosing.settle(view, None, choosing.NOTHING)
    selection = settled if chosen is None else choosing_tower(view, chosen)
    names = NAMES[: len(view.towns)]
    return Scene(view, names, waiting, LOG, selection)
