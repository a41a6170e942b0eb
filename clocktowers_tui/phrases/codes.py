"""What codes mean, in words: refusals, goodbyes, faults and notices; the state of a connection."""

from collections.abc import Mapping, Sequence
from time import localtime
from typing import Final

from clocktowers_tui.net.address import HOUSE
from clocktowers_tui.net.errors import LinkError, TurnedAway
from clocktowers_tui.net.trust import PasswordAsked
from clocktowers_tui.state.table import Connection, cleaned
from clocktowers_tui.text.fitting import moment_of
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.errors import GoodbyeCode, Param, RefusalCode
from protocol.from_server import AddressKind, NoticeCode, Refused, TableGone, Told, Unsent
from protocol.ids import PROTOCOL_VERSIONS
from protocol.text import clean


class _Given(dict[str, str]):
    """Without a parameter that the other side forgot, the rest of the sentence still reads."""

    def __missing__(self, name: str) -> str:
        return "?"


def _words(value: Param) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def fill(sentence: str, params: Mapping[str, Param]) -> str:
    """`sentence` translated, its `{name}` places filled with clean text."""
    given = {name: _words(cleaned(value)) for name, value in params.items()}
    return _(sentence).format_map(_Given(given))


def of_code(sentences: Mapping[str, str], code: str, params: Mapping[str, Param]) -> str:
    """The sentence of `code`; a newer server's unknown code is at least shown."""
    if (sentence := sentences.get(code)) is None:
        return _("The server says: {code}").format(code=clean(code)[:60])
    return fill(sentence, params)


# Refusals that do not depend on the game, in words.


REFUSALS: Final[Mapping[str, str]] = {
    RefusalCode.NO_SUCH_TABLE: N_("That table is gone, or its code is wrong."),
    RefusalCode.NO_SUCH_GAME: N_("This server does not have that game."),
    RefusalCode.NO_SUCH_MATCH: N_("That match is over, or its server has forgotten it."),
    RefusalCode.NO_NOTIFY: N_("This server sends no messages to players who are away."),
    RefusalCode.BAD_ADDRESS: N_("This server takes no such address: notify says which it takes."),
    RefusalCode.ADDRESS_FAILS: N_("The code could not be sent there: check the address."),
    RefusalCode.CODE_SENT: N_("A code was sent there: use it, or ask again in {wait_s} s."),
    RefusalCode.WRONG_CODE: N_("That is not the code, or it no longer holds."),
    RefusalCode.BAD_COMMENTS: N_("The server cannot read these comments and this review."),
    RefusalCode.NO_SUCH_SEAT: N_("That table has no such seat."),
    RefusalCode.NO_SUCH_LEVEL: N_("This server has no bot of that level."),
    RefusalCode.NO_SUCH_PRESET: N_("This server does not know that set of rules."),
    RefusalCode.BAD_TITLE: N_("Choose another title: up to 40 visible characters."),
    RefusalCode.BAD_SEATS: N_("This game needs another number of players."),
    RefusalCode.BAD_OPTIONS: N_("The server does not accept these options; choose others."),
    RefusalCode.CLOCK_NEEDS_OTHERS: N_("Alone you play without a clock: nobody waits for you."),
    RefusalCode.CLOCK_NEEDS_TURNS: N_("All play at once in this game: choose no clock."),
    RefusalCode.NO_DAYS: N_("Here no match can be played by days: choose another clock."),
    RefusalCode.SEED_NEEDS_BOTS: N_("You know this deal, so only bots can play here with you."),
    RefusalCode.NO_DEAL: N_("You cannot play the deal of that table; open a table of your own."),
    RefusalCode.DEAL_RACES: N_("Only practice can be one deal at several tables."),
    RefusalCode.DEAL_FULL: N_("{limit} tables play this deal already; open one of your own."),
    RefusalCode.DEAL_SEEN: N_("You have seen this deal at table {table}."),
    RefusalCode.DEAL_OPEN: N_("Other tables still play this deal; wait for the ranking."),
    RefusalCode.DEAL_BOTS: N_("All tables of a deal have the same bots."),
    RefusalCode.TABLE_FULL: N_("All seats of that table are taken; you can watch it."),
    RefusalCode.SEAT_TAKEN: N_("That seat is taken; choose another."),
    RefusalCode.TOO_MANY_TABLES: N_("The server has no room for another table; join one."),
    RefusalCode.TOO_MANY_WATCHERS: N_("That table has no room for another watcher."),
    RefusalCode.TOO_MANY_OF_YOURS: N_(
        "You or your network have {limit} open tables; end one first."
    ),
    RefusalCode.TOO_MANY_WAITING: N_(
        "You or your network have {limit} matches of days; end one first."
    ),
    RefusalCode.TOO_MANY_BOTS: N_("Your network's tables have {limit} bots; end a match first."),
    RefusalCode.BAD_TOKEN: N_("You no longer have a seat in that match."),
    RefusalCode.KICKED: N_("You were sent away from that table; choose another table."),
    RefusalCode.NOBODY_OF_THAT_NAME: N_("Nobody called {name} is at this table."),
    RefusalCode.NOT_YOURSELF: N_("You are the host: leave the table instead."),
    RefusalCode.FIRST_HOST: N_("{name} began this match as the host, and can always come back."),
    RefusalCode.ALREADY_AT_TABLE: N_("You are at a table already; leave it first."),
    RefusalCode.NOT_AT_TABLE: N_("You are at no table; join one first."),
    RefusalCode.NOT_SEATED: N_("You are watching; join the table to play."),
    RefusalCode.NOT_HOST: N_("Only the host can do that."),
    RefusalCode.MATCH_RUNNING: N_("A match is running; wait for its end."),
    RefusalCode.NO_MATCH: N_("No match is running at this table."),
    RefusalCode.NOT_FILLED: N_("Some seats are free: choose one to seat a bot, or wait."),
    RefusalCode.NOT_READY: N_("Not everybody is ready yet."),
    RefusalCode.NOT_PLAYED: N_("You can have a rematch after a match."),
    RefusalCode.STALE: N_("The table has just changed; look and choose again."),
    RefusalCode.NOT_YOUR_TURN: N_("It is not your turn."),
    RefusalCode.NOTHING_TO_TAKE_BACK: N_("You have no move to take back."),
    RefusalCode.NOT_YOURS: N_("Another player made the last move; you cannot take it back."),
    RefusalCode.TOO_LATE: N_("You cannot take that back: the match has gone on."),
    RefusalCode.TIME_UP: N_("Your time is up: a bot plays this turn, then you play on."),
    RefusalCode.TOO_MANY_TAKE_BACKS: N_("You cannot take back any more moves in this match."),
    RefusalCode.MATCH_OVER: N_("The match is over."),
    RefusalCode.MATCH_ABORTED: N_("The server failed and ended the match."),
    RefusalCode.OTHER_RULES: N_(
        "The match began with rules that the server has changed: it cannot be played on."
    ),
    RefusalCode.BUSY: N_("The server is busy; try again in a moment."),
    RefusalCode.NOTHING_SAID: N_("Your message shows nothing: type visible characters."),
    RefusalCode.TOO_LONG: N_("Your message is too long: write up to {limit} characters."),
    RefusalCode.NO_SUCH_PHRASE: N_("This server does not know that phrase."),
    RefusalCode.TOO_FAST: N_("You write too fast; wait {wait_s} s and try again."),
    RefusalCode.NO_HINTS: N_("Hints are off at this table."),
    RefusalCode.TOO_MANY_HINTS: N_("The next hint comes in {wait_s} s."),
    RefusalCode.NO_HURRY: N_(
        "You can hurry bots only in games played in turns, alone against them."
    ),
    RefusalCode.NO_HAND_OVER: N_(
        "A bot finishes for you only in games played in turns, alone against bots."
    ),
    RefusalCode.DRAINING: N_("The server is about to stop: nothing new begins."),
    RefusalCode.TABLE_PASSWORD: N_("The table's password is missing or wrong; ask its host."),
    RefusalCode.TOO_MANY_TRIES: N_(
        "There were too many wrong tries; wait {wait_s} s and try again."
    ),
    RefusalCode.PASSWORD_IN_CLEAR: N_(
        "The server takes passwords over encrypted connections only."
    ),
    RefusalCode.NO_WATCHERS: N_("Nobody may watch at this table."),
    RefusalCode.NO_INVITATIONS: N_("You cannot invite here; ask the operator of the server."),
    RefusalCode.TOO_MANY_INVITATIONS: N_(
        "There are too many invitations to this table already; use one of those."
    ),
    RefusalCode.OTHER_LEADS: N_("{name} leads this table through the match now."),
    RefusalCode.NO_SUCH_PLY: N_("The match ends at move {last}."),
    RefusalCode.WATCHERS_HUSHED: N_("The host lets no watcher write in the chat."),
    RefusalCode.SETTLED: N_(
        "You can no longer change these rules: a match was played, or others may play its deal."
    ),
    RefusalCode.NO_SUCH_LINE: N_("The server has forgotten that line of the chat."),
}


def overtaken_in_words(answer: Refused, names: Sequence[str], own: int | None) -> str:
    """Who has acted since what the player wished to take back; "" where that is not the reason, or
    the server does not say it."""
    seat = answer.params.get("seat")
    if (
        answer.code != RefusalCode.TOO_LATE
        or not isinstance(seat, int)
        or seat not in range(len(names))
    ):
        return ""
    if seat == own:
        return _("You cannot take that back: your next step has shown something new.")
    return _("You cannot take that back: {name} has moved since.").format(name=names[seat])


def refused_in_words(answer: Refused) -> str:
    """Why the request is impossible, as one sentence."""
    return of_code(REFUSALS, answer.code, answer.params)


# Why the server closed the connection, in words, with what the player can do about it.


_OUR_BUG: Final = N_("The server did not understand this program; update it.")

GOODBYES: Final[Mapping[str, str]] = {
    GoodbyeCode.VERSION: N_(
        "This program and the server have different versions; update the older one."
    ),
    GoodbyeCode.NOT_HELLO: _OUR_BUG,
    GoodbyeCode.BAD_NAME: N_(
        "The server does not accept that name: use 1 to 20 visible characters of one alphabet."
    ),
    GoodbyeCode.PASSWORD: N_("The password is wrong; ask the host for it."),
    GoodbyeCode.TOO_MANY_TRIES: N_(
        "There were too many wrong tries; wait {wait_s} s and try again."
    ),
    GoodbyeCode.INVITATION_UNKNOWN: N_(
        "The server does not know that invitation; ask the host for another."
    ),
    GoodbyeCode.INVITATION_OVER: N_("That invitation has ended; ask the host for another."),
    GoodbyeCode.INVITATION_REVOKED: N_("That invitation was revoked; ask the host for another."),
    GoodbyeCode.FULL: N_("The server is full; try again later."),
    GoodbyeCode.ADDRESS_FULL: N_(
        "The server takes only {limit} connections from your network; close one, or try again "
        "later."
    ),
    GoodbyeCode.FRAME_TOO_LONG: _OUR_BUG,
    GoodbyeCode.MALFORMED: _OUR_BUG,
    GoodbyeCode.UNKNOWN_TYPE: _OUR_BUG,
    GoodbyeCode.NOT_ALLOWED: _OUR_BUG,
    GoodbyeCode.TOO_SLOW: N_("Your connection was too slow for the match; connect again."),
    GoodbyeCode.SILENT: N_("The server heard nothing from you for too long; connect again."),
    GoodbyeCode.FLOOD: N_("You asked the server for too much at once; connect again."),
    GoodbyeCode.TAKEN_OVER: N_("You opened this seat in another window; play on there."),
    GoodbyeCode.SHUTDOWN: N_("The server was stopped by its host."),
    GoodbyeCode.BANNED: N_("The operator of the server has banned you."),
    GoodbyeCode.EXPELLED: N_("The operator of the server has sent you away."),
    GoodbyeCode.IN_CLEAR: N_(
        "The server takes only encrypted connections from other machines: "
        "join without --unencrypted."
    ),
    GoodbyeCode.MOVED: N_("The server sent you to another of its machines, which does not answer."),
    GoodbyeCode.DRAINING: N_(
        "The server is about to stop and takes no new players; try again later."
    ),
}

SERVER_OLDER: Final = N_("The server is older than this program: ask its host to update it.")
WE_ARE_OLDER: Final = N_("This program is older than the server: update it.")


BANNED_UNTIL: Final = N_("The operator of the server has banned you until {until}.")
REASON: Final = N_("Their reason: {reason}")


def goodbye_in_words(code: str, params: Mapping[str, Param]) -> str:
    """Why the server closed the connection, as one sentence."""
    said = params.get("versions")
    theirs = [one for one in said if isinstance(one, int)] if isinstance(said, list) else []
    if code == GoodbyeCode.VERSION and theirs:
        return _(SERVER_OLDER if max(theirs) < min(PROTOCOL_VERSIONS) else WE_ARE_OLDER)
    if code in (GoodbyeCode.BANNED, GoodbyeCode.EXPELLED):
        return _by_the_operator(code, params)
    return of_code(GOODBYES, code, params)


def _by_the_operator(code: str, params: Mapping[str, Param]) -> str:
    sentence = fill(GOODBYES[code], {})
    if until := _local_time(params.get("until")):
        sentence = fill(BANNED_UNTIL, {"until": until})
    reason = fill(REASON, params) if params.get("reason") else ""
    return f"{sentence} {reason}".strip()


def _local_time(at_s: object) -> str:
    """The time of seconds since 1970 on this machine's clock; "" for none."""
    try:
        return moment_of(at_s) if isinstance(at_s, int) and at_s else ""
    except (OverflowError, OSError, ValueError):
        return ""


# Errors between here and a server, in words.


PASSWORD_ASKED: Final[Mapping[bool | None, str]] = {
    None: N_("The server asks for a password."),
    True: N_(
        "The server asks for a password. Nothing encrypts it: others on the network could read it."
    ),
    False: N_(
        "The server takes a password over encrypted connections only; ask the host for an "
        "invitation."
    ),
}


def fault_in_words(error: LinkError) -> str:
    """What went wrong and what to do, as one sentence."""
    if isinstance(error, PasswordAsked):
        return _(PASSWORD_ASKED[error.in_clear])
    if isinstance(error, TurnedAway):
        return goodbye_in_words(error.code, error.params)
    params = {**error.params}
    if params.get("address") == str(HOUSE):
        params["address"] = _("this server")
    return fill(error.fault.value, params)


# What happens at a table beside the game, in words.


NOTICES: Final[Mapping[str, str]] = {
    NoticeCode.JOINED: N_("{name} sat down."),
    NoticeCode.LEFT: N_("{name} left the table."),
    NoticeCode.DROPPED: N_("{name} is away and can come back."),
    NoticeCode.KICKED: N_("The host sent {name} away."),
    NoticeCode.TIMED_OUT: N_("{name} ran out of time; a bot plays until they are back."),
    NoticeCode.BOT_TOOK_OVER: N_("A bot plays on for {name}."),
    NoticeCode.CAME_BACK: N_("{name} is back."),
    NoticeCode.WATCHING: N_("{name} is watching."),
    NoticeCode.STOPPED_WATCHING: N_("{name} stopped watching."),
    NoticeCode.HOST: N_("{name} is the host now."),
    NoticeCode.WANTS_REMATCH: N_("{name} wants a rematch."),
    NoticeCode.TOOK_BACK: N_("{name} took back a move."),
    NoticeCode.ASKED_BACK: N_(
        "{name} asks for the last move to be taken back. If you agree, take it back, too."
    ),
    NoticeCode.ASKED_FOR_HINT: N_("{name} asked for a hint."),
    NoticeCode.SERVER_STOPS: N_("The server is about to stop."),
    NoticeCode.SERVER_CAME_BACK: N_("The server was away and is back; the match goes on."),
    NoticeCode.DISK_FAILS: N_(
        "The server cannot save moves at the moment: the match waits, and no move is lost."
    ),
    NoticeCode.DISK_WORKS: N_("The server saves moves again."),
    NoticeCode.WENT_BACK: N_("The server lost the last moves; play on from before them."),
    NoticeCode.RECORD_KEPT: N_("This server keeps the finished match so many days: {days}."),
    NoticeCode.EXPELLED: N_("The operator of the server sent {name} away."),
    NoticeCode.OPERATOR_SAYS: N_("The operator of the server says: {text}"),
    NoticeCode.DRAINING: N_("The server stops when the matches are over; no new match begins."),
    NoticeCode.ADDRESS_OFF: N_(
        "Your address {address} does not work and is off: notify says more."
    ),
    NoticeCode.DRAIN_CANCELLED: N_("The server goes on: new tables and matches can begin again."),
}

YOURS: Final[Mapping[str, str]] = {
    NoticeCode.JOINED: N_("You sat down."),
    NoticeCode.LEFT: N_("You left the table."),
    NoticeCode.DROPPED: N_("You lost the connection."),
    NoticeCode.TIMED_OUT: N_("Your time ran out; a bot plays until you play on."),
    NoticeCode.BOT_TOOK_OVER: N_("A bot plays on for you."),
    NoticeCode.CAME_BACK: N_("You are back."),
    NoticeCode.HOST: N_("You are the host now."),
    NoticeCode.WANTS_REMATCH: N_("You want a rematch."),
    NoticeCode.TOOK_BACK: N_("You took back a move."),
    NoticeCode.ASKED_BACK: N_("The last move is taken back when all agree."),
}
"""Sentences for these codes where the seat that they name is the player's own."""

STOPS_WITHIN: Final = N_(
    "The server stops when the matches are over, or in {minutes} min; no new match begins."
)

AWAY_FOR: Final = N_("{name} is away: in {wait_s} s a bot plays until they are back.")

BACK_SINCE: Final = N_("You are back: you were away since {since}.")
"""Where the client knows when the line was lost (`Store`)."""

GONE: Final[Mapping[str, str]] = {
    TableGone.CLOSED: N_("The table {table} was closed."),
    TableGone.KICKED: N_("The host sent you away from the table {table}."),
}


def notice_in_words(code: str, params: Mapping[str, Param], *, mine: bool = False) -> str:
    """A line for the table's log; "" for what only the others need to be told. `mine`: it is about
    the player's own seat."""
    if mine and code == NoticeCode.ASKED_FOR_HINT:
        return ""
    if mine and code == NoticeCode.CAME_BACK and "since" in params:
        if isinstance(moves := params.get("moves"), int):
            said = ngettext(
                "You play again: a bot made {moves} move for you since {since}.",
                "You play again: a bot made {moves} moves for you since {since}.",
                moves,
            )
            return fill(said, params)
        return fill(BACK_SINCE, params)
    if not mine and code == NoticeCode.DROPPED and params.get("wait_s"):
        return fill(AWAY_FOR, params)
    within_s = params.get("within_s")
    if code == NoticeCode.DRAINING and isinstance(within_s, int) and within_s > 0:
        return fill(STOPS_WITHIN, {"minutes": -(-within_s // 60)})
    return of_code(YOURS if mine and code in YOURS else NOTICES, code, params)


def broken_off_in_words() -> str:
    """Why a match is over without an outcome."""
    return _("The server failed and ended the match; nobody has won.")


def gone_in_words(code: str, table: str) -> str:
    """Why the player is in the lobby again."""
    return of_code(GONE, code, {"table": table})


# Where a server tells a player that it is their turn.


ADDRESS_KINDS: Final[Mapping[str, str]] = {
    AddressKind.NTFY: N_("the https address of a topic of ntfy"),
    AddressKind.MAIL: N_("a mail address"),
    AddressKind.MATRIX: N_("a user or a room of Matrix"),
    AddressKind.NAMED: N_("a name that its operator has given you"),
}
UNSENT: Final[Mapping[str, str]] = {
    Unsent.SILENT: N_("nobody there has answered"),
    Unsent.REFUSED: N_("it was refused"),
}


def told_elsewhere_in_words(told: Told) -> str:
    address = clean(told.address)
    if not address:
        kinds = ", ".join(of_code(ADDRESS_KINDS, kind, {}) for kind in told.kinds)
        return _("You have given no address. This server takes: {kinds}.").format(kinds=kinds)
    if not told.confirmed:
        said = _("A code was sent to {address}: say it here, and you are told there.")
        return said.format(address=address)
    if told.fails:
        said = _("{address} is off: {why}. Say an address, and a code is sent there.")
        return said.format(address=address, why=of_code(UNSENT, told.fails, {}))
    said = _("You are told at {address}; quiet 22-8 keeps nights quiet, off forgets it.")
    said = said.format(address=address)
    if len(told.quiet) == 2:
        hours = [f"{(minute + _east_of_utc()) // 60 % 24}:00" for minute in told.quiet]
        said += " " + _("From {begins} to {ends} nothing is sent.").format(
            begins=hours[0], ends=hours[1]
        )
    return said


def minute_in_utc(hour: int) -> int:
    """The minute of the day at which it is this hour here, by the time that is in force now."""
    return (hour * 60 - _east_of_utc()) % (24 * 60)


def _east_of_utc() -> int:
    return localtime().tm_gmtoff // 60


# The connection in words.


def trouble_in_words(connection: Connection | None) -> str:
    """A few words; "" when there is nothing to say."""
    if connection is None or not connection.attempt:
        return ""
    return _("reconnecting, try {n}").format(n=connection.attempt)


def not_let_in_words(answer: Refused) -> str:
    """Why the player is not at the table where they wished to be."""
    if answer.code == RefusalCode.MATCH_RUNNING:
        return _("A match is running there: watch it, or wait for its end.")
    return refused_in_words(answer)


def unsent_in_words(connection: Connection | None) -> str:
    """What becomes of an action now; "" when it goes out at once."""
    if not trouble_in_words(connection):
        return ""
    return _("The connection is lost: this is sent when it is back.")


def not_done_in_words(answer: Refused | None, connection: Connection | None) -> str:
    """Why the server has not done what was asked; "" where the player hears of it elsewhere.
    `answer`: None if the line broke."""
    if answer is not None:
        return refused_in_words(answer)
    return _("The connection is lost: ask again when it is back.") if connection else ""
