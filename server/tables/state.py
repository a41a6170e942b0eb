"""What is known of a table. Its parts share this, and `Table` adds what people may ask for."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from protocol.clock import Clock
from protocol.ids import Seat, TableCode
from protocol.listing import TablePhase
from protocol.pace import Pace
from protocol.refusal import RefusalCode
from server.games.contract import Game
from server.matches.match import Match
from server.tables.access import OPEN, Access
from server.tables.deals import Deal
from server.tables.ports import Guest
from server.tables.refusals import Impossible
from server.tables.seat import SeatState
from server.tables.seating import Seating

if TYPE_CHECKING:
    from server.nodes.crowds import Crowd


@dataclass(kw_only=True, eq=False, slots=True)
class TableState:
    """`Presence` and `Table` keep the watchers; all else changes by the verbs below."""

    code: TableCode
    game_id: str
    game: Game
    title: str
    preset: str
    options: Any
    """Of the match, and after it of a rematch."""
    clock: Clock | None
    seed: bytes | None = None
    """What every match is dealt from, where the host has chosen it: then no other person may play,
    since the host knows the deal."""
    deal: Deal | None = None
    """What its match is dealt from, and others play, too; None after that match."""
    seating: Seating
    hints_allowed: bool | None = None
    """Whether players may ask for hints, as the host wished; None: see `gives_hints`."""
    pace: Pace = Pace.NORMAL
    """How fast bots act while one person plays alone against them."""
    access: Access = OPEN
    watchers: list[Guest] = field(init=False, default_factory=list)
    host: Seat | None = None
    phase: TablePhase = field(init=False, default=TablePhase.WAITING)
    match: Match | None = field(init=False, default=None)
    """The match that is played, or that was played last."""
    matches: int = 0
    """How many have begun."""
    acted: int = 0
    """How often people have acted in its matches."""

    def people(self) -> list[Guest]:
        """Everybody at the table, players first."""
        return [*self.seating.guests(), *self.watchers]

    def listeners(self) -> "list[Guest | Crowd]":
        """As `people`, but a crowd of watchers counts once."""
        return [*self.seating.guests(), *self.watching()]

    def watching(self) -> "list[Guest | Crowd]":
        """Those of them who watch."""
        return list(dict.fromkeys(guest.crowd or guest for guest in self.watchers))

    def crowds(self) -> "list[Crowd]":
        return list(dict.fromkeys(one.crowd for one in self.watchers if one.crowd is not None))

    def forget_watchers(self) -> None:
        for guest in self.watchers:
            guest.watches(None)
        self.watchers.clear()

    def seat_of(self, guest: Guest) -> Seat:
        """Raises Impossible for a watcher."""
        seat = self.seating.seat_of(guest)
        if seat is None:
            raise Impossible(RefusalCode.NOT_SEATED)
        return seat

    def is_waited_at(self) -> bool:
        """Whether a player is here who plays: bots beside them go first."""
        return any(chair.state is SeatState.HERE for chair in self.seating.chairs)

    @property
    def origin(self) -> str:
        """Where all owners of seats come from (`Guest.origin`); "" if that is not one place."""
        origins = {chair.origin for chair in self.seating.chairs if chair.owned}
        return origins.pop() if len(origins) == 1 else ""

    @property
    def one_plays(self) -> bool:
        """Whether nobody here plays against another person."""
        return len(self.seating.of_people()) <= 1

    @property
    def one_owns(self) -> bool:
        """Whether `one_plays`, and nobody else can come back to a seat."""
        return sum(chair.owned for chair in self.seating.chairs) <= 1

    @property
    def gives_hints(self) -> bool:
        """Whether players may ask for hints: as the host wished, else where one person plays, and
        in the practice of a race; and never where the first to see something wins by it."""
        usual = self.one_plays or self.game.rules.races
        wished = usual if self.hints_allowed is None else self.hints_allowed
        return wished and self.game.fair_hints(self.options)

    @property
    def next_seed(self) -> bytes | None:
        """What the next match is dealt from; None = whatever comes."""
        return self.deal.seed if self.deal is not None else self.seed

    @property
    def deal_open(self) -> bool:
        """Whether others may still play the deal of this table."""
        return self.deal is not None and not self.deal.ranked

    def free_seat(self) -> bool:
        """Whether somebody could sit down now."""
        waits = self.phase is not TablePhase.PLAYING
        return waits and any(c.state is SeatState.FREE for c in self.seating.chairs)

    def is_deserted(self) -> bool:
        """Whether nobody is there, and nobody is awaited."""
        return not self.people() and not self.seating.awaits()

    def waits_for(self, guest: Guest) -> bool:
        """Whether this guest's action is due."""
        if self.phase is not TablePhase.PLAYING or self.match is None:
            return False
        return self.seating.seat_of(guest) in self.match.to_act()

    def measures(self, guest: Guest) -> bool:
        """Whether it matters how late this guest's messages are: a race measures its players from
        the moment they sit down, so that there is an estimate before the match begins."""
        return self.game.rules.races and self.seating.seat_of(guest) is not None

    def begin(self, match: Match) -> None:
        """Another match begins."""
        self.phase, self.match, self.matches = TablePhase.PLAYING, match, self.matches + 1

    def restore(self, match: Match) -> None:
        """The match of the journal goes on, or its result is kept."""
        self.phase, self.match = TablePhase.PLAYING, match
        if match.over:
            self.end(aborted=match.aborted)

    def end(self, *, aborted: bool) -> None:
        """The match is over; with an outcome, the next one may have other options."""
        assert self.match is not None
        self.phase, header = TablePhase.ENDED, self.match.header
        if not aborted:
            rules = self.game.rules
            self.options = rules.rematch_options(self.options, header.seats, header.seed)

    def let_go(self) -> Match | None:
        """The table has no match any more; returns the match that it had."""
        match, self.match = self.match, None
        return match

    def choose_host(self) -> bool:
        """Give the table another host if it needs one. Returns whether the host changed hands."""
        before, self.host = self.host, self.seating.host_after(self.host)
        return self.host is not None and before not in (None, self.host)
