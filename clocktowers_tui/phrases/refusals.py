"""Refusals that do not depend on the game, in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from clocktowers_tui.phrases.filling import of_code
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import RefusalCode as Code
from protocol.from_server import Refused

SENTENCES: Final[Mapping[str, str]] = {
    Code.NO_SUCH_TABLE: N_("That table is gone, or its code is wrong."),
    Code.NO_SUCH_GAME: N_("This server does not have that game."),
    Code.NO_SUCH_MATCH: N_("That match is over, or its server has forgotten it."),
    Code.NO_SUCH_SEAT: N_("That table has no such seat."),
    Code.NO_SUCH_LEVEL: N_("This server has no bot of that level."),
    Code.NO_SUCH_PRESET: N_("This server does not know that set of rules."),
    Code.BAD_TITLE: N_("Choose another title: up to 40 visible characters."),
    Code.BAD_SEATS: N_("This game needs another number of players."),
    Code.BAD_OPTIONS: N_("The server does not accept these options; choose others."),
    Code.CLOCK_NEEDS_OTHERS: N_("Alone you play without a clock: nobody waits for you."),
    Code.CLOCK_NEEDS_TURNS: N_("All play at once in this game: choose no clock."),
    Code.SEED_NEEDS_BOTS: N_("You know this deal, so only bots can play here with you."),
    Code.NO_DEAL: N_("You cannot play the deal of that table; open a table of your own."),
    Code.DEAL_RACES: N_("Only practice can be one deal at several tables."),
    Code.DEAL_FULL: N_("{limit} tables play this deal already; open one of your own."),
    Code.DEAL_SEEN: N_("You have seen this deal at table {table}."),
    Code.DEAL_OPEN: N_("Other tables still play this deal; wait for the ranking."),
    Code.TABLE_FULL: N_("All seats of that table are taken; you can watch it."),
    Code.SEAT_TAKEN: N_("That seat is taken; choose another."),
    Code.TOO_MANY_TABLES: N_("The server has no room for another table; join one."),
    Code.TOO_MANY_WATCHERS: N_("That table has no room for another watcher."),
    Code.TOO_MANY_OF_YOURS: N_("You or your network have {limit} open tables; end one first."),
    Code.TOO_MANY_BOTS: N_("Your network's tables have {limit} bots; end a match first."),
    Code.BAD_TOKEN: N_("You no longer have a seat in that match."),
    Code.KICKED: N_("You were sent away from that table; choose another table."),
    Code.NOBODY_OF_THAT_NAME: N_("Nobody called {name} is at this table."),
    Code.NOT_YOURSELF: N_("You are the host: leave the table instead."),
    Code.ALREADY_AT_TABLE: N_("You are at a table already; leave it first."),
    Code.NOT_AT_TABLE: N_("You are at no table; join one first."),
    Code.NOT_SEATED: N_("You are watching; join the table to play."),
    Code.NOT_HOST: N_("Only the host can do that."),
    Code.MATCH_RUNNING: N_("A match is running; wait for its end."),
    Code.NO_MATCH: N_("No match is running at this table."),
    Code.NOT_FILLED: N_("Some seats are free: choose one to seat a bot, or wait."),
    Code.NOT_READY: N_("Not everybody is ready yet."),
    Code.NOT_PLAYED: N_("You can have a rematch after a match."),
    Code.STALE: N_("The table has just changed; look and choose again."),
    Code.NOT_YOUR_TURN: N_("It is not your turn."),
    Code.NOTHING_TO_TAKE_BACK: N_("You have no move to take back."),
    Code.NOT_YOURS: N_("Another player made the last move; you cannot take it back."),
    Code.TOO_LATE: N_("You cannot take that back: the match has gone on."),
    Code.TIME_UP: N_("Your time is up: a bot plays this turn, then you play on."),
    Code.TOO_MANY_TAKE_BACKS: N_("You cannot take back any more moves in this match."),
    Code.MATCH_OVER: N_("The match is over."),
    Code.MATCH_ABORTED: N_("The server failed and ended the match."),
    Code.BUSY: N_("The server is busy; try again in a moment."),
    Code.NOTHING_SAID: N_("Your message shows nothing: type visible characters."),
    Code.TOO_LONG: N_("Your message is too long: write up to {limit} characters."),
    Code.NO_SUCH_PHRASE: N_("This server does not know that phrase."),
    Code.TOO_FAST: N_("You write too fast; wait {wait_s} s and try again."),
    Code.NO_HINTS: N_("Hints are off at this table."),
    Code.TOO_MANY_HINTS: N_("The next hint comes in {wait_s} s."),
    Code.NO_HURRY: N_("You can hurry bots only when you play in turns alone against them."),
    Code.NO_HAND_OVER: N_("A bot finishes for you only when you play in turns alone against bots."),
    Code.DRAINING: N_("The server is about to stop: nothing new begins."),
    Code.TABLE_PASSWORD: N_("The table's password is missing or wrong; ask its host."),
    Code.TOO_MANY_TRIES: N_("There were too many wrong tries; wait {wait_s} s and try again."),
    Code.PASSWORD_IN_CLEAR: N_("The server takes passwords over encrypted connections only."),
    Code.NO_WATCHERS: N_("Nobody may watch at this table."),
    Code.NO_INVITATIONS: N_("You cannot invite here; ask the operator of the server."),
    Code.TOO_MANY_INVITATIONS: N_(
        "There are too many invitations to this table already; use one of those."
    ),
}


def overtaken_in_words(answer: Refused, names: Sequence[str], own: int | None) -> str:
    """Who has acted since what the player wished to take back; "" where that is not the reason, or
    the server does not say it."""
    seat = answer.params.get("seat")
    if answer.code != Code.TOO_LATE or not isinstance(seat, int) or seat not in range(len(names)):
        return ""
    if seat == own:
        return _("You cannot take that back: you have moved on since.")
    return _("You cannot take that back: {name} has moved since.").format(name=names[seat])


def refused_in_words(answer: Refused) -> str:
    """Why the request is impossible, as one sentence."""
    return of_code(SENTENCES, answer.code, answer.params)
