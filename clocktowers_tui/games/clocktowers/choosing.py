"""What the player is about to do: card, then tower; or a pile; and what that marks. Pure.

A digit picks a card of the hand, whatever is picked already; arrows lead from tower to tower.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Final, NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len

from clocktowers_tui.games.clocktowers.inks import Glyphs
from clocktowers_tui.games.clocktowers.ladder import (
    complete,
    fitting,
    floors_in_words,
    gets,
    needed,
    open_towers,
    rooflessness,
    roofs,
)
from clocktowers_tui.games.clocktowers.towers import is_complete
from clocktowers_tui.games.clocktowers.words import height_letter
from clocktowers_tui.games.keys import Step, not_now
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Span
from clocktowers_tui.text.i18n import N_
from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Action,
    Choice,
    Discard,
    Draw,
    Phase,
    Pile,
    Play,
    View,
    height_of,
    tower_points,
)

NEW: Final = -1
"""The place of a tower that would be started."""
OUT: Final = -2
"""No tower: the card goes out of the game."""


class Marks(NamedTuple):
    """`legal`: the towers that take the chosen card, `NEW` among them, and the plays. `at`: the one
    picked for it. `sending`: the pick is under way. `fresh`: the towers that others have built on
    since the player's turn, or that a review speaks of."""

    legal: Mapping[int, Choice] = {}
    at: int | None = None
    sending: bool = False
    fresh: frozenset[int] = frozenset()


def label(place: int, marks: Marks, glyphs: Glyphs) -> Span:
    """The tower's number, counted from 1 (`+` for a new one), and what marks it: no brackets, for
    it is no key."""
    number = "+" if place == NEW else str(place + 1)
    if place == marks.at:
        sign = glyphs.sending if marks.sending else glyphs.turn
        return Span(f"{sign}{number}", Voice.MARKED)
    if place in marks.fresh:
        return Span(number.join(glyphs.fresh), Voice.LOUD)
    if place in marks.legal:
        return Span(number, Voice.BOLD)
    return Span(number, Voice.DIM)


def tag(play: Choice, room: int = 0) -> str:
    """The height, `3 floors`, or `h3` where there is no room for two digits; of a roof `+5`, the
    points: where its colour goes stands at Next roof."""
    if play.points:
        return f"+{play.points}"
    long = cell_len(floors_in_words([10])) <= room
    return floors_in_words([play.height]) if long else f"{height_letter()}{play.height}"


def places(towers: int, marks: Marks) -> list[int]:
    """The places drawn, left to right: every tower, then a new one where that may be started."""
    new = [NEW] if NEW in (marks.at, *marks.legal, *marks.fresh) else []
    return [*range(towers), *new]


# What the player is about to do: card, then tower; or a pile. Pure values and functions.
#
# Laws: no key makes an action out of anything but the view's own cards, towers and piles;
# nothing is played by one key alone; a pick that the view does not list is still handed out as
# an action, because the server, which knows the rules, answers why it is impossible.


Stage = Enum("Stage", "NOTHING CARD TOWER PILE")
"""`NOTHING`: it is somebody else's turn, the match is over, or one only watches."""


class Selection(NamedTuple):
    """`card`: place in the hand. `tower`: index, NEW, OUT, or None while no tower takes it. `pile`:
    the one picked, None while none is; `asked`: the one that was last asked for, by its key.
    `hinted`: the action of a hint in this position."""

    stage: Stage = Stage.NOTHING
    card: int = 0
    tower: int | None = None
    pile: int | None = None
    asked: int | None = None
    hinted: Action | None = None


class Remark(StrEnum):
    """Why a key did nothing; with the names of keys in braces."""

    CHOOSE_CARD_FIRST = N_("Pick a card first: its number, or {moves} and {confirm}.")
    NO_SUCH_CARD = N_("You have no such card: the numbers are on the cards.")
    DRAW_NOW = N_("You have played: now draw with {piles}, or {moves} and {confirm}.")


NOTHING: Final = Selection()


def settle(view: View, before: View | None, selection: Selection) -> Selection:
    """The selection to go on with when a view comes in: the same if nothing about it changed."""
    if view.seat is None or view.turn != view.seat:
        return NOTHING
    if before is not None and _what_counts(before) == _what_counts(view):
        return selection
    if view.phase is Phase.DRAW:
        return Selection(Stage.PILE)  # with none picked: an Enter too many draws nothing
    return Selection(Stage.CARD) if view.hand else NOTHING


def _what_counts(view: View) -> tuple[object, ...]:
    """While these are the same, an unfinished choice makes sense."""
    return view.turn, view.phase, view.hand, view.left, view.legal, view.towns


def plays(view: View, card: int) -> dict[int, Choice]:
    """Place → the play that the view lists for this card: towers ascending, then a new one."""
    found = {
        place(choice): choice
        for choice in view.legal
        if isinstance(choice.action, Play) and choice.action.card == card
    }
    return {at: found[at] for at in sorted(found, key=lambda at: (at == NEW, at))}


def targets(view: View, selection: Selection) -> dict[int, Choice]:
    """The same for the card at hand."""
    return plays(view, view.hand[selection.card])


def place(choice: Choice) -> int:
    """Where a play goes: a tower's index or NEW."""
    tower = choice.action.tower if isinstance(choice.action, Play) else None
    return NEW if tower is None else tower


def target(view: View, selection: Selection) -> Choice | None:
    """The play picked, or None."""
    if selection.stage is not Stage.TOWER or selection.tower is None:
        return None
    return targets(view, selection).get(selection.tower)


def marks(view: View, selection: Selection, *, sending: bool) -> Marks:
    """What the choice marks in the player's own town."""
    if selection.stage is not Stage.TOWER:
        return Marks()
    return Marks(targets(view, selection), selection.tower, sending)


def move(view: View, selection: Selection, step: int) -> Step:
    """To the next (+1) or last (-1) card, tower that takes the card (where none does, its
    discard), or pile that has cards; from a discard to the first of the towers."""
    match selection.stage:
        case Stage.CARD:
            return Step(selection._replace(card=(selection.card + step) % len(view.hand)))
        case Stage.TOWER:
            places = [*targets(view, selection)] or [OUT]
            return Step(selection._replace(tower=_next(places, selection.tower, step)))
        case Stage.PILE:
            piles = [pile for pile in range(len(view.left)) if view.left[pile]]
            return Step(selection._replace(pile=_next(piles, selection.pile, step)))
        case _:
            return Step(selection, remark=_why_not_now(view, selection))


def down(view: View, selection: Selection) -> Step:
    """With a card in hand to its discard, where no other arrow leads: nobody slips onto it."""
    if selection.stage is Stage.TOWER:
        return Step(selection._replace(tower=OUT))
    return move(view, selection, 1)


def pick_card(view: View, selection: Selection, card: int) -> Step:
    """Take the card up. It lies where a hint has put it, or else on that of the towers which take
    it where it is best, but nothing is played."""
    if selection.stage in (Stage.NOTHING, Stage.PILE):
        return Step(selection, remark=_why_not_now(view, selection))
    if not 0 <= card < len(view.hand):
        return Step(selection, remark=Remark.NO_SUCH_CARD)
    chosen = Selection(Stage.TOWER, card=card, hinted=selection.hinted)
    found = targets(view, chosen)
    if not found:
        return Step(chosen, remark=needed(view, view.hand[card]))
    if selection.hinted == Discard(view.hand[card]):
        return Step(chosen._replace(tower=OUT))
    hinted = [at for at, play in found.items() if play.action == selection.hinted]
    best = min(hinted or found, key=lambda at: drawbacks(view, found[at]))
    return Step(chosen._replace(tower=best))


def with_drawn(view: View, pile: int) -> View:
    """With the top card of the pile in the hand, and where it goes, listed as of the server."""
    card = view.piles[pile]
    takes: dict[int | None, int] = {None: 0} if card < FIRST_CLOCK else {}
    takes |= {n - 1: height_of(one) for n, one in open_towers(view) if card < FIRST_ROOF}
    legal = [Choice(Play(card, at), high + STOREYS[card]) for at, high in takes.items()]
    left = bytes(many - (one == pile) for one, many in enumerate(view.left))
    return replace(view, hand=view.hand + bytes((card,)), left=left, legal=legal)


def worths(view: View, choice: Choice) -> tuple[int, int]:
    """What a tower pays once it is complete, without the card of this play and with it; 0 where it
    gets no roof, and for a new tower without."""
    if not isinstance(choice.action, Play):
        return 0, 0
    tower = with_card(view, choice.action)
    less, grows = tower[:-1], gets(view, Pile.FLOOR)
    had = less and rooflessness(view, height_of(less), grows=grows) < 2
    return worth(view, less) if had else 0, worth(view, tower) * (roofless(view, choice) < 2)


def with_card(view: View, play: Play) -> bytes:
    """The player's tower with the card."""
    tower = b"" if play.tower is None else _own_towers(view)[play.tower]
    return tower + bytes((play.card,))


def worth(view: View, tower: bytes) -> int:
    """The points that it brings once it is complete, if no animal comes."""
    return tower_points(tower, view.count_clock_mice)


_BEGUN: Final = 8
_CLOCK: Final = 3
"""What a new tower costs in cards yet to come, and how much nearer a clock brings a tower. With the
numbers of `_likely` hard bots agree on three of four places, of 3,520; with `_COLOURS` on four of
five of 230 for roofs."""
_COLOURS: Final = 5
"""Roofs of so many colours may fit a tower."""


def drawbacks(view: View, choice: Choice) -> tuple[int, int]:
    """Less is better: by how much less the tower promises; of a roof see `with_roof`."""
    card = getattr(choice.action, "card", FIRST_ROOF)
    if card >= FIRST_ROOF:
        return with_roof(view, choice.points, choice.height)
    before, after = worths(view, choice)
    had = before * _likely(view, choice.height - STOREYS[card]) + _BEGUN * (place(choice) == NEW)
    has = after * _likely(view, choice.height)
    return 0, had - has * (1 if card < FIRST_CLOCK else _CLOCK)


def with_roof(view: View, points: int, height: int) -> tuple[int, int]:
    """Less is better: points count for more the fewer colours fit a tower of that height."""
    colours = len({*fitting(view, roofs(view), height)})
    return points * (colours - _COLOURS), -points


def _likely(view: View, height: int) -> int:
    """How likely a tower of that height gets a roof, if any: most where one in the hand fits."""
    fits = not rooflessness(view, height)
    return 1 + 3 * fits + 2 * any(fitting(view, view.hand, height))


def roofless(view: View, choice: Choice) -> int:
    """The `rooflessness` of a tower with the card of this play: after a floor more may come."""
    floor = getattr(choice.action, "card", FIRST_CLOCK) < FIRST_CLOCK
    return rooflessness(view, choice.height, grows=floor and gets(view, Pile.FLOOR, but=1))


def lost(view: View, choice: Choice) -> int:
    """The points that the tower pays less with the card, once it is complete."""
    before, after = worths(view, choice)
    return max(0, before - after) if after else 0


def costs_elsewhere(view: View, card: int) -> bool:
    """Whether the card makes any tower pay less that it goes on, but for a new one, which may get a
    roof."""
    found = plays(view, card)
    others = [play for at, play in found.items() if at != NEW]
    begins = NEW in found and roofless(view, found[NEW]) < 2
    return begins and bool(others) and all(lost(view, play) for play in others)


def pick_tower(view: View, selection: Selection, tower: int) -> Step:
    """Pick a tower (or NEW) for the chosen card; ask the server about one not listed."""
    if selection.stage is not Stage.TOWER:
        return Step(selection, remark=_why_not_now(view, selection))
    if tower in targets(view, selection):
        return Step(selection._replace(tower=tower))
    if tower != NEW and is_complete(_own_towers(view)[tower]):
        return Step(selection, remark=complete(tower))
    card = view.hand[selection.card]
    return Step(selection, action=Play(card, None if tower == NEW else tower))


def pick_pile(view: View, selection: Selection, pile: int) -> Step:
    """Draw; out of turn or phase too, where the server says why not."""
    if selection.stage is Stage.NOTHING:
        return Step(selection, remark=_why_not_now(view, selection))
    return Step(selection._replace(asked=pile), action=Draw(pile))


def point_pile(view: View, selection: Selection, pile: int) -> Step:
    """A click on a pile: the first one picks it, the second one draws."""
    if selection.stage is Stage.PILE and pile != selection.pile and view.left[pile]:
        return Step(selection._replace(pile=pile))
    return pick_pile(view, selection, pile)


def point_tower(view: View, selection: Selection, tower: int) -> Step:
    """A click on a tower, NEW or OUT: the first one picks it, the second one confirms."""
    if selection.stage is Stage.TOWER and tower == selection.tower:
        return confirm(view, selection)
    if selection.stage is Stage.TOWER and tower == OUT:
        return Step(selection._replace(tower=OUT))
    return pick_tower(view, selection, tower)


def discard(view: View, selection: Selection) -> Step:
    """Throw the chosen card away."""
    if selection.stage is not Stage.TOWER:
        return Step(selection, remark=_why_not_now(view, selection))
    thrown = selection._replace(tower=OUT)
    return Step(thrown, action=Discard(view.hand[selection.card]))


def confirm(view: View, selection: Selection) -> Step:
    """Enter: take the card up, play it on the picked tower, or draw from the picked pile."""
    match selection.stage:
        case Stage.CARD:
            return pick_card(view, selection, selection.card)
        case Stage.TOWER:
            if selection.tower == OUT:
                return discard(view, selection)
            choice = target(view, selection)
            if choice is None:
                return Step(selection, remark=needed(view, view.hand[selection.card]))
            return Step(selection, action=choice.action)
        case Stage.PILE if selection.pile is not None:
            return pick_pile(view, selection, selection.pile)
        case _:
            return Step(selection, remark=_why_not_now(view, selection))


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection that a key would play so; the same one for what the view does not list."""
    if not any(choice.action == action for choice in view.legal):
        return selection
    match action:
        case Play(card=card, tower=tower):
            place = NEW if tower is None else tower
            return Selection(Stage.TOWER, view.hand.index(card), place, hinted=action)
        case Discard(card=card):
            return Selection(Stage.TOWER, view.hand.index(card), OUT, hinted=action)
        case Draw(pile=pile):
            return Selection(Stage.PILE, pile=pile)


def leads(view: View, selection: Selection, action: Action) -> bool:
    """Whether a selection is on the way to the action: the cursor may rest anywhere, and a card can
    be discarded from any tower."""
    if selection.stage is not Stage.TOWER:
        return True
    asked = towards(view, selection, action)
    same = view.hand[selection.card] == view.hand[asked.card]
    return same and asked.stage is Stage.TOWER and asked.tower in (OUT, selection.tower)


def back(selection: Selection) -> Selection:
    """One step back; the same selection when there is none."""
    if selection.stage is Stage.TOWER:
        return Selection(Stage.CARD, card=selection.card, hinted=selection.hinted)
    return selection


def _why_not_now(view: View, selection: Selection) -> str:
    if selection.stage is Stage.PILE:
        return Remark.DRAW_NOW
    return Remark.CHOOSE_CARD_FIRST if selection.stage is Stage.CARD else not_now(view)


def _next(places: Sequence[int], at: int | None, step: int) -> int | None:
    """Nobody slips from the last one onto the first."""
    if at not in places:
        return places[0] if places else None
    return places[max(0, min(places.index(at) + step, len(places) - 1))]


def _own_towers(view: View) -> list[bytes]:
    return view.towns[view.seat].towers if view.seat is not None else []
