"""Matches that wait, in words."""

import time
from collections.abc import Iterable, Sequence

from clocktowers_tui.games.registry import title_of
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.text.i18n import _, ngettext, pgettext


def on_card_in_words(seat: Seat) -> str:
    """What Enter does on the card of its game."""
    if not seat.progress.turn:
        return _("Continue")
    if seat.progress.round:
        text = pgettext("on a game's card, 22 cells", "Continue: round {n}")
        return text.format(n=seat.progress.round)
    return pgettext("on a game's card, 22 cells", "Continue: turn {n}").format(n=seat.progress.turn)


def waiting_in_words(seat: Seat) -> str:
    """The match in a few words: which game, against whom, how far it is; where that is unknown,
    since when it waits. A seat at somebody's server is told by where that is."""
    if not seat.folder:
        return _("table {table} at {address}, as {name}").format(
            table=seat.table, address=seat.address, name=seat.name
        )
    now = seat.progress
    if now.turn:
        match = _against(seat.game, now.people, now.bots)
        if now.round:
            return _("{match}, round {round}, turn {n}").format(
                match=match, round=now.round, n=now.turn
            )
        return _("{match}, turn {n}").format(match=match, n=now.turn)
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(seat.kept_at))
    return _("{game}, {when}").format(game=title_of(seat.game), when=when)


def _against(game: str, people: Sequence[str], bots: int) -> str:
    against = list(people)
    if bots:
        against.append(ngettext("{n} bot", "{n} bots", bots).format(n=bots))
    if not against:
        return _("{game} alone").format(game=title_of(game))
    others = ", ".join(against)
    return _("{game} against {others}").format(game=title_of(game), others=others)


def ends_in_words(seat: Seat) -> str:
    """What the player gives up by starting another match of its game."""
    return _("{match}. A new match ends it.").format(match=waiting_in_words(seat))


def kept_in_words(seats: Iterable[Seat], lessons: Iterable[str]) -> list[str]:
    """What the player can continue after quitting: a sentence for each match and for each game
    whose lesson has begun."""
    matches = [_("{match} waits for you.").format(match=waiting_in_words(seat)) for seat in seats]
    lesson = _("Your lesson in {game} waits for you.")
    return [*matches, *(lesson.format(game=title_of(game)) for game in lessons)]
