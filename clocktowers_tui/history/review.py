"""What a review says of a match as a whole. Pure functions of its findings."""

import asyncio
import zlib
from bisect import insort
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from clocktowers_tui.games.face import Cost, Face
from clocktowers_tui.history.matches import Kept, NoHistory, line_of, opened
from clocktowers_tui.history.record import said_in
from clocktowers_tui.net.programs import to_its_end
from clocktowers_tui.net.records import NoReplay, Reviewer, in_words_of, with_end
from protocol.errors import RemoteProtocolError
from protocol.games.registry import GAMES
from protocol.recording import POINT, VERSION, Begun, Finding, Judged, Raced, as_field
from protocol.signing import COMMENTS, REVIEW
from protocol.text import clean

ALWAYS: Final = 1000
"""A certain win, in thousandths."""
TURNED: Final = 15 * ALWAYS // 100
"""A mistake turns the match where it costs at least so much of the chance to win,"""
CLEARLY: Final = 4 * ALWAYS // 100
"""and so much more than any other, five times what luck moves their difference by: a review with
other luck names it again."""
TENTH: Final = POINT // 10
"""Less of a point is not told."""


class Reviewed(NamedTuple):
    """`findings`: of all seats, by ply, as many as there are by now. `seat`: whose review it is."""

    begun: Begun
    seat: int
    findings: Sequence[Finding]

    @property
    def name(self) -> str:
        """The player's."""
        return self.names[self.seat]

    @property
    def names(self) -> Sequence[str]:
        return [clean(name) for name in self.begun.names]

    @property
    def alone(self) -> bool:
        """True for a match of one player, in which a lead is the points."""
        return len(self.begun.scores) == 1

    @property
    def whole(self) -> bool:
        """Whether all is found."""
        return len(self.findings) == len(self.begun.plies)

    @property
    def share(self) -> int:
        """The part of the seat's own decisions that is judged, in thousandths."""
        known, seats = self.findings, self.begun.seats  # an earlier program kept no seats
        done = sum(one.seat == self.seat for one in known) if seats else len(known)
        return ALWAYS * done // max(1, seats.count(self.seat) if seats else len(self.begun.plies))

    @property
    def ended(self) -> int:
        """How the match ended for the seat, as its course says it."""
        if self.alone:
            return self.begun.scores[self.seat] * POINT
        winners = self.begun.winners
        return ALWAYS // len(winners) if self.seat in winners else 0


def is_mistake(one: Finding) -> bool:
    """In a race: nothing was made of a card of which something could be made."""
    return one.missed if isinstance(one, Raced) else one.lost > 0


def reasons(face: Face, names: Sequence[str], one: Judged) -> Sequence[Cost]:
    """Why a mistake was one, as its player reads it, the strongest reason first: what the board
    shows, if that explains two fifths of the lead that was lost; else what the better move brings
    more by the end, if that is a fourth of it, or nothing else can be told; of others only where
    the seat's own makes less than half."""
    shown, lost = _shown(face, names, one), one.better.lead - one.played.lead
    if 5 * sum(cost.points for cost in shown) >= 2 * max(TENTH, lost):
        return shown
    later = face.later(one.view, one.action, one.best, one.parts, names)
    told = [cost for cost in later if 4 * cost.points >= lost] or later[:1]
    own = [cost for cost in told if cost.seat == one.seat]
    return own if own and 2 * sum(cost.points for cost in own) >= lost else told


def _shown(face: Face, names: Sequence[str], one: Judged) -> Sequence[Cost]:
    """What is not so by the points that the mistake was weighed by is left out, unless nothing else
    is there and the seat has no more points. Nothing is told that is not much more than what speaks
    for the move."""
    costs = face.costs(one.view, one.action, one.best, names)
    against = -sum(cost.points for cost in costs if cost.points < 0)
    found = costs = [cost for cost in costs if cost.points >= 0]
    if one.parts:
        found = [cost for seat in _weighed_by(one) for cost in costs if cost.seat == seat]
        if not found and _taken(one, one.seat) >= -TENTH:
            found = [cost for cost in costs if cost.seat == one.seat]
    told = sum(cost.points for cost in found)
    return found if not against or told > 2 * against + POINT else []


def own(one: Reviewed) -> list[Finding]:
    """What the player did: nothing that a bot did in their place."""
    return [each for each in one.findings if each.seat == one.seat and not each.by_bot]


def judged(one: Reviewed) -> list[Judged]:
    """The player's decisions; in a race there are none."""
    return [each for each in own(one) if isinstance(each, Judged)]


def raced(one: Reviewed) -> list[Raced]:
    """The player's cards of a race."""
    return [each for each in own(one) if isinstance(each, Raced)]


def by_bot(one: Reviewed) -> int:
    """How many decisions, or cards, were a bot's in the player's place."""
    return sum(each.seat == one.seat and each.by_bot for each in one.findings)


def worst_first(one: Reviewed) -> list[Finding]:
    """The player's mistakes; in a race those by which the match was lost, then the missed cards as
    they came. A list of them and a way through them have this order."""
    cards = sorted(raced(one), key=lambda each: (not each.hit, each.ply))
    return [*mistakes(one), *filter(is_mistake, cards)]


def plies_of_mistakes(one: Reviewed) -> list[int]:
    return [each.ply for each in worst_first(one)]


def mistakes(one: Reviewed) -> list[Judged]:
    """The player's own; the largest loss first, those of points last; of two alike the earlier."""
    return _by_loss(judged(one))


def told_loss(one: Judged) -> int:
    """As it is told: wins of a hundred; points in thousandths, by the leads as they are told."""
    if one.in_points:
        return max(TENTH, to_a_tenth(one.better.lead) - to_a_tenth(one.played.lead))
    return max(1, hundredths(one.better.wins or 0) - hundredths(one.played.wins or 0))


def to_a_tenth(thousandths: int) -> int:
    return round(thousandths / TENTH) * TENTH


def _taken(one: Judged, seat: int) -> int:
    """The thousandths of a point that a mistake takes its own seat, or brings another."""
    more = sum(played - best for played, best in one.parts[seat].values()) if one.parts else 0
    return -more if seat == one.seat else more


def _weighed_by(one: Judged) -> list[int]:
    """The seats by whose points a mistake was one, what counts most first, as far as that is
    anything to speak of."""
    least = max(TENTH, (one.better.lead - one.played.lead) // 4)
    told = [seat for seat in range(len(one.parts)) if _taken(one, seat) >= least]
    return sorted(told, key=lambda seat: -_taken(one, seat))


def hundredths(wins: int) -> int:
    return round(wins * 100 / ALWAYS)


def got(one: Reviewed) -> int:
    """The part of the player's decisions that were no mistakes, in thousandths; in a race: the
    cards of which they made something, as a part of these and the missed ones."""
    made = [each for each in own(one) if isinstance(each, Judged) or each.hit or each.missed]
    right = sum(not is_mistake(each) for each in made)
    return ALWAYS * right // len(made) if made else ALWAYS


def worst_of_others(one: Reviewed) -> list[Judged]:
    """The mistake that lost most of each other seat that made one; the largest loss first."""
    found = _by_loss(each for each in _decided(one) if each.seat != one.seat)
    return _by_loss({each.seat: each for each in reversed(found)}.values())


def _decided(one: Reviewed) -> list[Judged]:
    """By all seats."""
    return [each for each in one.findings if isinstance(each, Judged)]


def _by_loss(found: Iterable[Judged]) -> list[Judged]:
    """By what is told of them, so that no reader sees a smaller one before a larger. What a bot did
    in the place of a player is none."""
    made = (one for one in found if is_mistake(one) and not one.by_bot)
    return sorted(made, key=lambda one: (one.in_points, -told_loss(one), one.ply))


def course(one: Reviewed) -> list[tuple[int, int]]:
    """(Ply, the seat's chance to win in thousandths) after each of its decisions; of a whole review
    the last is how the match ended. Of a seat alone its points, in thousandths."""
    found = [each for each in _decided(one) if each.seat == one.seat]
    expected = [
        (each.ply, each.played.lead if each.played.wins is None else each.played.wins)
        for each in found
    ]
    ended = (expected[-1][0] if expected else 0, one.ended)
    return [*expected, ended] if one.whole else expected


def turning_point(one: Reviewed) -> Judged | None:
    """The mistake that cost most of a chance to win, of all seats that did not win alone; None: no
    such mistake cost clearly more than all others. The same for all seats. For a whole review."""
    winners = one.begun.winners
    found = [each for each in _by_loss(_decided(one)) if not each.in_points]
    found = [each for each in found if each.seat not in winners or len(winners) > 1]
    found.sort(key=lambda each: -each.lost)  # not as it is told, in which some are alike
    if not found or found[0].lost < TURNED:
        return None
    second = found[1].lost if found[1:] else 0
    return found[0] if found[0].lost - second >= CLEARLY else None


# Reviews that are kept beside their matches, so that nothing in them is judged twice.


_ALL: Final = -1
"""In the place of a seat: earlier programs made a review for each."""


class _Made(Struct, frozen=True):
    version: int
    begun: Begun
    findings: list[Finding]


def keep(match: str, begun: Begun, findings: Sequence[Finding]) -> None:
    """Keep a review of a match that is kept, whole or as far as it is. Raises NoHistory."""
    made = zlib.compress(msgspec.msgpack.encode(_Made(VERSION, begun, list(findings))))
    with opened(create=True) as file:
        file.execute("DELETE FROM review WHERE match = ?", (match,))
        file.execute(
            "INSERT INTO review SELECT id, ?, ? FROM match WHERE id = ?",
            (_ALL, made, match),
        )


def of(match: str) -> tuple[Begun, list[Finding]] | None:
    """The findings in order, with the views and actions as they were said. None: it has to be made
    (again). Raises NoHistory."""
    with opened() as file:
        row = file.execute(
            "SELECT made FROM review WHERE match = ? AND seat = ?", (match, _ALL)
        ).fetchone()
    try:
        made = msgspec.msgpack.decode(zlib.decompress(row[0]), type=_Made) if row else None
    except (zlib.error, msgspec.DecodeError, TypeError):
        return None
    if made is None or made.version != VERSION:
        return None
    return made.begun, made.findings


def parts_got(kept: Iterable[Kept]) -> list[int]:
    """What the player got (`got`) of each of these matches that they have a whole review of."""
    found = ((found_before(one.head.id), one.me) for one in kept if one.me is not None)
    return [got(done._replace(seat=me)) for done, me in found if done and done.whole]


# A review in the making: made by a process, as far as it is not kept already.


async def made(
    line: bytes, match: str, seat: int, known: Reviewed | None = None
) -> AsyncGenerator[Reviewed, None]:
    """What is found by now, then with each finding, those about this seat first. `match`: its id,
    where it is kept; "" of a file. `known`: what was found before it was stopped. Where the
    process ends by itself, another goes on from there, as long as that leads on. Raises NoReplay.
    Close it to stop: nothing is left running then, and the next one goes on from there."""
    if known is None and match:
        known = await asyncio.to_thread(found_before, match)
    if known is not None and known.whole:
        yield known._replace(seat=seat)
        return
    found = list[Finding](known.findings if known is not None else ())
    while True:
        had = len(found)
        reviewer = await Reviewer.start(line, seat, [(one.ply, one.seat) for one in found])
        try:
            yield Reviewed(reviewer.begun, seat, tuple(found))
            async for one in reviewer.findings():
                insort(found, one, key=lambda each: (each.ply, each.seat))
                yield Reviewed(reviewer.begun, seat, tuple(found))
            return
        except NoReplay:
            if len(found) == had:
                raise
        finally:
            try:
                await reviewer.stop()
            finally:
                if match:
                    with suppress(NoHistory):  # then it is made again
                        await to_its_end(asyncio.to_thread(keep, match, reviewer.begun, found))


def whole_record(match: str) -> bytes:
    """The record of a match that is kept, with its comments, and with its review once that is
    whole. Raises NoHistory and Deleted."""
    line, review = line_of(match), found_before(match)
    if review is None or not review.whole:
        return line
    written = GAMES[review.begun.game].moves.to_record
    field = as_field(review.findings, written)
    return msgspec.json.encode({**msgspec.json.decode(line), REVIEW: field})


def said_of(match: str) -> tuple[bytes, bool]:
    """What the player says of a match that is kept, as `Annotate` has it: their own comments, and a
    whole review, b"" = nothing; and whether a review is in it. Raises NoHistory and Deleted."""
    line = whole_record(match)
    own = {ply: text for ply, text in said_in(line).items() if " " not in ply}
    fields = {COMMENTS: own, REVIEW: msgspec.json.decode(line).get(REVIEW)}
    said = {field: told for field, told in fields.items() if told}
    return zlib.compress(msgspec.json.encode(said)) if said else b"", REVIEW in said


class _InRecord(Struct, frozen=True):
    version: int


class _WithReview(Struct, frozen=True):
    review: _InRecord


def has_review(line: bytes) -> bool:
    """Whether a review stands in this record that need not be made again."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(line, type=_WithReview).review.version == VERSION
    return False


def found_before(match: str) -> Reviewed | None:
    """The review that is kept of a match, as far as it is; None: there is none."""
    with suppress(NoHistory, RemoteProtocolError):
        if (kept := of(match)) is not None:
            begun, findings = kept
            in_words = [in_words_of(begun.game, one) for one in findings]
            return Reviewed(with_end(begun), 0, in_words)
    return None


def newest() -> tuple[str, Reviewed] | None:
    """The whole review that was kept last, and of which match it is."""
    with suppress(NoHistory), opened() as file:
        kept = file.execute("SELECT match FROM review ORDER BY rowid DESC")
        found = ((match, found_before(match)) for (match,) in kept)
        return next(((match, one) for match, one in found if one and one.whole), None)
    return None
