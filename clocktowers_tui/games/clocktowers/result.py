"""The end of a match in lines: who won and why, every seat's points, then tower by tower."""

from collections.abc import Sequence
from typing import Final, assert_never

from textual.content import Content

from clocktowers_tui.columns import aligned, widths
from clocktowers_tui.games.clocktowers.words import colour_words
from clocktowers_tui.i18n import N_, _, ngettext
from protocol.games.clocktowers import ANIMALS, CODES, STOREYS, DecidedBy, Outcome, View

_NONE: Final = "-"
_HEAD: Final = (N_("Tower"), N_("Cards"), N_("Height"), N_("Roof"), N_("Points"), N_("Why"))
_WHY: Final = {
    5: N_("no animals"),
    4: N_("cats only"),
    3: N_("cats and mice"),
    2: N_("mice only"),
}
"""Points of a complete tower → what earns them (rules: Score)."""
_EARNED: Final = {"": 5, "c": 4, "cm": 3, "m": 2}


def result_lines(view: View, outcome: Outcome, names: Sequence[str], width: int) -> list[Content]:
    """The winners, what decided, and a line a seat, best first."""
    ranked = _ranked(outcome)
    scores = aligned([_score(view, outcome, names, seat) for seat in ranked], (0, 1, 0, 0), width)
    standings = [
        Content.styled(line, "bold" if seat in outcome.winners else "")
        for seat, line in zip(ranked, scores, strict=True)
    ]
    first = Content.styled(_winners(outcome, names), "bold")
    return [first, Content(_decided(view, outcome, names)), Content(""), *standings]


def tower_lines(view: View, outcome: Outcome, names: Sequence[str], width: int) -> list[Content]:
    """Seat by seat, the cards of each tower in the notation of the ledger, from the ground up."""
    seats = _ranked(outcome)
    rows = [_tower_rows(view, seat) for seat in seats]
    in_columns = _in_columns([row for of_seat in rows for row in of_seat], width)
    lines: list[Content] = []
    for seat, of_seat in zip(seats, rows, strict=True):
        points = _points(outcome.scores[seat])
        title = _("Towers of {name}: {points}").format(name=names[seat], points=points)
        lines += [Content.styled(title, "bold")]
        if not of_seat:
            lines.append(Content("  " + _("no tower")))
        elif in_columns is None:
            lines += [Content(line) for row in of_seat for line in _stacked(row)]
        else:
            lines += [Content.styled(in_columns.pop(0), "dim")] if seat == seats[0] else []
            lines += [Content(in_columns.pop(0)) for _row in of_seat]
        lines.append(Content(""))
    return lines


def _in_columns(rows: list[list[str]], width: int) -> list[str] | None:
    """The heading and all rows, each in one line; None where the cards would be cut."""
    table = [[_(word) for word in _HEAD], *rows]
    shares = (0, 1, 0, 0, 0, 0)
    uncut = max((len(row[1]) for row in rows), default=0)
    return aligned(table, shares, width) if widths(table, shares, width)[1] >= uncut else None


def _stacked(row: Sequence[str]) -> list[str]:
    """A tower on a narrow screen: what it is worth, and its cards below."""
    number, cards, height, roof, points, why = row
    said = _("height {height}").format(height=height)
    if points != _NONE:
        said = f"{said}, {roof}: {_points(int(points))}"
    return [f"  {number} {said}, {why}", f"     {cards}"]


def _tower_rows(view: View, seat: int) -> list[list[str]]:
    town = view.towns[seat]
    return [
        [f"{index + 1:2}", *_tower(cards, points)]
        for index, (cards, points) in enumerate(zip(town.towers, town.points, strict=True))
    ]


def _tower(cards: bytes, points: int) -> list[str]:
    codes = ".".join(CODES[card] for card in cards)
    height = str(sum(STOREYS[card] for card in cards))
    if not points:
        return [codes, height, _NONE, _NONE, _("not complete")]
    return [codes, height, colour_words(cards[-1]), str(points), _why(cards, points)]


def _why(cards: bytes, points: int) -> str:
    words = _(_WHY[points]) if points in _WHY else ""
    if _earned(cards) != points == _earned(cards[:-2]):
        return _("{why}, clock aside").format(why=words)
    return words


def _earned(cards: bytes) -> int:
    return _EARNED["".join(sorted({ANIMALS[card] for card in cards}))]


def _ranked(outcome: Outcome) -> list[int]:
    return sorted(range(len(outcome.scores)), key=lambda seat: _rank(outcome, seat))


def _rank(outcome: Outcome, seat: int) -> tuple[bool, int]:
    return seat not in outcome.winners, -outcome.scores[seat]


def _place(outcome: Outcome, seat: int) -> int:
    """From 1 on; who is not told from another shares their place."""
    mine = _rank(outcome, seat)
    return 1 + sum(_rank(outcome, other) < mine for other in range(len(outcome.scores)))


def _score(view: View, outcome: Outcome, names: Sequence[str], seat: int) -> list[str]:
    complete = sum(map(bool, view.towns[seat].points))
    towers = ngettext("{n} complete tower", "{n} complete towers", complete).format(n=complete)
    place = f"{_place(outcome, seat)}."
    return [place, names[seat], _points(outcome.scores[seat]), towers]


def _points(points: int) -> str:
    return ngettext("{n} point", "{n} points", points).format(n=points)


# Who won -----------------------------------------------------------------------------------------


def _winners(outcome: Outcome, names: Sequence[str]) -> str:
    winners = [names[seat] for seat in outcome.winners]
    if len(winners) == 1:
        return _("{name} wins").format(name=winners[0])
    return _("{names} share the win").format(names=_listed(winners))


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {name}").format(names=", ".join(names[:-1]), name=names[-1])


def _decided(view: View, outcome: Outcome, names: Sequence[str]) -> str:
    best = max(outcome.scores)
    level = [name for name, score in zip(names, outcome.scores, strict=False) if score == best]
    match outcome.decided_by:
        case DecidedBy.POINTS:
            return _("Most points decide.")
        case DecidedBy.MOUSE:
            sentence = _(
                "{names} are level on points: a mouse on the topmost floor of a complete tower "
                "decides ({towers})."
            )
            towers = _with_on_top(view, outcome, "m")
        case DecidedBy.CAT:
            sentence = _(
                "{names} are level on points, and mice do not decide: a cat on the topmost floor "
                "of a complete tower does ({towers})."
            )
            towers = _with_on_top(view, outcome, "c")
        case DecidedBy.SHARED:
            sentence = _(
                "{names} are level on points, and neither mice nor cats on the topmost floors of "
                "their complete towers tell them apart."
            )
            towers = ""
        case _:
            assert_never(outcome.decided_by)
    return sentence.format(names=_listed(level), towers=towers)


def _with_on_top(view: View, outcome: Outcome, animal: str) -> str:
    """Which complete towers of the winner have the animal on their topmost floor card."""
    town = view.towns[outcome.winners[0]]
    towers = [
        str(index + 1)
        for index, (cards, points) in enumerate(zip(town.towers, town.points, strict=True))
        if points and ANIMALS[[card for card in cards if STOREYS[card]][-1]] == animal
    ]
    said = ngettext("the winner's tower {n}", "the winner's towers {n}", len(towers))
    return said.format(n=", ".join(towers))
