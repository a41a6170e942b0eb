"""All slices in one, and the single place where a server's message becomes a new state.

Screens read `Store.state`, the app applies it; nobody else changes it.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from time import localtime, monotonic, strftime, time
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.state import match as matches, table as tables
from clocktowers_tui.state.match import Evening, LookedBack, Match, opened, ranked
from clocktowers_tui.state.table import Chat, Connection, Kind, Lobby, Table, cleaned
from protocol import from_server as server
from protocol.from_client import Join, ListTables, Request, Watch
from protocol.from_server import Said
from protocol.games.registry import GAMES
from protocol.ids import Seat
from protocol.table import SeatInfo, SeatKind, TablePhase


class State(Struct, frozen=True):
    """`connection` None = at home. `coming`: a match that has begun and has no view yet; the match
    before is shown till then. `result_seen`: the player has closed the result of `match`.
    `ejected`: code and table of a `left`, until the player is told. `stillborn`: a match was broken
    off before its first view, until the player is told. `back`: the notice that the player is
    back, and those after it, which can come before the match whose log they belong to. `told`: what
    the server said to everybody, until the player is told. `muted`: (table, name) of the players
    whose lines are hidden, until the program ends. `looked_back`: what the history says of `match`.
    `notes`: what the player has noted for themselves, by match and ply.
    `evening`: of the table. `ranked`: the tables of the last deal that several played. `barred`:
    the tables whose host has sent the player away."""

    connection: Connection | None = None
    lobby: Lobby = Lobby()
    table: Table | None = None
    match: Match | None = None
    coming: Match | None = None
    result_seen: bool = False
    ejected: tuple[str, str] | None = None
    stillborn: bool = False
    back: tuple[server.Notice, ...] = ()
    told: server.Notice | None = None
    chat: Chat = Chat()
    muted: frozenset[tuple[str, str]] = frozenset()
    looked_back: LookedBack | None = None
    notes: Mapping[str, Mapping[int, str]] = {}
    evening: Evening = Evening()
    ranked: server.Ranking | None = None
    barred: frozenset[str] = frozenset()

    @property
    def alone(self) -> bool:
        """Whether the player plays against bots on a server for that match only."""
        return self.connection is not None and self.connection.kind is Kind.SOLO

    @property
    def covered(self) -> bool:
        """Whether several people play at this keyboard, and none of their hands is shown."""
        return self.alone and self.table is not None and self.table.seat is None

    @property
    def seat(self) -> Seat | None:
        """The player's seat; None when watching, or at no table."""
        return None if self.table is None else self.table.seat


class Place(Enum):
    """Where the player is."""

    HOME = "home"
    LOBBY = "lobby"
    TABLE = "table"
    MATCH = "match"


def place(state: State) -> Place:
    """A match is a place from its first view until its player closes the result."""
    if state.connection is None:
        return Place.HOME
    if state.table and _sees_a_match(state):
        return Place.MATCH
    # Alone there is nothing to do beside the match: it is about to begin, or could not begin.
    if state.alone:
        return Place.HOME
    return Place.LOBBY if state.table is None else Place.TABLE


def _sees_a_match(state: State) -> bool:
    return state.match is not None and not (state.match.over and state.result_seen)


def is_told(state: State) -> bool:
    """Whether the server has told of the table to which it has let the player, and of a match that
    runs there; or that they are no longer there."""
    if state.table is None:
        return state.ejected is not None
    return _sees_a_match(state) or state.table.info.phase is not TablePhase.PLAYING


def heard(state: State, message: Struct) -> State:
    """The state after a message of the server, whose texts are cleaned here, all but a game's.

    Raises RemoteProtocolError when a view, event or outcome does not fit its game.
    """
    if not isinstance(message, server.Update | server.History | server.Ended):
        message = cleaned(message)
    match message:
        case server.Listing():
            return replace(state, lobby=tables.listed(state.lobby, message))
        case server.LobbyChanged():
            return replace(state, lobby=tables.changed(state.lobby, message))
        case server.AtTable():
            return _at_table(state, tables.at_table(message))
        case server.LeftTable(table=table, code=code):
            kicked = {table} if code == server.TableGone.KICKED else set[str]()
            return replace(left(state), ejected=(code, table), barred=state.barred | kicked)
        case server.Said():
            return replace(state, chat=state.chat.heard(message))
        case server.ChatHistory():
            news = state.table is not None  # a newcomer gets it before the table
            return replace(state, chat=state.chat.caught_up(message, news=news))
        case server.Notice(code=server.NoticeCode.WATCHING) if state.alone or not state.connection:
            return state  # a line of this client's own (`net.keyboard`)
        case server.Notice(code=code) if code in server.TO_ALL:
            return replace(_heard_at_match(state, message), told=message)
        case server.Ranking():
            state = replace(state, ranked=ranked(message))
            return replace(state, match=state.match and opened(state.match, state.ranked))
        case server.Started(match=id) if any(m and m.id == id for m in (state.match, state.coming)):
            return state  # the connection broke and is back: what was missed follows
        case server.Started(game=game) if game in GAMES:
            names = state.table.names if state.table else ()
            return replace(state, coming=matches.started(message, names))
        case _:
            return _heard_at_match(state, message)


def timed_out(state: State) -> bool:
    """Whether a bot plays the player's seat because the player's time was up."""
    seat = _own_seat(state)
    return seat is not None and seat.timed_out


def handed_over(state: State) -> bool:
    """Whether a bot plays the player's seat because the player wishes it."""
    seat = _own_seat(state)
    return seat is not None and seat.handed_over


def played_for(state: State) -> bool:
    """Whether a bot plays the player's seat."""
    return handed_over(state) or timed_out(state)


def _own_seat(state: State) -> SeatInfo | None:
    table, seat = state.table, state.seat
    return None if table is None or seat is None else table.info.seats[seat]


def stands_still(state: State) -> bool:
    """Whether the match waits because all its players are disconnected."""
    if state.table is None or state.table.info.phase is not TablePhase.PLAYING:
        return False
    seats = state.table.info.seats
    here = any(seat.kind is SeatKind.HUMAN and not seat.dropped for seat in seats)
    return not here and any(seat.dropped for seat in seats)


def left(state: State) -> State:
    """Return to the lobby."""
    there = State(connection=state.connection, lobby=state.lobby, barred=state.barred)
    return replace(there, muted=state.muted)


def noted(state: State, match: str, ply: int, text: str) -> State:
    """The player has written this for themselves; "" takes away what they wrote there."""
    notes = {**state.notes.get(match, {}), ply: text}
    kept = {at: told for at, told in notes.items() if told}
    return replace(state, notes={**state.notes, match: kept})


def compared(state: State, looked: LookedBack) -> State:
    """The history has been asked about a match; nothing changes where it is not the newest."""
    newest = state.match is not None and state.match.id == looked.match
    return replace(state, looked_back=looked) if newest else state


def parted(state: State) -> State:
    """Disconnect."""
    return State(muted=state.muted)


def _at_table(state: State, table: Table) -> State:
    # Before a match the table itself shows who is away or back.
    back = state.back if table.info.phase is TablePhase.PLAYING else ()
    state = replace(state, table=table, back=back)
    newest = state.coming or state.match
    if newest is None or (newest.names and table.info.phase is not TablePhase.PLAYING):
        return state
    if state.coming is not None:
        return replace(state, coming=matches.named(state.coming, table.names))
    return replace(state, match=matches.named(newest, table.names))


def _heard_at_match(state: State, message: Struct) -> State:
    if isinstance(message, server.Notice) and state.coming is None and state.match is None:
        returned = state.back or message.code == server.NoticeCode.CAME_BACK
        return replace(state, back=(*state.back, message)) if returned else state
    if state.coming is not None:
        coming = _next_match(state.coming, message)
        if isinstance(message, server.Update) and coming is not state.coming:
            coming = matches.returned(coming, state.back, state.seat)
            return replace(
                state, match=coming, coming=None, result_seen=False, back=(), looked_back=None
            )
        if coming.over:
            evening = state.evening.after(coming)
            return replace(state, coming=None, stillborn=True, evening=evening)
        return replace(state, coming=coming)
    if state.match is not None:
        after = opened(_next_match(state.match, message), state.ranked)
        if after.over and not state.match.over:  # the table forgets it with its next news
            after = replace(after, played_for=played_for(state) and not after.spent)
            state = replace(state, evening=state.evening.after(after))
        return replace(state, match=after)
    return state


def _next_match(match: Match, message: Struct) -> Match:
    """The match after a message; another match's changes nothing."""
    match message:
        case server.Notice():
            return matches.noticed(match, message)
        case server.History(match=id) if id == match.id:
            return matches.caught_up(match, message)
        case server.Update(match=id) if id == match.id:
            return matches.updated(match, message)
        case server.Ended(match=id) if id == match.id:
            return matches.ended(match, message)
        case _:
            return match


Check: TypeAlias = Callable[[Struct, State, State], None]


def _believed(_message: Struct, _before: State, _after: State) -> None:
    """Believe every message."""


class Store:
    """Holds the newest state and tells its listener of each new state.

    `check` gets each message, the state before it and the state after it, and may raise what
    `heard` may; then nothing has changed. `now_s`: this machine's clock.
    """

    def __init__(
        self,
        told: Callable[[], None],
        check: Check = _believed,
        now_s: Callable[[], float] = monotonic,
    ) -> None:
        self.state = State()
        self._told = told
        self._check = check
        self._now_s = now_s

    def change(self, state: State) -> None:
        """Put a new state in place of the old."""
        if state is not self.state:
            self.state = _timed(state, self.state.match, self._now_s())
            self._told()

    def hear(self, message: Struct) -> None:
        """Take a message of the server."""
        after = heard(self.state, _dated(message, time()))
        self._check(message, self.state, after)
        self.change(after)


def _dated(message: Struct, now_s: float) -> Struct:
    """With the time of day since when somebody was away, if it tells how long, and without what
    this client alone tells. `now_s`: since the epoch."""
    if not isinstance(message, server.Notice) or message.code != server.NoticeCode.CAME_BACK:
        return message
    params = {name: message.params[name] for name in message.params.keys() - {"since", "moves"}}
    away_s = params.get("away_s")
    if isinstance(away_s, int) and 0 < away_s <= now_s:
        params["since"] = strftime("%H:%M", localtime(now_s - away_s))
    return server.Notice(message.code, params)


def _timed(state: State, before: Match | None, now_s: float) -> State:
    match = state.match
    if match is None or match.view is None:
        return state
    timed = matches.timed(match, before, now_s, still=stands_still(state))
    return state if timed is match else replace(state, match=timed)


# Which lines of a table's chat reach this player: all but those of muted players.


def in_company(state: State) -> bool:
    """Whether there is a chat: at a table, and not alone with bots."""
    return state.table is not None and state.connection is not None and not state.alone


def you(state: State) -> str:
    """The name in the player's own lines."""
    return "" if state.connection is None else state.connection.name


def muted(state: State) -> frozenset[str]:
    """The names that are muted at this table."""
    here = _here(state)
    return frozenset(name for table, name in state.muted if table == here)


def toggled(state: State, name: str) -> State:
    """Hide that player's lines at this table, or show them again."""
    return replace(state, muted=state.muted ^ {(_here(state), name)})


def audible(state: State) -> tuple[Said, ...]:
    """The lines that are shown."""
    unheard = muted(state)
    return tuple(line for line in state.chat.lines if line.name not in unheard)


def unread(state: State) -> tuple[Said, ...]:
    """Shown lines of others that the player has not seen yet."""
    chat, unheard = state.chat, muted(state) | {you(state)}
    fresh = chat.lines[len(chat.lines) - chat.fresh :]
    return tuple(line for line in fresh if line.name not in unheard)


def others(state: State) -> tuple[str, ...]:
    """Whom the player might mute or hear again: the muted, then those who spoke last."""
    spoke = (line.name for line in reversed(state.chat.lines) if line.name != you(state))
    return tuple(dict.fromkeys((*sorted(muted(state)), *spoke)))


def _here(state: State) -> str:
    return "" if state.table is None else state.table.info.table


# What to ask a server for on a new line, so that the player is where they were on the old one.


def match_called(state: State, id: str) -> Match | None:
    """The match with this id, if it is shown or has just begun."""
    return next((match for match in (state.coming, state.match) if match and match.id == id), None)


def seen_version(state: State, id: str) -> int | None:
    """The newest version of this match that the server has told; None when it told nothing yet."""
    match = match_called(state, id)
    if match is None or (match.view is None and not match.told and not match.version):
        return None
    return match.version


def ways_back(state: State) -> list[Request]:
    """Requests without a seat's token: the first that is granted leads to the table where the
    player was, or as near to their seat as the server lets them. Empty when they were at none."""
    if state.table is None:
        return []
    code, newest = state.table.info.table, state.coming or state.match
    id = "" if newest is None else newest.id
    watch = Watch(id=0, table=code, match=id, version=seen_version(state, id))
    if state.seat is None:
        return [watch]
    return [Join(id=0, table=code, seat=state.seat), Join(id=0, table=code), watch]


def way_to_lobby(state: State) -> ListTables | None:
    """The page of tables that the player looks at, when they are in the lobby. The server tells
    changes of tables only after this has been asked."""
    if place(state) is not Place.LOBBY:
        return None
    return ListTables(id=0, page=state.lobby.page, filter=state.lobby.filter)
