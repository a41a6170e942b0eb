"""Matches that wait, in words."""

from collections.abc import Mapping

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.state.store import State
from clocktowers_tui.state.unfinished import Unfinished, unfinished
from clocktowers_tui.text.i18n import _, ngettext


def unfinished_in_words(one: Unfinished, face: Face) -> str:
    """The match in a few words: which game, against whom, how far it is."""
    against = list(one.people)
    game = title_of(one.game)
    if one.bots:
        against.append(ngettext("{n} bot", "{n} bots", one.bots).format(n=one.bots))
    words = _("{game} against {others}").format(game=game, others=", ".join(against))
    if not against:
        words = _("{game} alone").format(game=game)
    if one.over:
        return _("{match}, over").format(match=words)
    if one.view is None:
        return words
    return _("{match}, turn {n}").format(match=words, n=face.turn(one.view))


def waiting_in_words(state: State, faces: Mapping[str, Face]) -> list[str]:
    """What the player would give up by starting something else: a sentence for each match."""
    return _of_each(_("A match waits for you and would be ended: {match}."), state, faces)


def kept_in_words(state: State, faces: Mapping[str, Face]) -> list[str]:
    """What the player can continue after quitting: a sentence for each match."""
    return _of_each(_("A match waits for you, also after quitting: {match}."), state, faces)


def _of_each(said: str, state: State, faces: Mapping[str, Face]) -> list[str]:
    return [
        said.format(match=unfinished_in_words(one, faces[one.game])) for one in unfinished(state)
    ]
