"""What the player's history says of a match: read in a thread, loaded when there is one to look at.

Each function waits for the disk; both raise what `history.matches` does.
"""

import time
from collections.abc import Iterable, Sequence

from clocktowers_tui.config.files import note as log
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, Owed, note_owed, settle_owed
from clocktowers_tui.history.numbers import compared, deals, own, won
from clocktowers_tui.net.journey import Journey
from clocktowers_tui.new_table import PRACTICE, day_of, today
from clocktowers_tui.phrases.numbers import begun_in_words, compared_in_words, daily_in_words
from clocktowers_tui.state.match import LookedBack, Match
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from protocol.dealing import record_proof
from protocol.invitation import (
    KEY_BYTES,
    MOST_ADDRESSES,
    NO_SECRET,
    BadInvitation,
    Invitation,
    Place,
    decode,
    encode,
)


def _day(match: Match, state: State) -> str:
    """Whose deal of the day it is; "" of none."""
    chosen = state.seat is not None and state.table is not None and state.table.info.seeded
    return day_of(match.game, match.sha256, today()) if chosen else ""


def greeting(match: Match, state: State) -> tuple[str, str]:
    """Whether this deal of the day counts, in a sentence, and in a word for the line above the
    board; "" for any other match."""
    if not (day := _day(match, state)):
        return "", ""
    counted = deals(matches.newest_first(), match.game)
    counts = day not in counted and _may_count(match, state, day)
    brief = _("Deal of the day") if counts else _("Practice, does not count")
    return begun_in_words(day, counts=counts), brief


def counted(game: str, day: str) -> Sequence[str]:
    """The result of this deal of the day in lines; none where none counts yet, or the history
    cannot be read."""
    try:
        by_day = deals(matches.newest_first(), game)
    except matches.NoHistory as error:
        log(f"the history was not read: {error}")
        return ()
    return daily_in_words(by_day[day], by_day) if day in by_day else ()


def has_beaten(kept: Iterable[Kept], game: str, bots: Iterable[str], *, practice: bool) -> bool:
    """Whether the player has won their newest match of this game against bots of these levels.
    `kept`: newest first; `practice`: one without hurry."""
    for one in own(one for one in kept if one.head.game == game):
        others = {seat.level for at, seat in enumerate(one.head.seats) if at != one.me}
        unhurried = one.head.options.get(PRACTICE) == "on"
        if (others, unhurried) == ({*bots}, practice):
            return won(one)
    return False


def line_to(journey: Journey, match: Match) -> str:
    """The line that opens a match which is over, at the server where the player is; "" = others
    cannot come there."""
    if (arrival := journey.arrival) is None or not match.seed:
        return ""
    link, own = arrival.link, arrival.server
    try:
        if own is None:
            places = [Place(*one) for one in (link.address, *link.others)]
            secret, key = link.own.invitation or NO_SECRET, link.trust.key[:KEY_BYTES]
            to = Invitation(tuple(places[:MOST_ADDRESSES]), secret, key)
        else:
            to = decode(own.ways.invitation)
        proof = record_proof(match.id, bytes.fromhex(match.seed))
        return encode(to._replace(table="", match=match.id, proof=proof))
    except (BadInvitation, ValueError):  # nobody is invited, or a server says what cannot be
        return ""


def keep(match: Match, state: State, record: bytes, line: str) -> LookedBack:
    """Keep the match that is over. Only a match that the player has played to its end counts."""
    day = _day(match, state)
    counts = bool(day) and not match.played_for and _may_count(match, state, day)
    settle(_finished(match, state), record, day if counts else "", line)
    kept = matches.newest_first()
    known = (match.id, match.game)
    this = next((each for each in kept if (each.head.id, each.head.game) == known), None)
    return LookedBack(match.id) if this is None else _looked_back(this, kept, day)


def owed(match: Match, state: State, server: str) -> None:
    """Note that the server has not sent the record yet; one of a match that broke off never comes.
    Raises OSError."""
    if match.aborted:
        settle_owed(match.id)
    elif state.seat is not None:
        note_owed(_finished(match, state, server))


def _finished(match: Match, state: State, server: str = "") -> Owed:
    """As the player's own notes have it; practice is a match of people at one keyboard."""
    return Owed(
        server=server,
        match=match.id,
        game=match.game,
        me=state.seat,
        ended_at=int(time.time()),
        turns=FACES[match.game].turn(match.view) if match.over else None,
        played_for=match.played_for,
        spent=match.spent,
        practice=state.covered,
        notes={**state.notes.get(match.id, {})},
    )


def settle(one: Owed, record: bytes, day: str = "", line: str = "") -> None:
    """Keep a match whose record has come, with what the player has noted in it."""
    matches.keep(one.match, record, one.me, one.ended_at, one, day=day, line=line)
    for ply, text in one.notes.items():
        matches.comment(one.match, ply, text)


def _may_count(match: Match, state: State, day: str) -> bool:
    """Nobody has seen the cards before at the table's first match. A try that was left and begun
    again is a second one: its cards are known."""
    first = state.table is not None and state.table.info.matches == 1
    return first and matches.is_first_try(match.game, day, match.id)


def _looked_back(this: Kept, kept: Sequence[Kept], day: str) -> LookedBack:
    face, numbers = FACES[this.head.game], compared(this, kept)
    said = _("You all played at one keyboard: it counts for nobody.") if this.practice else ""
    return LookedBack(
        this.head.id,
        compared_in_words(numbers, face) if numbers is not None else said,
        tuple(daily_in_words(this, deals(kept, this.head.game))) if this.day else (),
        practice=bool(day) and not this.day,
        played_for=this.played_for,
        by_bot=this.by_bot > 0,
    )
