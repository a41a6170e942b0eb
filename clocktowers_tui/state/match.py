"""The match that the client plays or watches: the newest view, what happened, what is under way.

Law: a view replaces the view before, nothing is ever patched. The log holds codes and events; the
words are the face's and the phrases'.
"""

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from itertools import groupby, takewhile
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from protocol.dealing import commitment
from protocol.from_server import (
    Ended,
    History,
    Notice,
    NoticeCode,
    RankedTable,
    Ranking,
    Started,
    Update,
)
from protocol.games.registry import GAMES
from protocol.ids import Seat
from protocol.table import Running

# What the player was shown of a match that runs: its newest views, to look back at.
#
# Law: there is nothing in it that was not sent to this player.


MOST: Final = 600
"""Views kept; a match of four has 530 at most, and 600 of its views take 1.1 MB."""


class Moment(Struct, frozen=True):
    """A view, and when it came. `ply`: actions that stood. `told`: how many events did. `at_ms`: as
    in an update."""

    view: Any
    ply: int
    told: int
    at_ms: int = 0


def after(seen: tuple[Moment, ...], newest: Moment) -> tuple[Moment, ...]:
    """With the newest, in place of what no longer stands; the oldest are forgotten."""
    while seen and seen[-1].ply >= newest.ply:
        seen = seen[:-1]
    return (*seen[1 - MOST :], newest)


def joined(before: tuple[Moment, ...], seen: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """The same moments again, behind those of `before` that have been forgotten since."""
    first = seen[0].ply if seen else 0
    return (*(moment for moment in before if moment.ply < first), *seen)


MAX_LOG: Final = 1000
"""Lines kept; a match of four has about 130 events."""

MAX_EVENTS: Final = 2000
"""Events kept for the proof: the first ones, because counting the cards shows that the last ones
are missing."""


_FOR_GOOD: Final = (NoticeCode.LEFT, NoticeCode.KICKED, NoticeCode.EXPELLED)


class LineKind(Enum):
    EVENT = "event"
    NOTICE = "notice"
    GAP = "gap"


class LogLine(Struct, frozen=True):
    """One line of the log: `what` is an event of the game, a Notice, or how
    many updates the server left out because the connection was slow. `by_bot`: a bot did it for
    the player, who was away."""

    kind: LineKind
    what: Any
    by_bot: bool = False


class Pending(Struct, frozen=True):
    """An action that the client has sent. `version`: its place in the journal, once that is known;
    the view of that version ends the waiting."""

    key: bytes
    version: int | None = None


class Match(Struct, frozen=True, kw_only=True):
    """`view` is None until the first view. `names`: who sits at each seat; after the end, who sat
    there. `events`: the first `MAX_EVENTS` events of the game that stand, whatever the log has
    forgotten; `told`: how many stand, kept or not. `revocable`: the seat that may take its newest
    action back. `clock`: as it ran when the server sent the newest view. `began_s`: when match time
    was 0, on this machine's clock, as far as the newest view tells; `ends_s`: when `clock` has run
    down; `held_s`: since when time stands still, None: it runs. `seen`: the newest views.
    `played_for`: it was a bot that finished the match on the player's seat. `spent`: from this ply
    on a bot's moves for them count as theirs, as they could score no more; 0: none do."""

    id: str
    table: str
    game: str
    sha256: str
    names: tuple[str, ...] = ()
    version: int = 0
    ply: int = 0
    view: Any = None
    revocable: Seat | None = None
    clock: Running | None = None
    began_s: float = 0.0
    ends_s: float | None = None
    held_s: float | None = None
    seen: tuple[Moment, ...] = ()
    log: tuple[LogLine, ...] = ()
    events: tuple[Any, ...] = ()
    told: int = 0
    pending: Pending | None = None
    over: bool = False
    played_for: bool = False
    spent: int = 0
    aborted: bool = False
    outcome: Any = None
    seed: str = ""

    @property
    def proven(self) -> bool:
        """Whether the seed is the one that the server promised when the match started. Whether the
        deal came from that seed, the game knows (`Face.same_deal`)."""
        try:
            return commitment(bytes.fromhex(self.seed)) == self.sha256
        except ValueError:
            return False


def gone_for_good(match: Match) -> frozenset[Any]:
    """The seats whose players have left the match or were sent away: nobody waits for them."""
    notices = (line.what for line in match.log if line.kind is LineKind.NOTICE)
    return frozenset(one.params.get("seat") for one in notices if one.code in _FOR_GOOD)


def started(message: Started, names: tuple[str, ...]) -> Match:
    """A match from its beginning. The server tells late comers this first, too."""
    return Match(
        id=message.match,
        table=message.table,
        game=message.game,
        sha256=message.sha256.lower(),
        names=names,
    )


def named(match: Match, names: tuple[str, ...]) -> Match:
    """Name the player at each seat; after the end the names stay."""
    if match.names == names or (match.over and match.names):
        return match
    return replace(match, names=names)


def caught_up(match: Match, message: History) -> Match:
    """Take in a page of missed events."""
    match = _told(_taken_back(match, message.taken_back), message.events, message.by_bot)
    return replace(match, version=message.version)


def updated(match: Match, message: Update) -> Match:
    """Take in the newest view. Raises RemoteProtocolError when it does not fit this game."""
    match = _taken_back(match, message.taken_back)
    if message.skipped > 0:
        match = _logged(match, (LogLine(LineKind.GAP, message.skipped),))
    match = _told(match, message.events)
    view = GAMES[match.game].holds(_read(message.view, GAMES[match.game].view), match.events)
    pending = match.pending
    if pending and pending.version is not None and pending.version <= message.version:
        pending = None
    return replace(
        match,
        version=message.version,
        ply=message.ply,
        view=view,
        seen=after(match.seen, Moment(view, message.ply, match.told, message.at_ms)),
        revocable=None if message.revocable is None else Seat(message.revocable),
        clock=message.clock,
        pending=pending,
    )


def timed(match: Match, before: Match | None, now_s: float, *, still: bool) -> Match:
    """On this machine's clock: when what the newest view tells began and ends. `still`: time does
    not run."""
    if before is None or match.view is not before.view:
        began_s = now_s - (match.seen[-1].at_ms / 1000 if match.seen else 0)
        ends_s = None if match.clock is None else now_s + match.clock.left_ms / 1000
        match = replace(match, began_s=began_s, ends_s=ends_s, held_s=None)
    if still and match.held_s is None:
        return replace(match, held_s=now_s)
    if still or match.held_s is None:
        return match
    stood_s = now_s - match.held_s
    ends_s = None if match.ends_s is None else match.ends_s + stood_s
    return replace(match, began_s=match.began_s + stood_s, ends_s=ends_s, held_s=None)


def ended(match: Match, message: Ended) -> Match:
    """The end, with the outcome or broken off. Raises RemoteProtocolError as `updated` does."""
    outcome = None
    if not message.aborted and message.outcome is not None:
        outcome = _read(message.outcome, GAMES[match.game].outcome)
    return replace(
        match,
        over=True,
        aborted=message.aborted or outcome is None,
        outcome=outcome,
        seed=message.seed,
        revocable=None,
        clock=None,
        ends_s=None,
        pending=None,
    )


def noticed(match: Match, message: Notice) -> Match:
    """Add a line that is not of the game."""
    return _logged(match, (LogLine(LineKind.NOTICE, message),))


def returned(match: Match, notices: Sequence[Notice], seat: Seat | None) -> Match:
    """Add the notice that the player is back, the first, behind those after it: what matters most
    is the newest line. `moves`: how often a bot has moved for the player since their last move."""
    if not notices:
        return match
    back, *others = notices
    newest = takewhile(
        lambda line: line.by_bot or getattr(line.what, "seat", None) != seat, reversed(match.log)
    )
    if moves := sum(by_bot for by_bot, _lines in groupby(newest, lambda line: line.by_bot)):
        back = Notice(back.code, {**back.params, "moves": moves})
    return _logged(match, tuple(LogLine(LineKind.NOTICE, one) for one in (*others, back)))


def sent(match: Match, key: bytes) -> Match:
    """An action is under way."""
    return replace(match, pending=Pending(key))


def answered(match: Match, key: bytes, version: int | None) -> Match:
    """The action stands as `version`; its view may have come already. None: it does not stand, so
    the player can choose another."""
    if match.pending is None or match.pending.key != key:
        return match
    comes = version is not None and match.version < version
    return replace(match, pending=Pending(key, version) if comes else None)


def may_take_back(match: Match, seat: Seat | None) -> bool:
    """Whether this seat may take its newest action back now."""
    return seat is not None and match.revocable == seat and match.pending is None


def _taken_back(match: Match, count: int) -> Match:
    """Remove the newest `count` events, from the log as well; notices stay."""
    if count <= 0:
        return match
    log = list(match.log)
    places = [place for place, line in enumerate(log) if line.kind is LineKind.EVENT]
    for place in reversed(places[-count:]):
        del log[place]
    told = max(0, match.told - count)
    return replace(match, log=tuple(log), events=match.events[:told], told=told)


def _read(words: Any, kind: Any) -> Any:
    """A game's words, as this kind of them."""
    from protocol.codec import read_as  # a start reads no message

    return read_as(words, kind)


def _told(match: Match, events: list[Any], by_bot: Sequence[int] = ()) -> Match:
    kind = GAMES[match.game].event
    new = tuple(_read(event, kind) for event in events)
    if new:
        kept = (match.events + new)[:MAX_EVENTS]
        match = replace(match, events=kept, told=match.told + len(new))
    lines = (LogLine(LineKind.EVENT, event, n in by_bot) for n, event in enumerate(new))
    return _logged(match, tuple(lines))


def _logged(match: Match, lines: tuple[LogLine, ...]) -> Match:
    return replace(match, log=(match.log + lines)[-MAX_LOG:]) if lines else match


# Who has won how many matches at a table, as far as this client has been there.


class Evening(NamedTuple):
    """`matches`: how many have ended, those that were broken off, too. `won`: by name, of everybody
    who has played one to its end, the most first."""

    matches: int = 0
    won: tuple[tuple[str, int], ...] = ()

    def after(self, match: Match) -> "Evening":
        """And this match, which nobody here has won if a bot won it in the player's place."""
        if match.aborted:
            return self._replace(matches=self.matches + 1)
        won = Counter(dict(self.won))
        won.update(dict.fromkeys(match.names, 0))
        mine = match.view.seat if match.played_for else None
        winners = [seat for seat in match.outcome.winners if seat != mine]
        won.update(match.names[seat] for seat in winners if seat < len(match.names))
        return Evening(self.matches + 1, tuple(won.most_common()))


# How the tables that played one deal are ranked.


_MOST_TABLES = 10
_MOST_SEATS = 8


def ranked(message: Ranking) -> Ranking:
    """No more than a screen can hold."""
    return replace(message, tables=[*map(_cut, message.tables[:_MOST_TABLES])])


def _cut(table: RankedTable) -> RankedTable:
    names, scores, points = table.names, table.scores, table.points
    most = slice(_MOST_SEATS)
    return replace(table, names=names[most], scores=scores[most], points=points[most])


def opened(match: Match, known: Ranking | None) -> Match:
    """With the seed that its server has kept back until all tables were done."""
    if known is None or known.match != match.id or not match.over or match.seed:
        return match
    return replace(match, seed=known.seed)


# What the player's history says of a match: of a deal of the day while it is played, of any other
# once it has been kept.


class LookedBack(NamedTuple):
    """`match`: its id. `numbers`: how it compares. `deal`: the lines to paste where it was a deal
    of the day that counts; `practice`: it was one that does not; `played_for`: a bot finished it;
    `by_bot`: a bot did some of the player's moves. `banner`: how the line above the board calls it
    meanwhile."""

    match: str
    numbers: str = ""
    deal: tuple[str, ...] = ()
    practice: bool = False
    played_for: bool = False
    by_bot: bool = False
    banner: str = ""
