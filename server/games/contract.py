"""What a game is to the rest of the server: one object of functions over one mutable state.

The match calls `refuse` → (commit) → `apply`; everything else only looks. Laws, tested for every
game in `tests/laws/test_laws.py`: an action is refused exactly when it is not legal; `apply` is
deterministic; a copy shares nothing that changes; a view and the events of a seat are the same
bytes for any two states that differ only in what that seat cannot see; every match ends.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct, structs

from protocol.errors import Refusal
from protocol.games.registry import Vocabulary
from protocol.ids import Seat
from server.games.notation import Notation

State = TypeVar("State")
Options = TypeVar("Options")
Action = TypeVar("Action")
Event = TypeVar("Event")
View = TypeVar("View")
Outcome = TypeVar("Outcome")


class Addressed(NamedTuple, Generic[Event]):
    """An event and its receiver: a seat, or None for all seats and spectators."""

    to: Seat | None
    event: Event


class Moment(Struct, frozen=True, gc=False):
    """When an action arrived, `at_ms` of match time, and how slow each seat's line was then.

    `lags_ms`: each seat's newest estimate of what the network takes one way, capped, in
    milliseconds; empty when all are 0. The journal and the record keep them as part of what
    happened, so that a replay finds the same first shot.
    """

    at_ms: int
    lags_ms: tuple[int, ...] = ()


BEGINNING: Final = Moment(0)
"""The moment for games in which time plays no part."""


# What a game need not say ------------------------------------------------------------------------


def at_turn(state: Any) -> Sequence[Seat]:
    """As `to_act`: the seat that `state.turn` names; None: the match is over."""
    return () if state.turn is None else (Seat(state.turn),)


def first_seat_sits(options: Any, seats: int) -> str | None:
    """As `check_options`: the seat that begins is at the table; all else is possible."""
    first = getattr(options, "first_seat", None)
    return None if first is None or 0 <= first < seats else "first_seat"


class Rules(NamedTuple, Generic[State, Options, Action, Event, View, Outcome]):
    """The rules of one game, of which `words` are said. `_ms` is match time: integer milliseconds
    since the start."""

    words: Vocabulary
    setup: Callable[[Options, int, bytes], State]
    """From options that have passed `check_options`, one of `seats` and a seed of 32 bytes: a new
    state; the same arguments give the same state on every machine."""
    legal_actions: Callable[[State, Seat], Sequence[Action]]
    """Every legal action once, in a fixed order; empty when the seat is not to act."""
    refuse: Callable[[State, Seat, Action], Refusal | None]
    """Why the action is impossible, or None. Cheap: does not list all legal actions."""
    apply: Callable[[State, Seat, Action, Moment], list[Addressed[Event]]]
    """Change the state in place. Only called after `refuse` said None. The moment is never earlier
    than that of the action before, nor than the last `tick`."""
    public: Callable[[State], View]
    """The view of a spectator: what everybody may see."""
    determinize: Callable[[View, Sequence[Event], Random], State]
    """Imagine a state that fits everything that a seat has been sent since the deal: its newest
    view, and all events addressed to it, from the opening on."""
    outcome: Callable[[State], Outcome | None]
    """The result, or None while the match runs."""
    opening: Callable[[State], list[Addressed[Event]]] = lambda state: []
    """The events of the deal; the state is fresh from `setup`."""
    own: Callable[[State, Seat], Mapping[str, Any]] = lambda state, seat: {"seat": seat}
    """The fields of a seat's view that others do not see, or see otherwise; always the same
    ones, which never change in a spectator's view. All else is made without knowing for whom."""
    to_act: Callable[[State], Sequence[Seat]] = at_turn
    """The seats that may act now, ascending. None while only the clock can change something,
    and none after the end; the match is over when there is an `outcome`."""
    rules_version: int = 1
    """To be raised when the same seed and the same actions come to something else than before:
    matches that go on in a journal are left alone then, and records say which rules they need."""
    check_options: Callable[[Options, int], str | None] = first_seat_sits
    """For so many seats: the name of the first option whose value this game does not have, or
    None. Options that are right for a number of seats are right for two seats up to that
    number; see `options_of_fewer`."""
    copy: Callable[[State], State] = deepcopy
    """An independent state."""
    untold: Callable[[State, Seat, Action, Moment], None] | None = None
    """Makes the change that `apply` makes, without its events. None: that is no quicker."""
    lists_legal: bool = False
    """Views list the legal actions of the seat to act. False where finding them is the game."""
    revocable: Callable[[State], Seat | None] = lambda state: None
    """The seat whose newest action may still be taken back, or None.

    All seats are sent it, so it must not reveal anything hidden. An action that has shown
    something new is never revocable, and nothing is once the match is over."""
    touched: Callable[[State, Sequence[Event]], Mapping[str, Any] | None] = lambda state, told: None
    """The fields of a spectator's view that the last action may have changed; all others are as
    they were before it. It is given what everybody was told of that action. None: no such short
    list, so the whole view has to be looked through."""
    refuses_stale: bool = True
    """An action that saw an older version is refused unread. False in real-time games: there a
    seat is sent only what concerns it, so its view changes only with an event."""
    races: bool = False
    """The first to act wins something: each seat's delay is measured for `Moment.lags_ms`, updates
    carry the match time, and bots wait as long as a reaction takes. In other games nothing happens
    by itself and nothing is held back: nobody asks them for a `deadline` or `holds`."""
    deadline: Callable[[State], int | None] = lambda state: None
    """The match time (ms) at which `tick` must be called, or None. Never goes back.

    Never sent to clients: it can reveal what a seat must not know. Views have the public
    deadlines."""
    tick: Callable[[State, int], list[Addressed[Event]]] = lambda state, now_ms: []
    """What the clock alone does at this match time, which is exactly `deadline(state)`, however
    late the call comes, so that ticks follow from the plies and records need none."""
    lose: Callable[[State, Seat, bool], None] = lambda state, seat, gone: None
    """In a game in turns of several: the days of this seat are over or (`gone`) its player has
    left, and so the match is over, and others have won. Of that the outcome has `late`, and that it
    is `decided_by` "time" or "left", so that a record needs nothing else."""
    delays: Callable[[State], Sequence[int]] = lambda state: ()
    """By how many milliseconds each seat's copy of this news is delayed, so that all seats
    see it at the same moment; empty: send at once. Asked after each `apply` and `tick`."""

    @property
    def id(self) -> str:
        return self.words.id

    @property
    def seats(self) -> tuple[int, ...]:
        """How many a match may have."""
        return self.words.seats

    def view(self, state: State, seat: int | None) -> Any:
        """What a seat, or a spectator (None), may see."""
        seen: Any = self.public(state)
        return seen if seat is None else structs.replace(seen, **self.own(state, Seat(seat)))

    @property
    def advance(self) -> Callable[[State, Seat, Action, Moment], object]:
        """Makes the change that `apply` makes, for callers who have no use for the events."""
        return self.untold or self.apply

    def rematch_options(self, options: Any, seats: int, seed: bytes) -> Any:
        """From options, seats and seed of the match that is over: the options for a rematch at the
        same table. Where a table can choose who begins, the next seat does."""
        if not hasattr(options, "first_seat"):
            return options
        [first] = self.to_act(self.setup(options, seats, seed))
        return structs.replace(options, first_seat=(first + 1) % seats)

    def options_of_fewer(self, options: Any, seats: Sequence[int]) -> Any:
        """The options where only these of a table's seats play, and are counted from 0: the seat
        that would begin does, or the next of them."""
        first = getattr(options, "first_seat", None)
        if first is None:
            return options
        return structs.replace(options, first_seat=sum(seat < first for seat in seats) % len(seats))


AnyRules: TypeAlias = Rules[Any, Any, Any, Any, Any, Any]


# Bots, and what decisions were worth -------------------------------------------------------------

Stop: TypeAlias = Callable[[], bool]
"""Whether the time for a decision is up. Games know no clock, so the caller of a bot passes it."""


def never() -> bool:
    """A `Stop` that sets no limit."""
    return False


class Bot(Protocol):
    """One level's way to choose; gets what the seat's client gets, and nothing else."""

    def __call__(
        self, view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never
    ) -> Any:
        """An action out of the view's legal ones (or, where those are not listed, a good guess).

        A level that searches asks `stop` now and then, and when it is true gives the best so far.
        Without it the same view, events and numbers give the same action on every machine.
        None to let other seats, or the clock, go on; the bot is asked again after the next news.
        """


class Weighed(NamedTuple):
    """What an action leads to, on average, in thousandths: how many points the seat is ahead of the
    best of the others at the end of the match, and how often it wins. Where nobody plays against
    it: its points, and None."""

    lead: int
    wins: int | None = None


class Judged(NamedTuple, Generic[Action]):
    """What a decision was worth. `best`: the action that was played, where nothing is surely
    better. `lost`: by how much it is better, in thousandths: of the matches, or of a point where
    `in_points`, because hardly any are lost or nobody plays against the seat; 0 for the best.
    `error`: two standard errors of what is lost; where nothing is lost, of what was played.
    `parts`: of a mistake, by seat, in parts that the game names, what the seat has with what was
    played and with `best`, where that differs; in thousandths of a point."""

    best: Action
    played: Weighed
    better: Weighed
    lost: int
    error: int
    in_points: bool
    parts: Sequence[Mapping[str, tuple[int, int]]] = ()


class Decided(NamedTuple):
    """A decision: an action of the game, or None to let others, or the clock, go on. `plan`: of a
    hint, what the seat does then."""

    action: Any
    plan: Any = None


Judge: TypeAlias = Callable[[Any, Sequence[Any], Any, Random, Any], Judged[Any]]
"""Compares an action, one of several legal ones, with what the strongest level would do, or with
another that is given last. It gets what the seat's client gets (view and own events), the action
and a source of random numbers, and does a fixed amount of work: the same arguments give the same
answer on every machine."""


class PastPly(NamedTuple):
    """Of a match that is replayed. `seat`: who acted; None = the deal, or the clock. `state`: after
    it. `action`: the seat's. `by_bot`: a bot did it in the place of the seat's person."""

    seat: Seat | None
    at_ms: int
    state: Any
    events: Sequence[Addressed[Any]]
    action: Any = None
    by_bot: bool = False


class Chance(NamedTuple):
    """One chance of a seat in a race: the card it could act with. `number`: the ply that ended the
    chance, or with which what came of it was told. `view`: what the seat saw when it saw the card
    first. In match time: `began_ms`, when the race did; `seen_ms`, when the seat was sent the card;
    `tried_ms`, when it acted, None = it did not. `place`: where; -1 = it gave the card up.
    `missed`: something could be made of the card, and the seat did not; or it acted, and made
    nothing of it, or what lost the match or all that it had. `hit`: it made something of it.
    `came`: the event that told all seats what came of it; None: nothing did."""

    number: int
    view: Any
    began_ms: int
    seen_ms: int
    tried_ms: int | None
    place: int | None
    missed: bool
    hit: bool
    came: Any


class Reaction(Protocol):
    """How fast a level acts in a race."""

    def __call__(self, view: Any, rng: Random) -> int:
        """The milliseconds from this view, the newest that the seat was sent, to its action."""


Patience: TypeAlias = Callable[[Any, Collection[Seat]], bool]
"""Whether a bot with this newest view lets the people at its table, in these seats, go first. A bot
that waits is asked again after the next news."""


def hurried(view: Any, people: Collection[Seat]) -> bool:
    """A `Patience` that waits for nobody."""
    return False


def clock_events(
    rules: AnyRules, state: Any, until_ms: int | None = None
) -> Iterator[tuple[int, Sequence[Addressed[Any]]]]:
    """Let the clock do what is due up to this match time, None = up to the end, each at its
    deadline: when, and what that tells. The next is done when it is asked for."""
    while rules.outcome(state) is None and (due_ms := rules.deadline(state)) is not None:
        if until_ms is not None and due_ms > until_ms:
            return
        yield due_ms, rules.tick(state, due_ms)


def run_clock(rules: AnyRules, state: Any, until_ms: int | None = None) -> None:
    """Let the clock do all of it, where nobody listens."""
    for _due_ms, _events in clock_events(rules, state, until_ms):
        pass


class Game(NamedTuple):
    """A registry entry: what the server needs of a game."""

    rules: AnyRules
    notation: Notation
    bots: Mapping[str, Bot]
    """Level → bot; weakest first; every game has `random`, `easy` and `normal`."""
    reactions: Mapping[str, Reaction] | None = None
    """Level → how quick it is, in a race; None: the server's own pace will do."""
    patience: Patience = hurried
    fair_hints: Callable[[Any], bool] = lambda options: True
    """Whether a match with these options may give hints at all."""
    judge: Judge | None = None
    """What the decisions of a finished match are judged by."""
    chances: Callable[[Sequence[PastPly], Seat], Iterator[Chance]] | None = None
    """In a race: what the seat could act on in a finished match, in order."""
    plan: Callable[[Any, Sequence[Any], Any, Random, Stop], Any] | None = None
    """From what the seat's client gets and an action of the seat: what it does then, or None."""
    opened: Callable[[Any], Any] | None = None
    """A watcher's view with every hand open, for a replay; None: the view has no place for them."""

    def hint(
        self,
        view: Any,
        own_events: Sequence[Any],
        rng: Random,
        stop: Stop = never,
        planned: Any = None,
    ) -> Decided:
        """What the last hint has planned, else what the strongest level would do; where there is
        time left, and the judge of reviews knows something clearly better, that."""
        rules, question, action = self.rules, (view, own_events), planned
        if action is None or rules.refuse(rules.determinize(*question, rng), view.seat, action):
            action = [*self.bots.values()][-1](*question, rng, stop)
        if self.judge is not None and not stop():
            action = self.judge(*question, action, rng, None).best
        if self.plan is None or stop():
            return Decided(action)
        return Decided(action, self.plan(*question, action, rng, stop))
