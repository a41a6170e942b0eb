"""Matches that are over, in words: in a list, and while one is seen again."""

import time
from math import inf
from typing import Final

from clocktowers_tui.games.face import Face, Story
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history.matches import Deleted, Kept, NoHistory
from clocktowers_tui.history.numbers import Ended, ended
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.phrases.numbers import bots_in_words
from clocktowers_tui.state.match import Match
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.recording import ALL_OPEN, WATCHER, Fault
from protocol.text import cells, clean

_MOST_SAID: Final = 300
"""Cells; a file may hold anything."""


def when_in_words(one: Kept) -> str:
    """When it ended, where this machine is."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(one.ended_at))


def game_in_words(one: Kept) -> str:
    return title_of(one.head.game) if one.head.game in FACES else clean(one.head.game)


def result_in_words(one: Kept) -> str:
    """How it ended for this player, and whether a bot has finished it, or played some moves, for
    them."""
    said = _ended_in_words(one)
    if one.played_for:
        return _("{result}, a bot played on").format(result=said)
    return _("{result}, a bot played, too").format(result=said) if one.by_bot else said


def _ended_in_words(one: Kept) -> str:
    match ended(one):
        case Ended.WATCHED:
            return pgettext("a finished match", "watched")
        case Ended.ALONE:
            return pgettext("a finished match", "alone")
        case Ended.LOST:
            return pgettext("a finished match", "lost")
        case Ended.SHARED:
            return pgettext("a finished match", "shared")
        case Ended.WON:
            return pgettext("a finished match", "won")


def scores_in_words(one: Kept, room: float = inf) -> str:
    """Everybody with their points; then, where so many cells are enough, how good the bots were."""
    face = FACES.get(one.head.game)
    scored = zip(one.head.seats, one.head.outcome.scores, strict=False)
    points = ", ".join(
        f"{clean(seat.name)} {score if face is None else face.score(score)}"
        for seat, score in scored
    )
    said = "; ".join([points, *bots_in_words(one.head.seats)])
    return said if cells(said) <= room else points


def eyes_in_words(eyes: int, names: list[str]) -> str:
    """Who sees a replay."""
    if eyes == ALL_OPEN:
        return _("all hands open")
    if eyes == WATCHER:
        return _("from a watcher's eyes")
    return _("from {name}'s eyes").format(name=names[eyes])


def place_in_words(ply: int, plies: int) -> str:
    """That this is a replay, and where in it."""
    return _("Replay: move {n} of {total}").format(n=ply, total=plies)


def plies_in_words(story: Story) -> str:
    """A tower, tile or card, and at which plies something happens to it."""
    first, last = story.plies[0], story.plies[-1]
    if first == last:
        return _("{piece}: move {n}").format(piece=story.words, n=first)
    return _("{piece}: moves {first} to {last}").format(piece=story.words, first=first, last=last)


def story_in_words(story: Story, ply: int) -> str:
    """How much of a story has happened up to this ply."""
    n = sum(told <= ply for told in story.plies)
    return _("story: {n} of {of}").format(n=n, of=len(story.plies))


def moment_in_words(turn: int, turns: int) -> str:
    """That this is an earlier moment of a match that runs, and which."""
    return _("Looking back: turn {n} of {total}").format(n=turn, total=turns)


def way_back_in_words(keymap: Keymap) -> str:
    """From there to the match."""
    return _("{key}: to the match").format(key=keymap.name(actions.BACK))


def needed_in_words(match: Match, face: Face) -> list[str]:
    """What the player has to know of the match meanwhile: a sentence, or none."""
    if match.over:
        return [_("The match is over.")]
    return [_("It is your turn.")] if face.is_my_turn(match.view) else []


def no_history_in_words(error: NoHistory) -> str:
    if isinstance(error, Deleted):
        return _("This match has been deleted.")
    return _("Your history cannot be used: {why}").format(why=error)


def no_replay_in_words(why: str) -> str:
    """`why`: as in `NoReplay`."""
    if not why:
        return _("The replay has ended by itself; open the match once more.")
    return _("This match cannot be replayed: {why}").format(why=clean(why))


def not_written_in_words(why: str) -> str:
    """`why`: what is wrong with the record, in the server's words."""
    return _("this match cannot be written: {why}").format(why=clean(why))


def wrong_line_in_words(file: str, fault: Fault) -> str:
    """What is wrong, in the server's words, and where."""
    where = f"{file}:{fault.line}: {fault.place}"
    return f"{where}: {fit(clean(fault.why), _MOST_SAID)}"


def imported_in_words(kept: int, known: int) -> str:
    said = ngettext(
        "{n} match is new in your history.", "{n} matches are new in your history.", kept
    )
    said = said.format(n=kept)
    if not known:
        return said
    again = ngettext("You had {n} already.", "You had {n} already.", known).format(n=known)
    return f"{said} {again}"
