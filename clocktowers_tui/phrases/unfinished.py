"""Matches that wait, in words."""

import time
from collections.abc import Mapping, Sequence

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.state.store import State
from clocktowers_tui.state.unfinished import Unfinished, unfinished
from clocktowers_tui.text.i18n import _, ngettext


def unfinished_in_words(one: Unfinished, face: Face) -> str:
    """The match in a few words: which game, against whom, how far it is."""
    words = _against(one.game, one.people, one.bots)
    if one.over:
        return _("{match}, over").format(match=words)
    return words if one.view is None else _turn(words, face.turn(one.view))


def seat_in_words(seat: Seat) -> str:
    """The same of a seat on disk; where it is unknown how far it is, since when it waits. A seat at
    somebody's server is told by where that is."""
    if not seat.folder:
        return _("table {table} at {address}, as {name}").format(
            table=seat.table, address=seat.address, name=seat.name
        )
    now = seat.progress
    if now.turn:
        return _turn(_against(seat.game, now.people, now.bots), now.turn)
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


def _turn(match: str, turn: int) -> str:
    return _("{match}, turn {n}").format(match=match, n=turn)


def waiting_in_words(state: State, faces: Mapping[str, Face]) -> list[str]:
    """What the player would give up by starting something else: a sentence for each match."""
    return _of_each(_("{match}. A new one ends it."), state, faces)


def kept_in_words(state: State, faces: Mapping[str, Face]) -> list[str]:
    """What the player can continue after quitting: a sentence for each match."""
    return _of_each(_("{match} waits for you."), state, faces)


def _of_each(said: str, state: State, faces: Mapping[str, Face]) -> list[str]:
    return [
        said.format(match=unfinished_in_words(one, faces[one.game])) for one in unfinished(state)
    ]
