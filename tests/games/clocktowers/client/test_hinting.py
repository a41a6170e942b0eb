"""What hints, remarks and the banner say is true of what the player holds, and has room."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from clocktowers_tui.games.clocktowers import choosing, sentences
from clocktowers_tui.games.clocktowers.costs import costs, later
from clocktowers_tui.games.clocktowers.hinting import advice
from clocktowers_tui.games.clocktowers.ladder import is_spent, needed
from clocktowers_tui.games.clocktowers.words import card_phrase
from clocktowers_tui.games.face import Advice, advice_in_words
from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    PILES,
    STOREYS,
    Action,
    Choice,
    Discard,
    Draw,
    Options,
    Phase,
    Pile,
    Play,
    TurnOrder,
    View,
    height_of,
)
from protocol.text import cells
from tests.games.clocktowers.boards import board, cards, choosing_tower
from tests.games.clocktowers.matches import TowerMatch, some_views
from tests.games.clocktowers.positions import card
from tests.stage.golden_boards import NAMES

_LINE: Final = 78
"""Cells of the line for them in 80 columns."""
LADDER = bytes((0b100, 0b1000, 0b10000, 0b1000, 0b10000))
"""Blue 2, green 3, purple 4, red 3, yellow 4."""


def held(hand: str, *own: str, piles: str = "1m.K-.Rr", left: int = 9) -> View:
    """A table for two; Björn has a tower for a green roof at 2."""
    view = board(2, own=own, hand=hand)
    tops = cards(piles)[:2] + (cards(piles)[2:] if left else b"\0")
    return replace(view, piles=tops, left=bytes((9, 9, left)), ladder=[LADDER])


def told(view: View, action: Action, height: int = 0, then: Action | None = None) -> Advice:
    listed = [Choice(action, height), *view.legal]
    found = advice(replace(view, legal=listed), action, then)
    assert found is not None
    return found


def why(view: View, action: Action, height: int = 0) -> str:
    return told(view, action, height).why


_COMPLETES: Final = "it completes it, for 5 points"
_NEXT: Final = "yours are for tower 1, the next needs one"
_ONCE: Final = "it fits once the tower has a clock"


@pytest.mark.parametrize(
    ("pile", "hand", "own", "tops", "plan", "reason"),
    [
        (Pile.CLOCK, "1-", "1-.K- 2-", "1m.K-.Rr", "for tower 2", "it has no clock yet"),
        (Pile.CLOCK, "1-", "2- 1m", "1m.Km.Rr", "for tower 2", "it needs one after a floor"),
        (Pile.CLOCK, "1-", "2-", "1m.Km.Rr", "for tower 1", "it has no clock yet"),
        (Pile.CLOCK, "1-.Km", "2-", "1m.K-.Rr", "for tower 1", "you hold no clock without a mouse"),
        (Pile.CLOCK, "1-.Km", "2m", "1m.K-.Rr", "and keep it", _NEXT),
        (Pile.CLOCK, "1-.Km", "2-", "1m.Km.Rr", "", "to see the next card"),
        (Pile.CLOCK, "1-.K-", "2-", "1m.K-.Rr", "and keep it", _NEXT),
        (Pile.CLOCK, "1-.K-", "2- 1-", "1m.Km.Rr", "for tower 2", "it needs one after a floor"),
        (Pile.CLOCK, "1-.K-", "2- 1-", "1m.K-.Rr", "for tower 2", "you hold too few clocks"),
        (Pile.CLOCK, "1-", "2-.K-", "1m.K-.Rr", "and keep it", "your next tower needs one"),
        (Pile.ROOF, "1-", "1- 1-.2-.K-", "1m.K-.Rr", "for tower 2", _COMPLETES),
        (Pile.ROOF, "1-", "1- 1-.2-", "1m.K-.Rr", "for tower 2", _ONCE),
        (Pile.ROOF, "1-", "1-", "1m.K-.Rr", "for tower 1", "the tower can grow high enough"),
        (Pile.ROOF, "1-", "2-.2-.K-", "1m.K-.Rr", "and keep it", "it goes on a tower of 3 floors"),
        (Pile.ROOF, "1-", "2-.2-", "1m.K-.Rr", "and keep it", "it goes on a tower of 3 floors"),
        (Pile.FLOOR, "Rr", "1-.K- 1-", "1m.K-.Rr", "for tower 2", "a blue roof then fits"),
        (Pile.FLOOR, "Rb", "1-", "1m.K-.Rr", "for tower 1", "right for your blue roof"),
        (Pile.FLOOR, "Rb", "2-.K- 1-", "1m.K-.Rr", "for tower 2", "a blue roof then fits"),
        (Pile.FLOOR, "Rr", "1-.K-", "1m.K-.Rr", "for a new tower", "it can bring 2 points"),
    ],
)
def test_what_a_card_is_drawn_for(
    pile: Pile, hand: str, own: str, tops: str, plan: str, reason: str
) -> None:
    found = told(held(hand, *own.split(), piles=tops), Draw(pile))
    card = card_phrase(cards(tops)[pile])
    assert (found.what, found.why) == (f"draw {card} {plan}".strip(), reason)


def test_a_hint_says_of_a_card_what_the_server_plans() -> None:
    view, first = held("1-.Km", "2-", "1-", "2-.K-"), "you hold no clock without a mouse"
    for then, *known in (
        (Play(card("1-"), 0), "draw a clock for tower 1", first),
        (Play(card("K-"), 1), "draw a clock for tower 2", "you hold too few clocks"),
        (Play(card("K-"), 2), "draw a clock for tower 3", ""),
        (Discard(card("K-")), "draw a clock", "to see the next card"),
    ):
        found = told(view, Draw(Pile.CLOCK), then=then)
        assert [found.what, found.why] == known


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ("1-.2-.K-", "A red roof completes tower 1 now: 5 points."),
        ("1-.2-", "A red roof fits tower 1 once it has a clock. A clock fits tower 1 now."),
        ("1-.2- 1-.2-", "A red roof fits towers 1, 2 once they have clocks. A clock fits towers"),
        ("1-.K-", "A floor with a mouse starts a new tower."),
    ],
)
def test_before_a_draw_it_is_told_whether_a_tower_takes_the_card(own: str, told: str) -> None:
    """Of the pile under the cursor; before one is, of what a tower takes: what fits nowhere is no
    reproach. A lesson says it itself."""
    view = held("1-", *own.split())
    at = choosing.Selection(choosing.Stage.PILE)
    said = sentences.hint(view, at)
    assert said.startswith(told)
    for pile in (Pile.ROOF, Pile.CLOCK):
        of_pile = sentences.hint(view, at._replace(pile=pile))
        assert (of_pile in said) is ("fits no tower yet" not in of_pile)
    assert sentences.hint(view, at._replace(pile=Pile.FLOOR)).startswith("A floor with a mouse")
    assert said.startswith(sentences.hint(view, at, room=58)), "the roof first"
    assert sentences.hint(view, at, asked=[Draw(Pile.ROOF)]) == ""
    clock = sentences.hint(held("1-.Rr", "2-.1-"), at._replace(pile=Pile.CLOCK))
    assert clock == "A clock on tower 1: right for your red roof, 5 points."
    floor = sentences.hint(held("1-.Rr", "2-.K-"), at._replace(pile=Pile.FLOOR))
    assert floor == "A floor with a mouse starts a new tower."


@pytest.mark.parametrize("seed", range(12))
def test_a_draw_is_told_what_the_preview_says_with_the_card_in_hand(seed: int) -> None:
    """At tables that draw first the position is the same; the tip may say less, never other."""
    match = TowerMatch(2, Options(turn_order=TurnOrder.DRAW_PLAY), seed)
    compared = 0
    while not match.over():
        view = match.view()
        match.play_one()
        then = match.view()
        drawn = view.turn == 0 == then.turn and len(view.hand) < len(then.hand)
        if not drawn or is_spent(view):
            continue
        pile = next(pile for pile in Pile if view.left[pile] != then.left[pile])
        begun = choosing.settle(then, None, choosing.NOTHING)
        index = then.hand.index(view.piles[pile])
        picked = choosing.pick_card(then, begun, index).selection
        tip = sentences.hint(view, choosing.Selection(choosing.Stage.PILE, pile=pile))
        said, compared = sentences.hint(then, picked), compared + 1
        assert picked.tower is not None or "fits no" in tip or "once" in tip, (tip, said)
        dead = "any more: worth nothing" in tip or "now no roof fits it" in tip
        assert dead == ("any more: worth nothing" in said), (tip, said)
        assert "fits it yet" in said or "fits it yet" not in tip, (tip, said)
        assert "fits it yet" not in said or "right for your" not in tip, (tip, said)
        numbers = [re.findall("(?:worth|not) ([0-9]+)", one) for one in (tip, said) if "not" in one]
        assert len(numbers) < 2 or numbers[0] == numbers[1], (tip, said)
        places = re.search("towers? ([0-9, ]*[0-9])", tip)
        if places and picked.tower is not None and not dead:
            assert str(picked.tower + 1) in places[1].split(", "), (tip, said)
    assert compared > 5


def test_a_card_that_needs_another_one_first_says_so() -> None:
    """All next roofs need 3 floors, and the tower has 2."""
    view = replace(held("1-", "2c", piles="1m.Km.Rr"), ladder=[bytes((8,) * 5)])
    at = choosing.Selection(choosing.Stage.PILE)
    clock = sentences.hint(view, at._replace(pile=Pile.CLOCK))
    assert clock == "A clock with a mouse can go on tower 1 after a floor: now no roof fits it."
    assert "clock" not in sentences.hint(view, at)


def test_why_a_card_is_discarded() -> None:
    """It says that no tower takes the card only where none does."""
    stuck = replace(held("1-.Km.Rr", "1-.K-"), legal=[])
    assert why(stuck, Discard(card("Rr"))) == "none of your towers takes it now"
    playable = replace(stuck, legal=[Choice(Play(card("Km"), 0), 1)])
    assert why(playable, Discard(card("Km"))) == "you hold more clocks than your towers need"
    costly = replace(held("1-.Km.Rr", "1-"), legal=[Choice(Play(card("Km"), 0), 1)])
    assert why(costly, Discard(card("Km"))) == "its animal costs points anywhere"
    harmless = replace(costly, legal=[Choice(Play(card("1-"), 0), 2)])
    assert why(harmless, Discard(card("1-"))) == "you keep a clock with a mouse for tower 1"
    roofed = replace(held("1-.Rr", "2-.1-"), legal=[Choice(Play(card("1-"), 0), 4)])
    assert why(roofed, Discard(card("1-"))) == "you keep a red roof for tower 1"
    roofless = replace(harmless, hand=cards("1-.Km"))
    assert why(roofless, Discard(card("1-"))) == "you keep a clock with a mouse for tower 1"
    floors = replace(harmless, hand=cards("1-.2c"))
    assert why(floors, Discard(card("1-"))) == "you hold others of this kind"
    kept = replace(floors, hand=cards("1-.K-"), legal=[Choice(Play(card("K-"), 0), 2)])
    assert why(kept, Discard(card("K-"))) == "you keep a floor for a new tower"
    twice = replace(harmless, hand=harmless.hand + bytes((card("1-"),)))
    assert why(twice, Discard(card("1-"))) == "you hold another one like it"
    gone = replace(stuck, ladder=[bytes(5)])
    assert why(gone, Discard(card("Rr"))) == "it fits no tower any more"
    last = replace(held("1-.Km", "2-", piles="1m.Km.Rr"), left=bytes((9, 1, 9)))
    assert why(last, Draw(Pile.CLOCK)) == "the last of its pile: nobody else gets it"


@pytest.mark.parametrize(
    ("hand", "height", "left", "reason"),
    [
        ("K-.Rr", 3, 9, "5 points with your red roof"),
        ("K-.Rb", 3, 9, "5 points with roofs in 2 of 5 colours"),
        ("K-.Rb", 1, 9, "you keep a blue roof for later"),
        ("K-.Rb", 4, 0, "only a roof is missing, for 5 points"),
        ("K-.Rr", 2, 0, "you keep a red roof for later"),
    ],
)
def test_why_a_clock_is_played(hand: str, height: int, left: int, reason: str) -> None:
    view = held(hand, "1-", left=left)
    assert why(view, Play(card("K-"), 0), height) == reason
    if "for later" in reason:
        view = replace(view, left=bytes((0, 9, left)))  # now it would not grow either
        assert why(view, Play(card("K-"), 0), height) == "it gets no roof: nothing is lost"


@pytest.mark.parametrize(
    ("hand", "height", "left", "tower", "reason"),
    [
        ("1-.Rr", 3, 9, 0, "right for your red roof"),
        ("1-.Rb", 4, 9, 0, "for roofs in 2 of 5 colours"),
        ("1-.Rb", 1, 9, None, "it can bring 5 points"),
        ("1-.Rb", 1, 9, 0, "the next roofs need more floors"),
        ("1-.1-.Rb", 1, 0, None, "the next roofs need more floors"),
        ("1-.Rb", 7, 9, 0, "you keep a blue roof for later"),
    ],
)
def test_why_a_floor_is_played(
    hand: str, height: int, left: int, tower: int | None, reason: str
) -> None:
    view = held(hand, "1-", left=left, piles="1m.K-.Rg")
    assert why(view, Play(card("1-"), tower), height) == reason


def test_where_any_roof_fits_the_animal_speaks_for_a_floor() -> None:
    """The open roof would fit any tower begun."""
    view = replace(held("1-.1c.1m", "2-"), ladder=[bytes((0b110,) * 5)])
    new = {code: why(view, Play(card(code), None), 1) for code in ("1-", "1c", "1m")}
    assert new == {
        "1-": "worth 5, the other only 2",
        "1c": "worth 4, the other only 2",
        "1m": "on any other it costs points",
    }
    assert why(view, Play(card("K-"), 0), 2) == "5 points with any roof"


def test_with_no_roof_left_nothing_scores() -> None:
    """Neither in the hand nor in the pile; then the banner and each hint say so."""
    over = held("1-.K-", "1-.K-", left=0)
    assert is_spent(over)
    assert why(over, Discard(card("K-"))) == "no roof is left: any will do"
    for phase in (Phase.PLAY, Phase.DRAW):
        said = sentences.expected(replace(over, phase=phase), NAMES)
        assert said == "No roof fits any more: your towers score no more"
    assert not is_spent(held("1-.Rb", "1-.K-", left=0))
    assert not is_spent(held("1-.K-", "1-.K-", left=1))
    assert not is_spent(replace(over, seat=None))


def test_hints_and_previews_take_one_line_of_80_columns() -> None:
    """Of real positions, with names as long as the bots'."""
    said = set()
    for view in some_views(2, Options(), seed=1):
        found = [advice(view, choice.action) for choice in view.legal]
        said |= {advice_in_words(one) for one in found if one is not None}
        start = choosing.settle(view, None, choosing.NOTHING)
        for index in range(len(view.hand) if start.stage is choosing.Stage.CARD else 0):
            at = choosing.pick_card(view, start, index).selection
            for choice in choosing.targets(view, at).values():
                picked = at._replace(tower=choosing.place(choice))
                said.add(sentences.hint(view, picked, room=_LINE))
    assert len(said) > _LINE and max(map(cells, said)) <= _LINE


# The reasons against the state -------------------------------------------------------------------


def untrue(view: View, choice: Choice, what: str, said: str) -> bool:
    """A second reading of what a reason claims, with the points and colours left aside."""
    seat = view.seat or 0
    row = view.ladder[seat % len(view.ladder)]
    own = view.towns[seat]
    height = {n: sum(STOREYS[one] for one in t) for n, t in enumerate(own.towers, 1)}
    begun = {n: t for n, t in enumerate(own.towers, 1) if not own.points[n - 1]}

    def wanted(roofs: bytes, high: int) -> bool:
        return any(one >= FIRST_ROOF and row[one - FIRST_ROOF] >> high & 1 for one in roofs)

    drawn = view.piles[choice.action.pile] if isinstance(choice.action, Draw) else 0
    number = int(found[1]) if (found := re.search("tower ([0-9]+)", f"{what} {said}")) else 0
    clocked = {n for n, tower in begun.items() if tower[-1] >= FIRST_CLOCK}
    if "right for your" in said or "points with your" in said:
        return not wanted(view.hand, choice.height or height[number] + STOREYS[drawn])
    if said.startswith("kept for tower"):
        fits = wanted(view.hand, height[number]) if said.endswith("roof") else number not in clocked
        return number not in begun or not fits
    if said.startswith("it completes it"):
        in_hand = wanted(view.hand, height[number])
        return number not in clocked or not wanted(bytes((drawn,)), height[number]) or in_hand
    if said.startswith("it fits once the tower"):
        return number not in begun or number in clocked or wanted(view.hand, height[number])
    if " then fit" in said:
        high = height[number] + STOREYS[drawn]
        return number in clocked or not wanted(bytes(range(FIRST_ROOF, FIRST_ROOF + 5)), high)
    if "has no clock yet" in said or "can grow to the floors it needs" in said:
        return number not in begun or number in clocked
    if "needs one floor more" in said:
        played = choice.action.card if isinstance(choice.action, Play) else 0
        return not view.left[Pile.ROOF] and view.hand.count(played) < 2
    return (" fits" in said and "any more" not in said) or pointless(view, said)


def pointless(view: View, said: str) -> bool:
    """Whether a reason speaks of towers that nobody can finish: floors, clocks and roofs are there
    as long as they lie on a pile or in the hand."""
    floors, clocks, roofs = (
        view.left[pile] or any(PILES[one] == pile for one in view.hand)
        for pile in (Pile.FLOOR, Pile.CLOCK, Pile.ROOF)
    )
    if "can bring" in said or "then fit" in said:
        return not (clocks and roofs)
    if "your next tower" in said or "can grow" in said or "it goes on a tower" in said:
        return not (floors and clocks and roofs)
    return "has no clock yet" in said and not roofs


def test_near_the_end_no_reason_speaks_of_what_nobody_can_finish() -> None:
    """With a pile or two empty, or a single one left."""
    late = replace(held("1-", "2-", "1-"), left=bytes((0, 5, 0)))
    assert why(replace(late, hand=cards("1-.Rb")), Draw(Pile.CLOCK)) == "only this pile has cards"
    late = replace(late, left=bytes((5, 5, 0)), hand=cards("Rb"))
    assert why(late, Draw(Pile.CLOCK)) == "it has no clock yet"
    low = replace(held("Rb", "1-"), left=bytes((0, 5, 5)))
    assert why(low, Draw(Pile.CLOCK)) == "to see the next card"
    roof = replace(held("Rb", "2-.K-"), left=bytes((5, 5, 0)))
    assert why(roof, Play(card("Rb"), 0), 2) == "only towers with a roof score"
    two = replace(roof, hand=cards("Rb.Rb"))
    assert why(two, Play(card("Rb"), 0), 2) == "the next one needs one floor more"
    clockless = replace(held("1-.Rb", "1-"), left=bytes((5, 0, 5)))
    assert why(clockless, Play(card("1-"), None), 1) == "it gets no roof: nothing is lost"
    for pile in (Pile.FLOOR, Pile.ROOF):
        assert why(clockless, Draw(pile)) == "to see the next card"
    assert pointless(clockless, "it can bring 5 points"), "a control"


@pytest.mark.parametrize("seed", range(4))
def test_every_reason_is_true_of_the_state(seed: int) -> None:
    told = set()
    for view in some_views(2, Options(), seed=seed):
        for choice in view.legal:
            found = advice(view, choice.action)
            assert found is not None and not untrue(view, choice, found.what, found.why), found
            told.add(re.sub("[0-9]+", "", found.why))
    assert len(told) > 15
    view = held("1-", "1-")
    assert untrue(view, Choice(Play(card("1-"), 0), 2), "", "right for your blue roof")


# What a review says of a move that another was better than ----------------------------------------


_NEW: Final = Play(card("1-"), None)
_NOW: Final = "A blue roof completes tower 1 now: 5 points."
_LEFT: Final = "Now Björn can complete a tower with a green roof: 2 points."
_OUT: Final = "You can then only discard: no tower of yours takes a card of your hand."
_NO_FLOOR: Final = "You hold no floor: you can begin no tower."
_LOW: Final = "Tower 1 can bring 5 points, but is too low, and you hold no floor."
_CLEAN: Final = "With a floor a tower can bring 5 points, with your floors 2 at most."
_CATS: Final = "With a clock with a mouse your blue roof would complete tower 2: 3 points, not 2."
_BEGIN: Final = "It could begin a new tower, for up to 5 points."
_NO_CLOCK: Final = "Tower 1 can bring 2 points, but you hold no clock."
_GREEN: Final = "the green roof would complete"
_MOUSE: Final = f"With a floor with a mouse and a clock from your hand {_GREEN}"
_RIGHT: Final = "With a floor and a clock your blue roof would complete tower 1: 5 points."


@pytest.mark.parametrize(
    ("hand", "own", "played", "better", "said"),
    [
        ("1-.Rb", "2-.K-", Discard(card("Rb")), _NEW, _NOW),
        ("1-.Rr", "2-.K-", Discard(card("Rr")), _NEW, ""),
        ("1-.K-.Rb", "1-", Discard(card("1-")), Play(card("1-"), 0), _RIGHT),
        ("1-.K-.Rb", "1-", Play(card("K-"), 0), Play(card("1-"), 0), _RIGHT),
        (
            "1-.K-.Rb",
            "2-",
            Discard(card("K-")),
            Discard(card("1-")),
            "You need a clock for tower 1: 5 points with your blue roof.",
        ),
        (
            "Km.Rb",
            "2- 2c",
            Play(card("Km"), 0),
            Play(card("Km"), 1),
            f"Tower 1: worth 2, not 5.\n{_CATS}",
        ),
        ("Km.Rb", "2c", Play(card("Km"), 0), Discard(card("Km")), ""),
        ("Km.Rb", "2c 2c", Play(card("Km"), 0), Play(card("Km"), 1), ""),
        ("2-", "1m", Discard(card("2-")), Play(card("2-"), None), _BEGIN),
        ("Rr", "2c.1- 2m.K-", Draw(Pile.ROOF), Draw(Pile.CLOCK), ""),
        ("Rr.Km", "2-.K-", Draw(Pile.CLOCK), Draw(Pile.FLOOR), _OUT),
        ("K-", "1-", Draw(Pile.CLOCK), Draw(Pile.FLOOR), _LOW),
        ("K-.Rb", "2-.K-", Draw(Pile.CLOCK), Draw(Pile.FLOOR), _NO_FLOOR),
        ("1m.Km", "2-", Draw(Pile.CLOCK), Draw(Pile.FLOOR), _CLEAN),
        ("1m.Rb", "2-", Draw(Pile.CLOCK), Draw(Pile.FLOOR), ""),
        ("1-", "1-", Draw(Pile.CLOCK), Draw(Pile.ROOF), _LEFT),
        (
            "K-",
            "2-",
            Draw(Pile.FLOOR),
            Draw(Pile.ROOF),
            f"With a clock from your hand {_GREEN} tower 1: 5 points.\n{_LEFT}",
        ),
        ("1m.K-", "1-", Draw(Pile.FLOOR), Draw(Pile.ROOF), f"{_MOUSE} tower 1: 2 points.\n{_LEFT}"),
        ("1-", "2-", Draw(Pile.FLOOR), Draw(Pile.CLOCK), _NO_CLOCK),
    ],
)
def test_what_a_mistake_has_cost(
    hand: str, own: str, played: Action, better: Action, said: str
) -> None:
    view = held(hand, *own.split(), piles="1-.Km.Rg", left=2)
    towns = [view.towns[0], replace(view.towns[1], towers=[cards("1-.1m.K-")], points=bytes(1))]
    high = [
        height_of(choosing.with_card(view, one)) if isinstance(one, Play) else 0
        for one in (played, better)
    ]
    plays = [Choice(played, high[0]), Choice(better, high[1]), Choice(Play(card("Rb"), 0), 2, 5)]
    view = replace(view, ladder=[bytes((0b100, 0b100, 0b10000, 0b1000, 0b10000))])
    view = replace(view, towns=towns, legal=plays)
    told = costs(view, played, better, NAMES)
    assert "\n".join(one.said for one in told) == said
    assert all((one.seat != view.seat) == one.said.startswith("Now ") for one in told)
    with_roof = replace(view, known=[b"", cards("Rb")])
    told = costs(with_roof, played, better, NAMES)
    assert all(one.seat == view.seat for one in told), "it completes the tower as well"


def test_only_a_card_that_can_help_a_tower_is_better_than_to_discard() -> None:
    view = held("Rr", "1-.K-", piles="1-.K-.Rg", left=2)
    view = replace(view, ladder=[bytes((0b100,) * 5)])
    draws = Draw(Pile.ROOF), Draw(Pile.FLOOR)
    view = replace(view, legal=[Choice(one, 0) for one in draws])
    clockless = replace(view, left=bytes((2, 0, 2)))
    said = [[one.said for one in costs(each, *draws, NAMES)] for each in (view, clockless)]
    assert [_OUT in each for each in said] == [True, False]


Parts: TypeAlias = tuple[Mapping[str, tuple[int, int]], ...]
_MINE_0: Final[Parts] = ({"0": (0, 900)}, {})
_MINE_NEW: Final[Parts] = ({"new": (0, 900)}, {})
_HIS_0: Final[Parts] = ({}, {"0": (900, 0)})
_HIS_1: Final[Parts] = ({}, {"1": (900, 0)})
_HIS_NEW: Final[Parts] = ({}, {"new": (900, 0)})
_DRAWS: Final = Draw(Pile.CLOCK), Draw(Pile.FLOOR)
_NONE_HELD: Final = "Tower 1 has no clock yet, and you then hold none."
_TOO_LOW: Final = "Tower 1 is too low for any roof now: it needs one more floor."
_HIGHER: Final = "With a double floor 1 of the 5 roof colours would fit tower 1, not 0."
_ENDED: Final = "your blue roof would have ended that."


@pytest.mark.parametrize(
    ("hand", "own", "played", "better", "parts", "said"),
    [
        (
            "1-.Rb",
            "1-",
            Discard(card("1-")),
            Play(card("1-"), 0),
            _MINE_0,
            "Tower 1 needs 2 floors for your blue roof.",
        ),
        (
            "1-.Rb",
            "2-",
            Discard(card("Rb")),
            Discard(card("1-")),
            _MINE_0,
            "The blue roof fits tower 1 once it has a clock.",
        ),
        (
            "1-.K-",
            "1-",
            Discard(card("1-")),
            Play(card("1-"), 0),
            _MINE_0,
            "No roof fits tower 1 yet: it has 1 floor.",
        ),
        ("1-", "1-", Draw(Pile.FLOOR), Draw(Pile.CLOCK), _MINE_0, _NONE_HELD),
        ("K-", "1-", *_DRAWS, _MINE_0, _TOO_LOW),
        (
            "K-",
            "2-",
            Draw(Pile.CLOCK),
            Draw(Pile.ROOF),
            _MINE_0,
            "With a clock from your hand the green roof would complete tower 1: 5 points.",
        ),
        ("K-", "1-", *_DRAWS, _MINE_NEW, "You then hold no floor to begin a tower with."),
        ("1m", "1-", *_DRAWS, _MINE_NEW, _CLEAN),
        ("1-", "1-.K-", *_DRAWS, _MINE_NEW, "You have one floor, and no tower is begun."),
        (
            "1-",
            "1-",
            Draw(Pile.FLOOR),
            Draw(Pile.CLOCK),
            _MINE_NEW,
            "Your next tower needs a clock, and you then hold none.",
        ),
        (
            "1-",
            "1-",
            Discard(card("1-")),
            Play(card("1-"), None),
            _MINE_NEW,
            "You have 11 more turns: a tower begun now may still get its clock and roof.",
        ),
        (
            "1-",
            "1-",
            Draw(Pile.FLOOR),
            Draw(Pile.ROOF),
            _MINE_NEW,
            "The green roof takes a low tower: 2 floors.",
        ),
        (
            "1-.Rb",
            "2-.K-",
            Discard(card("Rb")),
            Play(card("Rb"), 0),
            _HIS_0,
            f"A blue roof fits tower 1 of Björn; {_ENDED}",
        ),
        (
            "1-.Rb",
            "2-.K-",
            Discard(card("Rb")),
            Play(card("Rb"), 0),
            _HIS_NEW,
            f"A blue roof goes on low towers; {_ENDED}",
        ),
        (
            "1-",
            "1-",
            Draw(Pile.FLOOR),
            Draw(Pile.ROOF),
            _HIS_0,
            "Björn can now take a green roof for tower 1 of Björn.",
        ),
        (
            "1-",
            "1-",
            Draw(Pile.FLOOR),
            Draw(Pile.CLOCK),
            _HIS_1,
            "Björn can now take a clock with a mouse for tower 2 of Björn.",
        ),
        (
            "1-",
            "1-",
            Draw(Pile.FLOOR),
            Draw(Pile.CLOCK),
            _HIS_NEW,
            "Björn can now take a clock with a mouse for a new tower.",
        ),
        ("1-", "1-", Draw(Pile.FLOOR), Draw(Pile.CLOCK), _HIS_0, ""),
        ("2-.K-.Rb", "1-", Discard(card("2-")), Discard(card("Rb")), _MINE_0, _HIGHER),
        (
            "K-.Rr",
            "2-",
            Discard(card("Rr")),
            Discard(card("K-")),
            _MINE_0,
            "The red roof fits tower 1 once it has 3 floors.",
        ),
    ],
)
def test_what_comes_later_is_told_by_what_both_moves_leave(
    hand: str,
    own: str,
    played: Action,
    better: Action,
    parts: Parts,
    said: str,
) -> None:
    """Björn has a tower for a green roof, or a blue one, and one of two floors without a clock."""
    view = held(hand, *own.split(), piles="1-.Km.Rg", left=2)
    towers = [cards("1-.1m.K-"), cards("2-")]
    towns = [view.towns[0], replace(view.towns[1], towers=towers, points=bytes(2))]
    plays = [Choice(one, 0) for one in (played, better)]
    for n, one in enumerate((played, better)):
        if isinstance(one, Play):
            tower = choosing.with_card(view, one)
            plays[n] = Choice(one, height_of(tower), 5 if tower[-1] >= FIRST_ROOF else 0, 3)
    ladder = bytes((0b100, 0b100, 0b10000, 0b1000, 0b10000))
    view = replace(view, towns=towns, legal=plays, ladder=[ladder])
    found = later(view, played, better, parts, NAMES)
    assert "\n".join(one.said for one in found) == said
    least = not said or said.endswith("a new tower.")
    assert [one.points for one in found] == [900 * (not least)] * bool(said)


# What a play gives --------------------------------------------------------------------------------


STATUS_CELLS = 80
SMALLEST = 58


def test_a_card_that_fits_nowhere_says_what_it_needs() -> None:
    view = replace(board(4), ladder=[bytes((0, 0b100, 0, 0b1100, 0))])
    blue, green, red = 9, 10, 12
    assert needed(view, red) == "The red roof needs a clock on 2 or 3 floors."
    assert needed(view, green) == "The green roof needs a clock on exactly 2 floors."
    assert needed(view, blue) == "The blue roof fits no tower any more: discard it."
    assert needed(view, 7) == "A clock needs a tower of floors without a clock."


@pytest.mark.parametrize("room", [SMALLEST, STATUS_CELLS])
def test_a_card_that_a_lesson_wants_out_says_the_key_for_that(room: int) -> None:
    view = board(4)
    at = choosing_tower(view)
    out = Discard(view.hand[at.card])
    assert sentences.hint(view, at, room=room, asked=[out]).endswith("x: discard it.")
    assert "discard" not in sentences.hint(view, at, room=room, asked=[])


def test_a_mouse_clock_says_what_it_takes_away_where_such_mice_count() -> None:
    legal = [Choice(Play(card("Km"), 0), 2)]
    view = replace(board(4, own=["2-"], hand="Km"), legal=legal)
    said = {}
    for count in (True, False):
        table = replace(view, count_clock_mice=count)
        said[count] = sentences.hint(table, choosing_tower(table), room=80)
    assert "2 floors, worth 2, not 5" in said[True]
    assert "worth 5 when complete" in said[False] and "not" not in said[False]


_GOES: Final = "A double floor with a cat goes on tower 4"


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (None, f"{_GOES}, worth up to 4. No roof fits it yet. Enter: play it."),
        (80, f"{_GOES}. No roof fits it yet. Enter: play it."),
        (70, f"{_GOES}. No roof fits it yet."),
    ],
)
def test_a_hint_leaves_out_what_has_no_room(room: int | None, said: str) -> None:
    view = board(4)
    assert sentences.hint(view, choosing_tower(view), room=room) == said


@pytest.mark.parametrize(("left", "when"), [(5, "yet"), (0, "any more")])
def test_a_new_tower_has_no_number_and_grows_as_long_as_floors_come(left: int, when: str) -> None:
    legal = [Choice(Play(card("1m"), None), 1)]
    view = replace(board(4, own=["2-.K-"], hand="1m"), legal=legal, ladder=[bytes([4] * 5)])
    view = replace(view, left=bytes((left, 5, 5)))
    for room in (None, 80, 60):
        said = sentences.hint(view, choosing_tower(view), room=room)
        assert "a new tower" in said and f"No roof fits it {when}" in said
        assert left or "up to" not in said, "it is worth nothing"


def test_hints_of_real_plays_fit_and_say_points_and_the_next_height() -> None:
    whole, usual, small = map(roof_hints, (None, STATUS_CELLS, SMALLEST))
    assert whole and all("point" in hint and "then needs" in hint for hint in whole)
    assert all("point" in hint and "Enter" in hint for hint in usual)
    assert all("point" in hint for hint in small)
    assert max(map(cell_len, usual)) <= STATUS_CELLS
    assert max(map(cell_len, small)) <= SMALLEST < max(map(cell_len, whole))


def roof_hints(room: int | None) -> list[str]:
    return [
        sentences.hint(view, choosing.pick_card(view, at, index).selection, room=room)
        for seed in range(3)
        for view in some_views(2, Options(), seed)
        if (at := choosing.settle(view, None, choosing.NOTHING)).stage is choosing.Stage.CARD
        for index, card in enumerate(view.hand)
        if CODES[card][0] == "R" and choosing.pick_card(view, at, index).remark is None
    ]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (board(4), "Your turn: play or discard a card"),
        (board(4, phase=Phase.DRAW), "Your turn: draw a card"),
        (board(4, seat=None), "Ann is choosing a card"),
        (board(4, seat=None, phase=Phase.DRAW), "Ann is drawing a card"),
        ([*some_views(2, Options(), seed=2)][-1], "The match is over"),
    ],
)
def test_expected(view: View, line: str) -> None:
    assert sentences.expected(view, NAMES) == line
