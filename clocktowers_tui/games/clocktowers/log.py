"""The log, a line for each event; what the others have done since the player's last turn; and where
cards came to the player's hand and left it."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, assert_never

from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.ladder import floors_in_words
from clocktowers_tui.games.clocktowers.words import card_phrase, colour_words, pile_words
from clocktowers_tui.games.face import deed
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import (
    FIRST_ROOF,
    START_HAND,
    STOREYS,
    Completed,
    Dealt,
    Discarded,
    Drew,
    Event,
    Played,
    View,
    YouDiscarded,
)
from protocol.ids import Seat


def phrase(event: Event, names: Sequence[str], you: Seat | None) -> str:
    """An event as a line of the log; "" for a roof's play, which its completion tells."""
    told = partial(deed, names, you)
    match event:
        case YouDiscarded():
            # With all hands open it follows a line that says who did.
            text = _("It is {card}") if you is None else _("You discarded {card}")
            return text.format(card=card_phrase(event.card))
        case Dealt():
            return told(
                event.first_seat,
                _("The cards are dealt; you begin"),
                _("The cards are dealt; {name} begins"),
            )
        case Played():
            return "" if event.card >= FIRST_ROOF else _played(event, told)
        case Completed():
            return told(
                event.seat,
                _("You completed tower {tower} ({colour}, {floors}): {points}"),
                _("{name} completed tower {tower} ({colour}, {floors}): {points}"),
                colour=colour_words(event.roof).lower(),  # inside brackets
                tower=event.tower + 1,
                floors=floors_in_words([event.height]),
                points=points_in_words(event.points),
            )
        case Discarded():
            # The player's own comes a second time, with the card.
            return told(event.seat, "", _("{name} discarded a card"))
        case Drew():
            card = card_phrase(event.card)
            drew = told(event.seat, _("You drew {card}"), _("{name} drew {card}"), card=card)
            none_left = _("no {cards} are left").format(cards=pile_words(event.pile))
            return drew if event.top else f"{drew}; {none_left}"
        case _:
            assert_never(event)


def _played(event: Played, told: Callable[..., str]) -> str:
    yours, theirs = _("You put {card} on tower {tower}"), _("{name} put {card} on tower {tower}")
    if event.height == STOREYS[event.card] > 0:
        yours = _("You started tower {tower}: {card}")
        theirs = _("{name} started tower {tower}: {card}")
    card = card_phrase(event.card)
    return told(event.seat, yours, theirs, card=card, tower=event.tower + 1)


# What the others have done since the player's last turn, read off two views. Pure ----------------


class News(NamedTuple):
    """`towers`: (seat, tower) built on. `piles`: drawn from. `thrown`: seats that discarded."""

    towers: frozenset[tuple[int, int]] = frozenset()
    piles: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()

    def of(self, seat: int) -> frozenset[int]:
        """The towers of one seat."""
        return frozenset(tower for owner, tower in self.towers if owner == seat)


NO_NEWS: Final = News()


def news(view: View, since: View) -> News:
    """What `view` shows that `since` did not; the player's own town is no news."""
    others = [seat for seat in range(len(view.towns)) if seat != view.seat]
    return News(
        frozenset(
            (seat, tower)
            for seat in others
            for tower, cards in enumerate(view.towns[seat].towers)
            if len(cards) > sum(map(len, since.towns[seat].towers[tower : tower + 1]))
        ),
        frozenset(pile for pile, left in enumerate(view.left) if left < since.left[pile]),
        frozenset(seat for seat in others if view.thrown[seat] > since.thrown[seat]),
    )


def looked_at(view: View, before: View | None, since: View | None) -> View:
    """The view that news are counted from: for a player the view at the end of their last turn, for
    a watcher the view before this. `before`: the last view; `since`: what was returned for it."""
    if before is None or since is None or len(before.towns) != len(view.towns):
        return view
    if _placed(view) < _placed(before):
        return view  # another match
    if view.seat is None:
        return before
    if before.turn != view.seat:
        return since
    if view.turn != view.seat:
        return view
    drawn = (old - new for old, new in zip(before.left, view.left, strict=True))
    counts = (max(0, old - own) for old, own in zip(since.left, drawn, strict=True))
    return replace(since, left=bytes(counts))


class Holding(NamedTuple):
    """`new`: the card of the player's hand that came last from a pile; 0: none, or it has gone.
    `gap`: the place that the last card left, which stays empty until the next one comes."""

    new: int = 0
    gap: int = len(START_HAND)


EMPTY_HANDED: Final = Holding()


def holding(view: View, before: View | None, last: Holding) -> Holding:
    """`last`: what was returned for the view `before`."""
    if before is None:
        return EMPTY_HANDED
    came, went = (
        Counter(one.hand) - Counter(other.hand) for one, other in ((view, before), (before, view))
    )
    if len(came) == 1 and sum(view.left) < sum(before.left):
        return last._replace(new=next(iter(came)))
    if not went:
        return last
    gone = last.new in went or not any(view.left)
    return Holding(0 if gone else last.new, before.hand.rindex(min(went)))


def _placed(view: View) -> int:
    return sum(len(cards) for town in view.towns for cards in town.towers)
