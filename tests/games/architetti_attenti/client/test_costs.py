"""Why an action was a mistake."""

import re
from collections import Counter
from random import Random

from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti import choosing, costs
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING
from clocktowers_tui.games.architetti_attenti.hinting import towards
from clocktowers_tui.games.architetti_attenti.words import tile_words
from clocktowers_tui.games.face import Brought
from protocol.games.architetti_attenti import (
    SHOPS,
    TILES,
    Action,
    Buy,
    Kind,
    Options,
    Phase,
    Place,
    View,
    score,
)
from protocol.games.architetti_attenti.board import SIDE, kinds, placements, with_tile
from protocol.ids import Seat
from tests.games.architetti_attenti.boards import board
from tests.games.architetti_attenti.matches import RULES, TownMatch
from tests.games.architetti_attenti.meadows import at
from tests.stage.golden_boards import NAMES

ME = Seat(0)


def told(view: View, action: Action, best: Action) -> dict[str, int]:
    found = costs.costs(view, action, best, NAMES)
    return {one.said: one.points for one in found if one.points > 0}


def test_why_a_purchase_was_a_mistake() -> None:
    """By what it brings at once, to its player and to the next one, and by the gems, what weighs
    most first. What speaks for it has less than no points."""
    view = replace(board(2, own=("a1 b1 1",)), row=(10, 1, 10, 4), on_row=b"\0\3\0\0", gems=b"\5\0")
    view = replace(view, boards=[view.boards[0], board(1, own=("c3 d3 1",)).boards[0]])
    points = "It brings 1 point now, the better one 6."
    gems = "It leaves you 2 gems to choose tiles with, not 7."
    assert [*told(view, Buy(4), Buy(2)).items()] == [(gems, 6250), (points, 5000)]
    assert told(replace(view, left=6), Buy(4), Buy(2)) == {points: 5000}, "few tiles are bought"
    rival = "Now Björn can buy two houses: 6 points, else only 0."
    assert told(view, Buy(1), Buy(2))[rival] == 6000
    assert {one.points for one in costs.costs(view, Buy(2), Buy(1), NAMES)} == {-6000, -2500}
    last = replace(board(2, own=("a1 b1 3",)), row=(10, 1, 10, 4), gems=b"\5\0", left=1)
    lost = "It brings -7 points now, the better one 0: your schools lose 8 with the gems you pay."
    assert told(last, Buy(4), Buy(1)) == {lost: 7000}


def test_why_a_place_was_a_mistake() -> None:
    """By what it brings at once; by a cell that no tile can fill; and by what a tile of the row can
    bring on a cell that is taken, or beside the better place. At the last turn none comes."""
    view = replace(board(2, own=("a1 b1 1",)), phase=Phase.PLACE, tile=10, row=(1, 0, 0, 0))
    near, far = Place(at("a2"), at("b2")), Place(at("g6"), at("g7"))
    less = "It brings 2 points now, the better one 6."
    assert told(replace(view, tile=1), far, near) == {less: 4000}
    assert told(view, near, far) == {TAKEN.format("a2 b2"): 4000}
    assert told(replace(view, left=1), near, far) == {}
    shut = replace(view, boards=board(2, own=("b1 c1 1",)).boards)
    shuts = "It shuts in a1, where no tile fits, and brings no more at once."
    assert told(shut, near, far) == {TAKEN.format("b2"): 4000, shuts: 2000}
    assert told(replace(view, row=bytes(4)), near, far) == {}, "nobody sees one"
    station = replace(view, boards=board(2, own=("a1 a2 11",)).boards, row=(11, 0, 0, 0))
    longer = "The better move lets a station and a track from the market bring 8 points"
    longer += " (Rails) on a5 b5, not 4."
    assert told(station, far, Place(at("a3"), at("a4"))) == {longer: 4000}


TAKEN = "It takes {}, where two houses from the market could bring 6 points (Blocks), elsewhere 2."


def test_what_comes_later_holds_on_the_boards() -> None:
    """Of any two actions in a match, of every part of a town: it is counted again."""
    match, rng, read = TownMatch(2, Options(), 5), Random(5), Counter[str]()
    while not match.over():
        view = match.view()
        legal = RULES.legal_actions(match.state, ME) if view.turn == ME else []
        if len(legal) > 1 and rng.random() < 0.5:
            action, best = rng.sample(legal, 2)
            for part in ("houses", "parks", "shops", "rails", "schools"):
                both: list[list[Brought]] = [[{part: (0, 20_000)}, {}], [{}, {part: (20_000, 0)}]]
                for parts in both:
                    for one in costs.later(view, action, best, parts, NAMES):
                        read[_holds(view, action, best, one.said)] += 1
        match.play_one()
    assert {"tile", "number", "buys", "gems", "at once"} <= {*read}


def _holds(view: View, action: Action, best: Action, said: str) -> str:
    """What the sentence speaks of; asserts that it is so."""
    said = said.removeprefix("It brings more now, less later. ")
    towns = [choosing.town_after(view, towards(view, NOTHING, one)) for one in (action, best)]
    (own, gems), (better, more) = (town or (b"", 0) for town in towns)
    if found := re.fullmatch(
        r"With .+ move (.+) can bring (\d+) .+ on (..) (..), not (.+)\.", said
    ):
        tile = [tile_words(tile) for tile in range(len(TILES))].index(found[1])
        cells = {at(found[3]), at(found[4])}
        least = max(_brings(own, tile).values(), default=0)
        brings = max(n for place, n in _brings(better, tile).items() if {*place} == cells)
        assert (brings, least) == (int(found[2]), int(found[5]))
        return "tile"
    if found := re.fullmatch(r"(.+): (\d+) with the better move, (\d+) as played\.", said):
        counted = _counted(better)[found[1]], _counted(own)[found[1]]
        assert counted == (int(found[2]), int(found[3])) and counted[0] > counted[1]
        return "number"
    if found := re.fullmatch(r"It leaves .*?(\d+) gem.* not (\d+)\.", said):
        assert (gems, more) == (int(found[1]), int(found[2]))
        return "gems"
    if found := re.fullmatch(r"With (\d) more stations? .+ (\d+) points, .+ (\d+)\.", said):
        n, most, less = map(int, found.groups())
        assert (_with_stations(better, n), _with_stations(own, n)) == (most, less) and most > less
        return "stations"
    if found := re.search(
        r"(?:Now Björn can|would sooner) buy (?:tile (\d), )?(.+?)(?:[,:] |\.)", said
    ):
        bought = best if "sooner" in said else action
        assert isinstance(bought, Buy)
        left = [n for n in range(1, 5) if view.row[n - 1] and n != bought.position]
        left = left[: view.gems[1] + 1]
        its = [n for n in left if tile_words(view.row[n - 1]) == found[2]]
        assert its and (not found[1] or int(found[1]) in its)
        told = re.search(r": (\d+) points? \((\w+) (\d+), not (\d+)\)", said)
        assert told or "sooner" in said or re.search(r"with \d more stations? Rails \d+, not", said)
        if told:
            total, part = int(told[1]), told[2].lower()
            now = score.parts(view.boards[1], view.gems[1])
            at_position, tile = its[0], view.row[its[0] - 1]
            had = view.gems[1] - left.index(at_position) + view.on_row[at_position - 1]
            had += at_position < bought.position
            places = placements(view.boards[1], tile)
            ways = [score.parts(with_tile(view.boards[1], tile, *one), had) for one in places]
            found_ways = {(one.total - now.total, getattr(one, part)) for one in ways}
            assert (total, int(told[3])) in found_ways and getattr(now, part) == int(told[4])
        return "waits" if "sooner" in said else "buys"
    return "none" if "no single reason" in said else "at once"


def _brings(own: bytes, tile: int) -> dict[tuple[int, int], int]:
    now = score.parts(own, 0).total
    return {
        place: score.parts(with_tile(own, tile, *place), 0).total - now
        for place in placements(own, tile)
    }


def _counted(own: bytes) -> dict[str, int]:
    """Cell by cell."""
    on, cells = kinds(own), range(len(own))
    least = score.parts(own, 0).shops + 5
    return {
        "Free cells where a shop would bring 5 points or more": sum(
            not on[n] and any(score.parts(_with(own, n, one), 0).shops >= least for one in SHOPS)
            for n in cells
        ),
        "Free cells around your parks, where a house brings 1 point more": sum(
            not on[n] and any(on[m] == Kind.PARK and _touch(n, m) for m in cells) for n in cells
        ),
        **{
            f"Free places for {side}x{side} blocks, {side * side} points each": sum(
                not any(
                    on[SIDE * (y + down) + x + right]
                    for down in range(side)
                    for right in range(side)
                )
                for y in range(SIDE - side + 1)
                for x in range(SIDE - side + 1)
            )
            for side in (2, 3)
        },
    }


def _with(own: bytes, cell: int, kind: int) -> bytes:
    return own[:cell] + bytes([kind]) + own[cell + 1 :]


def _with_stations(own: bytes, more: int) -> int:
    """The most that the rails bring with so many more stations anywhere."""
    free = [cell for cell, on in enumerate(own) if not on]
    built = (_with(own, cell, Kind.STATION) for cell in free)
    if more > 1:
        return max(_with_stations(one, more - 1) for one in built)
    return max(score.parts(one, 0).rails for one in built)


def _touch(one: int, other: int) -> bool:
    rows, columns = zip(divmod(one, SIDE), divmod(other, SIDE), strict=True)
    return max(abs(rows[0] - rows[1]), abs(columns[0] - columns[1])) == 1
