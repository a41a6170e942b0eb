"""A seat of a table as an automaton: who sits there, and everything that can happen to it, as data.

              seat_bot               sit              stand_in, hand_over
        BOT <===========> FREE <==============> HERE <================> PLAYED_FOR
                free       ^         free       |  ^   take_back          |
                           |               drop |  | reseat               | drop
                      free |                    v  |                      v
                           +------------------ DROPPED ----------------> AWAY
                           |                    |       hand_to_bot       |
                 end_match |                    | give_up         give_up |
                           +----------------- GIVEN_UP <------------------+

`reseat` leads to HERE from PLAYED_FOR and AWAY, too, and moves a player who is HERE to a newer
connection. `fall_silent` leaves a player HERE and holds the seat as for one who dropped, `speak`
ends that. `give_up` leads to GIVEN_UP from every state that a player owns. `end_match` frees the
seat of an absent owner; PLAYED_FOR becomes HERE. `hand_over` gives PLAYED_FOR another reason.

Laws: only a `Chair` assigns its own fields, and each change of its state is a move from the table
below. Whatever the move, a chair stops its bot when it leaves the states in which a bot plays,
cancels the grace when it leaves DROPPED, and holds the name of an owner who is gone.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from protocol.listing import SeatInfo, SeatKind
from server.tables.names import Names
from server.timer import Timer

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


class Move(Enum):
    SIT = "sit"
    SEAT_BOT = "seat a bot"
    FREE = "free"
    SET_READY = "set ready"
    FALL_SILENT = "fall silent"
    SPEAK = "speak"
    PLAY = "play"
    STAND_IN = "stand in"
    HAND_OVER = "hand over"
    TAKE_BACK = "take back"
    DROP = "drop"
    HOLD = "hold"
    HAND_TO_BOT = "hand to a bot"
    GIVE_UP = "give up"
    RESEAT = "reseat"
    END_MATCH = "end the match"


S: TypeAlias = SeatState

TRANSITIONS: Final[Mapping[Move, Mapping[SeatState, SeatState]]] = {
    Move.SIT: {S.FREE: S.HERE},
    Move.SEAT_BOT: {S.FREE: S.BOT, S.BOT: S.BOT},
    Move.FREE: {S.BOT: S.FREE, S.HERE: S.FREE, S.DROPPED: S.FREE},
    Move.SET_READY: {S.HERE: S.HERE},
    Move.FALL_SILENT: {S.HERE: S.HERE},
    Move.SPEAK: {S.HERE: S.HERE, S.PLAYED_FOR: S.PLAYED_FOR},
    Move.PLAY: {S.BOT: S.BOT, S.GIVEN_UP: S.GIVEN_UP},
    Move.STAND_IN: {S.HERE: S.PLAYED_FOR},
    Move.HAND_OVER: {S.HERE: S.PLAYED_FOR, S.PLAYED_FOR: S.PLAYED_FOR},
    Move.TAKE_BACK: {S.PLAYED_FOR: S.HERE},
    Move.DROP: {S.HERE: S.DROPPED, S.PLAYED_FOR: S.AWAY},
    Move.HOLD: {S.DROPPED: S.DROPPED},
    Move.HAND_TO_BOT: {S.DROPPED: S.AWAY},
    Move.GIVE_UP: dict.fromkeys((S.HERE, S.PLAYED_FOR, S.DROPPED, S.AWAY), S.GIVEN_UP),
    Move.RESEAT: dict.fromkeys((S.HERE, S.PLAYED_FOR, S.DROPPED, S.AWAY), S.HERE),
    Move.END_MATCH: {
        S.FREE: S.FREE,
        S.BOT: S.BOT,
        S.HERE: S.HERE,
        S.PLAYED_FOR: S.HERE,
        S.DROPPED: S.FREE,
        S.AWAY: S.FREE,
        S.GIVEN_UP: S.FREE,
    },
}
"""Move → state before → state after. A move from a state that is not listed is the caller's bug."""

HAS_PLAYER: Final = {S.HERE, S.PLAYED_FOR}
HAS_BOT: Final = {S.BOT, S.PLAYED_FOR, S.AWAY, S.GIVEN_UP}
HOLDS_NAME: Final = {S.DROPPED, S.AWAY, S.GIVEN_UP}
KINDS: Final[Mapping[SeatState, SeatKind]] = {
    S.FREE: SeatKind.FREE,
    **dict.fromkeys((S.HERE, S.PLAYED_FOR, S.DROPPED), SeatKind.HUMAN),
    **dict.fromkeys((S.BOT, S.AWAY, S.GIVEN_UP), SeatKind.BOT),
}
"""What a seat counts as in the lobby."""


class IllegalMove(Exception):
    """A move that TRANSITIONS does not list for the seat's state; nothing has changed."""

    def __init__(self, move: Move, state: SeatState) -> None:
        super().__init__(f"cannot {move.value}: the seat is {state.value}")


class Chair:
    """One seat of a table; `protocol.ids.Seat` is its number."""

    __slots__ = (
        "_bot",
        "_grace",
        "_guest",
        "_handed_over",
        "_identity",
        "_level",
        "_name",
        "_names",
        "_origin",
        "_ready",
        "_silent",
        "_state",
    )

    def __init__(
        self,
        names: Names,
        state: SeatState = SeatState.FREE,
        name: str = "",
        level: str = "",
        identity: bytes = b"",
    ) -> None:
        """Any state without a player; `name` is that of the bot or of the owner, `identity` the
        owner's."""
        self._names: Final = names
        self._state = state
        self._name = name
        self._level = level
        self._identity = identity
        self._origin = ""
        self._guest: Session | None = None
        self._bot: BotDriver | None = None
        self._grace: Final = Timer()
        self._ready = self._silent = self._handed_over = False
        if state in HOLDS_NAME:
            names.hold(name)

    # What others ask -----------------------------------------------------------------------------

    @property
    def state(self) -> SeatState:
        return self._state

    @property
    def guest(self) -> "Session | None":
        """The player, in HERE and PLAYED_FOR."""
        return self._guest

    @property
    def name(self) -> str:
        """The name of the bot or of the owner, "" on a free seat."""
        return self._name

    @property
    def identity(self) -> bytes:
        """The owner's identity as in `Session`, b"" where none is known."""
        return self._identity

    @property
    def origin(self) -> str:
        """The owner's origin as in `Session`, "" where none is known."""
        return self._origin

    @property
    def level(self) -> str:
        """The level of a bot of the table, "" in every other state."""
        return self._level

    @property
    def ready(self) -> bool:
        """Whether the player said that a match may begin."""
        return self._ready

    @property
    def silent(self) -> bool:
        """Whether the player's line is open and says nothing although their action is due."""
        return self._silent

    @property
    def handed_over(self) -> bool:
        """Whether the player wishes a bot to play to the end; so also in AWAY, for their return."""
        return self._handed_over

    @property
    def grace_left_s(self) -> float:
        """How much longer the seat is held; 0 where no grace runs."""
        return self._grace.left_s

    @property
    def bot(self) -> "BotDriver | None":
        """The driver that plays now."""
        return self._bot

    @property
    def kind(self) -> SeatKind:
        return KINDS[self._state]

    @property
    def awaited(self) -> bool:
        """Whether the owner lost the connection and may come back."""
        return self._state in (SeatState.DROPPED, SeatState.AWAY)

    @property
    def owned(self) -> bool:
        """Whether it is a person's, here or absent."""
        return self._state in HAS_PLAYER or self.awaited

    def info(self) -> SeatInfo:
        """The seat as the lobby shows it, in few words: a page of seats must fit into a frame."""
        state = self._state
        return SeatInfo(
            kind=self.kind,
            name=self._name,
            level=self._level,
            ready=self._ready and state in HAS_PLAYER,
            away=state in (SeatState.AWAY, SeatState.GIVEN_UP),
            dropped=state is SeatState.DROPPED or (self._silent and state is SeatState.HERE),
            timed_out=state is SeatState.PLAYED_FOR and not self._handed_over,
            handed_over=state is SeatState.PLAYED_FOR and self._handed_over,
        )

    # Moves ---------------------------------------------------------------------------------------

    def _move(self, move: Move) -> None:
        after = TRANSITIONS[move].get(self._state)
        if after is None:
            raise IllegalMove(move, self._state)
        before, self._state = self._state, after
        if after is not SeatState.DROPPED:
            self._grace.stop()
        if move is not Move.STAND_IN:
            self._silent = False
        if after not in (SeatState.PLAYED_FOR, SeatState.AWAY):
            self._handed_over = False
        if after not in HAS_BOT or move is Move.END_MATCH:
            self._stop_bot()
        if after not in HAS_PLAYER:
            self._guest = None
        if before not in HOLDS_NAME and after in HOLDS_NAME:
            self._names.hold(self._name)
        if before in HOLDS_NAME and after is SeatState.FREE:
            self._names.release(self._name)
        if after is SeatState.FREE:
            self._name, self._level, self._ready = "", "", False
        if after in (SeatState.FREE, SeatState.GIVEN_UP):
            self._identity, self._origin = b"", ""

    def sit(self, guest: "Session") -> None:
        """Give the free seat to a guest."""
        self._move(Move.SIT)
        self._guest, self._name = guest, guest.name
        self._identity, self._origin = guest.identity, guest.origin

    def seat_bot(self, level: str, name: str) -> None:
        """Put a bot of the table on the seat, or change the one that is there."""
        self._move(Move.SEAT_BOT)
        self._level, self._name = level, name

    def free(self) -> None:
        """Take away the bot or the player, or stop waiting for a player who dropped."""
        self._move(Move.FREE)

    def set_ready(self, ready: bool) -> None:
        """Note whether the player says that a match may begin."""
        self._move(Move.SET_READY)
        self._ready = ready

    def fall_silent(self, grace_s: float, grace_over: Callable[[], None]) -> None:
        """The player keeps others waiting, and their line says nothing; `grace_over` is called
        after the grace if that is so still."""
        self._move(Move.FALL_SILENT)
        self._silent = True
        self._grace.start(grace_s, grace_over)

    def speak(self) -> None:
        """The line of a silent player says something again."""
        self._move(Move.SPEAK)

    def play(self, bot: "BotDriver") -> None:
        """A match begins or goes on, in which this bot plays the seat."""
        self._move(Move.PLAY)
        self._change_bot(bot)

    def stand_in(self, bot: "BotDriver") -> None:
        """The player was too slow: the bot plays until they act again."""
        self._move(Move.STAND_IN)
        self._change_bot(bot)

    def hand_over(self, bot: "BotDriver") -> None:
        """The player wishes the bot to play to the end; it plays until they act again."""
        self._move(Move.HAND_OVER)
        self._handed_over = True
        self._change_bot(bot)

    def take_back(self) -> None:
        """The player acts again."""
        self._move(Move.TAKE_BACK)

    def drop(self, grace_s: float, grace_over: Callable[[], None]) -> None:
        """The player lost the connection. A bot that stood in plays on; otherwise the seat is
        held, and `grace_over` is called after the grace if it is held still."""
        self._move(Move.DROP)
        if self._state is SeatState.DROPPED:
            self._grace.start(grace_s, grace_over)

    def hold(self, grace_s: float, grace_over: Callable[[], None]) -> None:
        """Wait for an owner for a grace from now on, unless a grace runs already."""
        self._move(Move.HOLD)
        if not self._grace.runs:
            self._grace.start(grace_s, grace_over)

    def hand_to_bot(self, bot: "BotDriver") -> None:
        """The bot plays until the owner comes back."""
        self._move(Move.HAND_TO_BOT)
        self._change_bot(bot)

    def give_up(self, bot: "BotDriver") -> None:
        """The bot plays for good: the owner left or was sent away."""
        self._move(Move.GIVE_UP)
        self._change_bot(bot)

    def reseat(self, guest: "Session") -> None:
        """The owner is back as this guest, who gets the owner's name. An older connection that
        still has the seat is told so."""
        former = self._guest
        self._move(Move.RESEAT)
        if former is not None:
            former.replaced()
        # The owner's name was held all the time; the guest's substitute is free again.
        self._names.release(guest.name)
        guest.name, self._guest = self._name, guest
        self._identity, self._origin = guest.identity, guest.origin

    def end_match(self) -> None:
        """The match is over or given up: bots stop, and a seat whose owner is gone is free."""
        self._move(Move.END_MATCH)
        self._ready = False

    # The bot and the timer -----------------------------------------------------------------------

    def rest(self) -> None:
        """Let the bot pause, because nobody is there."""
        if self._bot is not None:
            self._bot.rest()

    def wake(self) -> None:
        """Let the bot go on after `rest`."""
        if self._bot is not None:
            self._bot.wake()

    def stop_waiting(self) -> None:
        """Cancel the grace, if one runs."""
        self._grace.stop()

    def _change_bot(self, bot: "BotDriver") -> None:
        if bot is not self._bot:
            self._stop_bot()
            self._bot = bot

    def _stop_bot(self) -> None:
        if self._bot is not None:
            self._bot.stop()
            self._bot = None
