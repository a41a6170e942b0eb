"""Refusals that do not depend on the game, in words."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.phrases.filling import of_code
from clocktowers_tui.text.i18n import N_
from protocol.from_server import Refused
from protocol.refusal import RefusalCode as Code

SENTENCES: Final[Mapping[str, str]] = {
    Code.NO_SUCH_TABLE: N_("That table is gone, or its code is wrong."),
    Code.NO_SUCH_GAME: N_("This server does not have that game."),
    Code.NO_SUCH_MATCH: N_("That match is over, or its server has forgotten it."),
    Code.NO_SUCH_SEAT: N_("That table has no such seat."),
    Code.NO_SUCH_LEVEL: N_("This server has no bot of that level."),
    Code.NO_SUCH_PRESET: N_("This server does not know that preset."),
    Code.BAD_TITLE: N_("That title does not do: use up to 40 visible characters."),
    Code.BAD_SEATS: N_("The game cannot be played by that many."),
    Code.BAD_OPTIONS: N_("The server does not accept these options; choose others."),
    Code.CLOCK_NEEDS_OTHERS: N_("Alone one has no clock: nobody waits."),
    Code.CLOCK_NEEDS_TURNS: N_("In this game all play at once, so it has no clock for turns."),
    Code.SEED_NEEDS_BOTS: N_("You know this deal, so only bots can play here with you."),
    Code.TABLE_FULL: N_("All seats of that table are taken; you can watch it."),
    Code.SEAT_TAKEN: N_("Somebody sits there already; choose another seat."),
    Code.TOO_MANY_TABLES: N_("The server has as many tables as it can hold; join one of them."),
    Code.TOO_MANY_WATCHERS: N_("That table has as many watchers as it can hold."),
    Code.TOO_MANY_OF_YOURS: N_(
        "{limit} tables wait for you or your address; end one of them first."
    ),
    Code.TOO_MANY_BOTS: N_("{limit} bots sit at your address's tables; end a match there first."),
    Code.BAD_TOKEN: N_("The seat in that match is not yours any more."),
    Code.KICKED: N_("The host of that table has sent you away; choose another table."),
    Code.NOBODY_OF_THAT_NAME: N_("Nobody called {name} is at this table."),
    Code.NOT_YOURSELF: N_("You are the host: leave the table instead."),
    Code.ALREADY_AT_TABLE: N_("You are at a table already; leave it first."),
    Code.NOT_AT_TABLE: N_("You are at no table; join one first."),
    Code.NOT_SEATED: N_("You are watching; join the table to play."),
    Code.NOT_HOST: N_("Only the host of the table may do that."),
    Code.MATCH_RUNNING: N_("A match is running; wait for its end."),
    Code.NO_MATCH: N_("No match is running at this table."),
    Code.NOT_FILLED: N_("Some seats are still free: wait for players or put bots on them."),
    Code.NOT_READY: N_("Not everybody is ready yet."),
    Code.NOT_PLAYED: N_("No match has ended here yet, so there is none to repeat."),
    Code.STALE: N_("The table moved on meanwhile; look again and choose anew."),
    Code.NOT_YOUR_TURN: N_("It is not your turn."),
    Code.NOTHING_TO_TAKE_BACK: N_("There is nothing of yours that could be taken back."),
    Code.NOT_YOURS: N_("The newest move is another's; only its owner may take it back."),
    Code.TOO_LATE: N_("Too late to take that back: somebody has drawn or moved since."),
    Code.TIME_UP: N_("Your time for this turn is up; a bot plays it. You play again after it."),
    Code.TOO_MANY_TAKE_BACKS: N_("You have taken back as many moves as a match allows."),
    Code.MATCH_OVER: N_("The match is over."),
    Code.MATCH_ABORTED: N_("The match was broken off by an error of the server."),
    Code.BUSY: N_("The server is busy; try again in a moment."),
    Code.NOTHING_SAID: N_("There is nothing in that line that others could read."),
    Code.TOO_LONG: N_("That line is too long: {limit} characters are the most."),
    Code.NO_SUCH_PHRASE: N_("This server does not know that phrase."),
    Code.TOO_FAST: N_("You talk too fast for the others; wait {wait_s} s and try again."),
    Code.NO_HINTS: N_("This table gives no hints."),
    Code.TOO_MANY_HINTS: N_("No more hints for now: wait {wait_s} s, or think for yourself."),
    Code.NO_HURRY: N_("You can hurry bots only where you alone play against them, in turns."),
}


def refused_in_words(answer: Refused) -> str:
    """Why the request is impossible, as one sentence."""
    return of_code(SENTENCES, answer.code, answer.params)
