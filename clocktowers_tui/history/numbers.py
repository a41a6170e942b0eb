"""What the player's finished matches say together. Pure functions of what is kept."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from clocktowers_tui.history.matches import Kept
from clocktowers_tui.new_table import days_before


class Ended(Enum):
    """How a match ended for the player."""

    PRACTICE = "practice"
    WATCHED = "watched"
    ALONE = "alone"
    LOST = "lost"
    SHARED = "shared"
    WON = "won"


def ended(one: Kept) -> Ended:
    winners = one.head.outcome.winners
    if one.practice:
        return Ended.PRACTICE
    if one.me is None:
        return Ended.WATCHED
    if len(one.head.seats) == 1:
        return Ended.ALONE
    if one.me not in winners:
        return Ended.LOST
    return Ended.WON if len(winners) == 1 else Ended.SHARED


def won(one: Kept) -> bool:
    """Alone or shared."""
    return ended(one) in (Ended.WON, Ended.SHARED)


def score(one: Kept) -> int:
    """The player's own. `one`: a match that they played."""
    assert one.me is not None
    return one.head.outcome.scores[one.me]


def played(kept: Iterable[Kept]) -> list[Kept]:
    """Those in which the player had a seat that the record knows."""
    return [one for one in kept if one.me is not None and one.me < len(one.head.outcome.scores)]


def own(kept: Iterable[Kept]) -> list[Kept]:
    """Those of `played` that the player played alone: a bot's points and wins are not theirs."""
    return [one for one in played(kept) if not _by_bot(one)]


def _by_bot(one: Kept) -> bool:
    """Whether a bot did some of the player's moves."""
    return one.played_for or one.by_bot > 0


class Compared(NamedTuple):
    """A match and the best of those before it."""

    this: int
    best: int


def compared(one: Kept, kept: Iterable[Kept]) -> Compared | None:
    """With the matches of the same game, options and number of players; None: there is no other, a
    bot did some moves of this one, or the player had no seat of their own."""
    if one.me is None:
        return None
    others = [score(other) for other in own(kept) if _alike(one, other)]
    return Compared(score(one), max(others)) if others and not _by_bot(one) else None


def _alike(one: Kept, other: Kept) -> bool:
    mine, its = one.head, other.head
    same = (mine.game, mine.options, len(mine.seats)) == (its.game, its.options, len(its.seats))
    return same and mine.id != its.id


def deals(kept: Iterable[Kept], game: str) -> Mapping[str, Kept]:
    """By day, the match that counts as this game's deal of the day."""
    return {one.day: one for one in played(kept) if one.day and one.head.game == game}


def in_a_row(days: Collection[str], newest: str) -> int:
    """How many of these days come one after the other, back from the newest."""
    count = 0
    while days_before(newest, count) in days:
        count += 1
    return count


def run(kept: Sequence[Kept]) -> tuple[int, int]:
    """Matches won one after the other: those of now, and the most there were. `kept`: newest
    first."""
    now = most = 0
    for one in reversed(kept):
        now = now + 1 if won(one) else 0
        most = max(most, now)
    return now, most
