"""The end of a match in lines, the proof of its deal, and the story of each tower."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from clocktowers_tui.games.clocktowers.words import SCORES, colour_words
from clocktowers_tui.games.face import Story, plies_of
from clocktowers_tui.games.standings import (
    ResultLine,
    ahead,
    level_at_the_top,
    lost_in_words,
    points_in_words,
    ranked,
    standings,
    winners_in_words,
)
from clocktowers_tui.text.fitting import GAP, row_of, widths
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.games.clocktowers import (
    ANIMALS,
    SEATS,
    STOREYS,
    Completed,
    Dealt,
    DecidedBy,
    Drew,
    Event,
    Outcome,
    Played,
    Town,
    View,
    height_of,
    tower_points,
)
from protocol.games.clocktowers.cards import dealt

_NONE: Final = "-"
_APART: Final = 6
"""Cells between two towns side by side."""
_HEAD: Final = (N_("Tower"), N_("Height"), N_("Roof"), N_("Points"), N_("Why"))
_WHY: Final = dict(SCORES)


def result_lines(
    view: View, outcome: Outcome, names: Sequence[str], width: int
) -> list[ResultLine]:
    """The winners, what decided, and a line a seat, best first."""
    first = ResultLine(winners_in_words(outcome, names, view.seat), "bold")
    complete = [complete_in_words(town) for town in view.towns]
    places = standings(outcome, names, complete, width)
    if (how := outcome.decided_by) in (DecidedBy.TIME, DecidedBy.LEFT):
        said = [lost_in_words(outcome.late, names, view.seat, left=how is DecidedBy.LEFT), ""]
    else:
        said = [_decided(view, outcome, names), _("The cards ran out."), ""]
    return [first, *map(ResultLine, said), *places]


def complete_in_words(town: Town) -> str:
    complete = sum(map(bool, town.points))
    return ngettext("{n} complete tower", "{n} complete towers", complete).format(n=complete)


def ahead_in_words(
    view: View, outcome: Outcome, names: Sequence[str], own: int, seats: tuple[int, int]
) -> Sequence[str]:
    """How many towers each of these seats has completed, and for how many points."""
    said = [
        _("{name}: {towers} for {points}.").format(
            name=_("You") if seat == own else names[seat],
            towers=complete_in_words(view.towns[seat]),
            points=points_in_words(outcome.scores[seat]),
        )
        for seat in seats
    ]
    return [" ".join(said)]


def best_first(outcome: Outcome, own: int | None) -> list[int]:
    """The seats: the winners, then the player, then the others by their points."""
    return sorted(ranked(outcome), key=lambda seat: (seat not in outcome.winners, seat != own))


def tower_lines(view: View, outcome: Outcome, names: Sequence[str], width: int) -> list[ResultLine]:
    """The winners' towns and then the player's own first, as many side by side as have room: how
    high each tower is, what it is worth, and why; those that score most first."""
    seats = best_first(outcome, view.seat)
    towns = [_tower_rows(view, seat) for seat in seats]
    table = [[_(word) for word in _HEAD], *(row for town in towns for row in town)]
    needed = widths(table, [0] * len(_HEAD), width)
    wide = sum(needed) + GAP * (len(needed) - 1)
    blocks: list[list[str]] = []
    for seat, town in zip(seats, towns, strict=True):
        points = points_in_words(outcome.scores[seat])
        title = _("Your towers: {points}") if seat == view.seat else _("Towers of {name}: {points}")
        told = [row_of(row, needed) for row in [table[0], *town]] if wide <= width else []
        told = told or [*map(_told, town)]
        none = ["  " + _("no tower")]
        blocks.append([title.format(name=names[seat], points=points), *(told if town else none)])
    across = max(1, (width + _APART) // (wide + _APART))
    columns, lines = [wide + _APART - GAP] * across, list[ResultLine]()
    for n in range(0, len(blocks), across):
        for at, row in enumerate(zip_longest(*blocks[n : n + across], fillvalue="")):
            style = "bold" if not at else "dim" if at == 1 and wide <= width else ""
            lines.append(ResultLine(row_of(row, columns[: len(row)]), style))
        lines.append(ResultLine(""))
    return lines


def _told(row: Sequence[str]) -> str:
    """A tower on a narrow screen."""
    number, height, roof, points, why = row
    said = _("height {height}").format(height=height)
    if points != _NONE:
        said = f"{said}, {roof}: {points_in_words(int(points))}"
    return f"  {number} {said}, {why}"


def _tower_rows(view: View, seat: int) -> list[list[str]]:
    town = view.towns[seat]
    most = sorted(range(len(town.towers)), key=lambda tower: -town.points[tower])
    return [[f"{n + 1:2}", *_tower(town.towers[n], town.points[n])] for n in most]


def _tower(cards: bytes, points: int) -> list[str]:
    height = str(height_of(cards))
    if not points:
        return [height, _NONE, _NONE, _("not complete")]
    return [height, colour_words(cards[-1]), str(points), _why(cards, points)]


def _why(cards: bytes, points: int) -> str:
    words = _(_WHY[points]) if points in _WHY else ""
    if tower_points(cards, True) != points == tower_points(cards, False):
        return _("{why}, clock aside").format(why=words)
    return words


_TIES: Final = {
    DecidedBy.MOUSE: N_("{names} are tied on points: a mouse on a top floor decides ({towers})."),
    DecidedBy.CAT: N_(
        "{names} are tied, also by mice on top floors: a cat on a top floor decides ({towers})."
    ),
    DecidedBy.SHARED: N_("{names} are tied, also by mice and cats on top floors."),
}


def _decided(view: View, outcome: Outcome, names: Sequence[str]) -> str:
    towers = decisive(view, outcome)
    winner = outcome.winners[0]
    told = _in_words(towers, "" if view.seat == winner else names[winner])
    if outcome.decided_by is DecidedBy.POINTS:
        most = " " + _("Worth most: {towers}.").format(towers=told) if towers else ""
        return ahead(outcome, names, view.seat) + most
    return _(_TIES[outcome.decided_by]).format(
        names=level_at_the_top(outcome, names, view.seat),
        towers=told,
    )


def decisive(view: View, outcome: Outcome) -> list[int]:
    """The winner's towers, from 0 on, that decided: those with the animal that broke a tie on their
    topmost floor card, else those that brought most points; none where several players have won,
    at least half of the complete towers brought most, or somebody else's as much."""
    town = view.towns[outcome.winners[0]]
    complete = [tower for tower, points in enumerate(town.points) if points]
    animal = {DecidedBy.MOUSE: "m", DecidedBy.CAT: "c"}.get(outcome.decided_by)
    if animal is not None:
        return [tower for tower in complete if _on_top(town.towers[tower]) == animal]
    most = max((points for one in view.towns for points in one.points), default=0)
    best = [tower for tower in complete if town.points[tower] == most]
    others = sum(one.points.count(most) for one in view.towns) > len(best)
    few = len(outcome.winners) == 1 and 2 * len(best) < len(complete)
    return best if few and not others else []


def _on_top(cards: bytes) -> str:
    """The animal on the topmost floor card, if any."""
    return ANIMALS[[card for card in cards if STOREYS[card]][-1]]


def _in_words(towers: Sequence[int], name: str) -> str:
    """`name`: whose they are; "" = the player's."""
    said = ngettext("your tower {n}", "your towers {n}", len(towers))
    if name:
        said = ngettext("{name}'s tower {n}", "{name}'s towers {n}", len(towers))
    return said.format(name=name, n=", ".join(str(tower + 1) for tower in towers))


# Deals again from the seed shown at the end, and compares that with what was seen of the match.
#
# Law: only a contradiction counts against the seed. What was not seen leaves the question open,
# so a gap in the events accuses nobody.


def same_deal(events: Sequence[Event], view: View, seed: bytes) -> bool | None:
    """See `Face.same_deal`: the first seat, tops and counts, every card drawn, pile by pile and in
    order, and the removed cards of the last view."""
    seats = len(view.hands)
    if seats not in SEATS:
        return False
    openings = [event for event in events if isinstance(event, Dealt)]
    deal = dealt(seats, seed, openings[0].options.first_seat if openings else None)
    draws = [event for event in events if isinstance(event, Drew)]
    tops = bytes(pile[0] for pile in deal.piles)
    begun = tops, bytes(map(len, deal.piles)), deal.first_seat
    possible = (
        view.removed in (b"", b"".join(deal.removed))
        and all((one.piles, one.left, one.first_seat) == begun for one in openings)
        and _possible_draws(draws, deal.piles)
    )
    if not possible:
        return False
    # Draws in the right order that are as many as the cards are all of them; some cards are left
    # where a player's time was up.
    drawn = sum(map(len, deal.piles)) - sum(view.left)
    complete = openings and view.removed and len(draws) == drawn
    return True if complete else None


def _possible_draws(draws: Sequence[Drew], piles: Sequence[bytes]) -> bool:
    """Whether the draws from each pile, some perhaps unseen, are in its order."""
    # A test of membership uses the iterator up as far as the card: each is looked for below the
    # one before.
    below = [zip(pile, pile[1:] + b"\0", strict=True) for pile in piles]
    return all(
        0 <= draw.pile < len(piles) and (draw.card, draw.top) in below[draw.pile] for draw in draws
    )


# The story of each tower: the cards that players build on it -------------------------------------


def stories(told: Sequence[Sequence[Event]], names: Sequence[str]) -> Sequence[Story]:
    """Of all towers, in the order in which they were begun."""
    words = _("tower {tower} of {name}")
    return [
        Story(words.format(tower=number + 1, name=names[seat]), plies)
        for (seat, number), plies in plies_of(told, _towers).items()
    ]


def _towers(event: Event) -> Sequence[tuple[int, int]]:
    """Seat and number, from 0."""
    return ((event.seat, event.tower),) if isinstance(event, Played | Completed) else ()
