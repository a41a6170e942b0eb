"""The seats of a table: who sits where, and each seat as an automaton, with everything that can
happen to it as data.

              seat_bot               sit              stand_in, hand_over
        BOT <===========> FREE <==============> HERE <================> PLAYED_FOR
                free       ^         free       |  ^   give_back          |
                           |               drop |  | reseat               | drop
                      free |                    v  |                      v
                           +------------------ DROPPED ----------------> AWAY
                           |                    |       hand_to_bot       |
                 end_match |                    | give_up         give_up |
                           +----------------- GIVEN_UP <------------------+

`hold` leads back from AWAY to DROPPED. `reseat` leads to HERE from PLAYED_FOR and AWAY, too, and
moves a player who is HERE to a newer connection. `fall_silent` leaves a player HERE and holds the
seat as for one who dropped, `speak` ends that. `give_up` leads to GIVEN_UP from every state that a
player owns. `end_match` frees the seat of an owner who is awaited no more; PLAYED_FOR becomes HERE.
`hand_over` gives PLAYED_FOR another reason.

Laws: only a `Chair` assigns its own fields, and each change of its state is a move from the table
below. Whatever the move, a chair stops its bot when it leaves the states in which a bot plays,
cancels the grace when it leaves DROPPED, and keeps the name of an owner who is gone.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from protocol.errors import RefusalCode
from protocol.ids import Seat
from protocol.table import SeatInfo, SeatKind
from server.tables.access import Impossible
from server.tables.names import Names
from server.tasks import Timer

if TYPE_CHECKING:
    from server.bots.driver import BotDriver
    from server.net.session import Session


class SeatState(Enum):
    FREE = "free"
    BOT = "bot"
    """A bot of the table; it plays only while there is a match."""
    HERE = "here"
    PLAYED_FOR = "played for"
    """The player is here and was too slow, or handed the seat over: a bot plays beside them until
    they act again."""
    DROPPED = "dropped"
    """The player lost the connection, and nobody plays until the grace is over."""
    AWAY = "away"
    """A bot plays for a player who lost the connection and may come back."""
    GIVEN_UP = "given up"
    """A bot plays for a player who left or was sent away, and who does not come back."""


S: TypeAlias = SeatState
GraceOver: TypeAlias = Callable[["Chair"], None]

MOVES: Final[Mapping[str, Mapping[SeatState, SeatState]]] = {
    "sit": {S.FREE: S.HERE},
    "seat_bot": {S.FREE: S.BOT, S.BOT: S.BOT},
    "free": {S.BOT: S.FREE, S.HERE: S.FREE, S.DROPPED: S.FREE},
    "set_ready": {S.HERE: S.HERE},
    "fall_silent": {S.HERE: S.HERE},
    "speak": {S.HERE: S.HERE, S.PLAYED_FOR: S.PLAYED_FOR},
    "play": {S.BOT: S.BOT, S.GIVEN_UP: S.GIVEN_UP},
    "stand_in": {S.HERE: S.PLAYED_FOR},
    "hand_over": {S.HERE: S.PLAYED_FOR, S.PLAYED_FOR: S.PLAYED_FOR},
    "give_back": {S.PLAYED_FOR: S.HERE},
    "drop": {S.HERE: S.DROPPED, S.PLAYED_FOR: S.AWAY},
    "hold": {S.DROPPED: S.DROPPED, S.AWAY: S.DROPPED},
    "hand_to_bot": {S.DROPPED: S.AWAY},
    "give_up": dict.fromkeys((S.HERE, S.PLAYED_FOR, S.DROPPED, S.AWAY), S.GIVEN_UP),
    "reseat": dict.fromkeys((S.HERE, S.PLAYED_FOR, S.DROPPED, S.AWAY), S.HERE),
    "end_match": {
        **{state: state for state in (S.FREE, S.BOT, S.HERE)},
        S.PLAYED_FOR: S.HERE,
        **dict.fromkeys((S.DROPPED, S.AWAY, S.GIVEN_UP), S.FREE),
    },
}
"""State before → state after. A move in a state that is not listed is the caller's bug."""

HAS_PLAYER: Final = {S.HERE, S.PLAYED_FOR}
HAS_BOT: Final = {S.BOT, S.PLAYED_FOR, S.AWAY, S.GIVEN_UP}
KEEPS_NAME: Final = {S.DROPPED, S.AWAY, S.GIVEN_UP}
KINDS: Final[Mapping[SeatState, SeatKind]] = {
    S.FREE: SeatKind.FREE,
    **dict.fromkeys((S.HERE, S.PLAYED_FOR, S.DROPPED), SeatKind.HUMAN),
    **dict.fromkeys((S.BOT, S.AWAY, S.GIVEN_UP), SeatKind.BOT),
}
"""What a seat counts as in the lobby."""


class IllegalMove(Exception):
    """A move that MOVES does not list for the seat's state; nothing has changed."""

    def __init__(self, move: str, state: SeatState) -> None:
        super().__init__(f"cannot {move}: the seat is {state.value}")


@dataclass(eq=False, slots=True)
class Chair:
    """One seat of a table, in any state without a player at first.

    `name`: of the bot or of the owner, "" on a free seat. `identity`, `origin`: the owner's as in
    `Session`, empty where they are unknown; `left_by`: the identity of who gave the seat up.
    `level`: of a bot of the table, "" in every other state. `guest`: the player, in HERE and
    PLAYED_FOR; `bot`: the driver that plays now. `grace`: runs while the seat is held. `ready`:
    whether the player said that a match may begin; `silent`: whether their line is open and says
    nothing although their action is due; `handed_over`: whether
    they wish a bot to play to the end; so also in AWAY, for their return. `overdue`: whether the
    seat is held for longer than a grace, so that somebody else hosts. `gone_at_s`: when the
    player fell silent or lost the connection, on the loop's clock; None where a restart of the
    server has forgotten it.
    """

    names: Names
    number: Seat
    state: SeatState = SeatState.FREE
    name: str = ""
    level: str = ""
    identity: bytes = b""
    origin: str = ""
    left_by: bytes = b""
    guest: "Session | None" = None
    bot: "BotDriver | None" = None
    grace: Timer = field(default_factory=Timer)
    gone_at_s: float | None = None
    ready: bool = False
    silent: bool = False
    handed_over: bool = False
    overdue: bool = False

    def __post_init__(self) -> None:
        if self.state in KEEPS_NAME:
            self.names.take(self.name)

    # What others ask -----------------------------------------------------------------------------

    @property
    def kind(self) -> SeatKind:
        return KINDS[self.state]

    @property
    def awaited(self) -> bool:
        """Whether the owner lost the connection and may come back."""
        return self.state in (SeatState.DROPPED, SeatState.AWAY)

    def keeps_part(self, over: bool) -> bool:
        """Whether the player can be host. The table waits for a player who is away, but after a
        match (`over`) no longer than a grace."""
        return self.guest is not None or self.grace.runs or (self.awaited and not over)

    def away_s(self) -> int:
        """How long the player, who is back now, was gone; the chair forgets it."""
        gone_at_s, self.gone_at_s = self.gone_at_s, None
        return 0 if gone_at_s is None else round(asyncio.get_running_loop().time() - gone_at_s)

    @property
    def owned(self) -> bool:
        """Whether it is a person's, here or absent."""
        return self.state in HAS_PLAYER or self.awaited

    def info(self) -> SeatInfo:
        """The seat as the lobby shows it, in few words: a page of seats must fit into a frame."""
        state = self.state
        return SeatInfo(
            kind=self.kind,
            name=self.name,
            level=self.level,
            ready=self.ready and state in HAS_PLAYER,
            away=state in (SeatState.AWAY, SeatState.GIVEN_UP),
            dropped=state is SeatState.DROPPED or (self.silent and state is SeatState.HERE),
            timed_out=state is SeatState.PLAYED_FOR and not self.handed_over,
            handed_over=state is SeatState.PLAYED_FOR and self.handed_over,
        )

    # Moves ---------------------------------------------------------------------------------------

    def move(self, move: str, bot: "BotDriver | None" = None) -> None:
        """Make a move of MOVES that needs no more than that. `bot`: plays from now on."""
        after = MOVES[move].get(self.state)
        if after is None:
            raise IllegalMove(move, self.state)
        before, self.state = self.state, after
        if after is not SeatState.DROPPED:
            self.grace.stop()
            self.overdue = False
        if move != "stand_in":
            self.silent = False
        if after not in (SeatState.PLAYED_FOR, SeatState.AWAY):
            self.handed_over = False
        if after not in HAS_BOT or move == "end_match" or bot not in (None, self.bot):
            if self.bot is not None:
                self.bot.stop()
            self.bot = bot
        if after not in HAS_PLAYER:
            self.guest = None
        if before not in KEEPS_NAME and after in KEEPS_NAME:
            self.names.take(self.name)
        if before in KEEPS_NAME and after is SeatState.FREE:
            self.names.release(self.name)
        if after is SeatState.FREE:
            self.name, self.level = "", ""
        if after in (SeatState.FREE, SeatState.DROPPED) or move == "end_match":
            self.ready = False
        if after is not before and after in (SeatState.FREE, SeatState.GIVEN_UP):
            self.left_by = self.identity if after is SeatState.GIVEN_UP else b""
            self.identity, self.origin = b"", ""
        if move == "hand_over":
            self.handed_over = True

    def renumber(self, number: int) -> None:
        """The table counts the seat so from now on."""
        self.number = Seat(number)

    def sit(self, guest: "Session") -> None:
        """Give the free seat to a guest."""
        self.move("sit")
        self._is_of(guest)
        self.name = guest.name

    def _is_of(self, guest: "Session") -> None:
        self.guest, self.identity, self.origin = guest, guest.identity, guest.origin

    def seat_bot(self, level: str, name: str) -> None:
        """Put a bot of the table on the seat, or change the one that is there."""
        self.move("seat_bot")
        self.level, self.name = level, name

    def set_ready(self, ready: bool) -> None:
        """Note whether the player says that a match may begin."""
        self.move("set_ready")
        self.ready = ready

    def fall_silent(self, grace_s: float | None, grace_over: GraceOver) -> None:
        """The player keeps others waiting, and their line says nothing; `grace_over` is called
        after the grace if that is so still."""
        self.move("fall_silent")
        self.silent, self.gone_at_s = True, asyncio.get_running_loop().time()
        self._wait(grace_s, grace_over)

    def _wait(self, grace_s: float | None, grace_over: GraceOver) -> None:
        if grace_s is not None and not self.grace.runs:
            self.grace.start(grace_s, partial(grace_over, self))

    def drop(self, grace_s: float | None, grace_over: GraceOver) -> None:
        """The player lost the connection. A bot that stood in plays on; otherwise the seat is
        held, and `grace_over` is called after the grace if it is held still. The grace of a player
        who was silent before has begun already."""
        silent = self.silent
        self.move("drop")
        if not silent:
            self.gone_at_s = asyncio.get_running_loop().time()
        if self.state is SeatState.DROPPED:
            self.hold(grace_s, grace_over)

    def hold(self, grace_s: float | None, grace_over: GraceOver, *, overdue: bool = False) -> None:
        """Wait for an owner for a grace from now on (None: as long as it takes), unless a grace
        runs already. `overdue`: a first one is over."""
        self.move("hold")
        self.overdue |= overdue
        self._wait(grace_s, grace_over)

    def reseat(self, guest: "Session") -> None:
        """The owner is back as this guest, who gets the owner's name. An older connection that
        still has the seat is told so."""
        former = self.guest
        self.move("reseat")
        if former is not None:
            former.replaced()
        # The owner's name was kept all the time; the guest's substitute is free again.
        self.names.release(guest.name)
        guest.name = self.name
        self._is_of(guest)


# The seats of one table: who sits where, and which seat somebody gets.


BOT_NAMES: Final = ("Wren", "Lark", "Rook", "Dove", "Swan", "Teal", "Kite", "Ibis")
"""Of four letters: the heads of columns of points show them whole."""
OFFICES: Final = ("operator", "Server")
"""Nobody is called so without a number, as if they ran the server."""


class Seating:
    """All chairs of a table, by seat."""

    __slots__ = ("chairs",)

    def __init__(self, chairs: Sequence[Chair]) -> None:
        self.chairs: Final = tuple(chairs)

    def __getitem__(self, seat: int) -> Chair:
        """Raises Impossible for a seat that the table does not have."""
        if not 0 <= seat < len(self.chairs):
            raise Impossible(RefusalCode.NO_SUCH_SEAT, seat=seat, seats=len(self.chairs))
        return self.chairs[seat]

    def guests(self) -> list["Session"]:
        """The players who are here, by seat."""
        return [chair.guest for chair in self.chairs if chair.guest is not None]

    def bots(self) -> list["BotDriver"]:
        """Those that play now."""
        return [chair.bot for chair in self.chairs if chair.bot is not None]

    def of_people(self) -> list[Seat]:
        """The seats that no bot plays for good or in its owner's absence."""
        return [chair.number for chair in self.chairs if chair.kind is not SeatKind.BOT]

    def chair_of(self, guest: "Session") -> Chair | None:
        for chair in self.chairs:
            if chair.guest is guest:
                return chair
        return None

    def seat_of(self, guest: "Session") -> Seat | None:
        chair = self.chair_of(guest)
        return None if chair is None else chair.number

    def owned_by(self, identity: bytes) -> list[Chair]:
        """The seats of a person with this identity; none for b""."""
        return [chair for chair in self.chairs if chair.identity == identity != b""]

    def host_after(self, host: Seat | None, first: Seat | None, *, over: bool) -> Seat | None:
        """The first host, as long as the seat is a person's; else the host; after that the lowest
        seat of a person, preferably of a person who is here. None of them is overdue where somebody
        else can be host. `over`: as in `Chair.keeps_part`."""
        people = [chair for chair in self.chairs if chair.kind is SeatKind.HUMAN]

        def rank(one: Chair) -> tuple[bool, ...]:
            here, part = one.guest is not None, one.keeps_part(over) and not one.overdue
            return not part, one.number != first, one.number != host, not here

        # The least comes first; of equals, the lowest seat.
        return min(people, key=rank).number if people else None

    def awaits(self) -> bool:
        """Whether an owner lost the connection and may come back."""
        return any(chair.awaited for chair in self.chairs)

    def filled(self) -> bool:
        return len(self.taken()) == len(self.chairs)

    def taken(self) -> list[Chair]:
        """Those of people and bots."""
        return [chair for chair in self.chairs if chair.state is not SeatState.FREE]

    def all_ready(self, but: "Session | None" = None, *, absent: bool = False) -> bool:
        """Whether every person except `but` is ready; a player who dropped only if `absent`."""
        return all(
            chair.ready or (absent and chair.guest is None)
            for chair in self.chairs
            if chair.kind is SeatKind.HUMAN and (chair.guest is None or chair.guest is not but)
        )

    def sit(self, guest: "Session", seat: int | None) -> Seat:
        """Give the guest this seat, or the lowest free seat."""
        if seat is None:
            chair = next((one for one in self.chairs if one.state is SeatState.FREE), None)
            if chair is None:
                raise Impossible(RefusalCode.TABLE_FULL)
        else:
            chair = self[seat]
            if chair.state is not SeatState.FREE:
                raise Impossible(RefusalCode.SEAT_TAKEN, seat=seat, name=chair.name)
        chair.sit(guest)
        return chair.number

    def set_bot(self, seat: int, level: str) -> None:
        """Put a bot of that level on a free or a bot's seat; "" takes it off."""
        chair = self[seat]
        if chair.kind is SeatKind.HUMAN:
            raise Impossible(RefusalCode.SEAT_TAKEN, seat=seat, name=chair.name)
        if level:
            chair.seat_bot(level, chair.name or self._bot_name())
        elif chair.state is SeatState.BOT:
            chair.move("free")

    def _bot_name(self) -> str:
        taken = {chair.name for chair in self.chairs}
        return next(name for name in BOT_NAMES if name not in taken)
