"""Finished matches in words: in a list, and seen again."""

import time
from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.face import Story
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import (
    Ended,
    ended,
)
from clocktowers_tui.history.record import Seated
from clocktowers_tui.new_table import PRACTICE
from clocktowers_tui.phrases.numbers import NO_SIGN, SIGNS, bots_in_words
from clocktowers_tui.phrases.tables import level_in_words
from clocktowers_tui.text.fitting import fit, moment_of
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from clocktowers_tui.text.spelling import spelt
from protocol.games import Switch
from protocol.games.registry import GAMES
from protocol.recording import ALL_OPEN, WATCHER, Fault
from protocol.text import clean

_MOST_SAID: Final = 300
"""Cells; a file may hold anything."""


def when_in_words(one: Kept) -> str:
    """When it ended, where this machine is."""
    return moment_of(one.ended_at)


def game_in_words(one: Kept) -> str:
    return title_of(one.head.game) if one.head.game in FACES else clean(one.head.game)


def result_in_words(one: Kept) -> str:
    """How it ended for this player, and whether a bot has finished it, or played some moves, for
    them."""
    said = ended_in_words(one)
    if one.played_for:
        return _("{result}, a bot played on").format(result=said)
    return _("{result}, a bot played, too").format(result=said) if one.by_bot else said


def ended_in_words(one: Kept) -> str:
    """In a word."""
    return {
        Ended.PRACTICE: pgettext("a finished match", "practice"),
        Ended.WATCHED: pgettext("a finished match", "watched"),
        Ended.ALONE: pgettext("a finished match", "alone"),
        Ended.LOST: pgettext("a finished match", "lost"),
        Ended.SHARED: pgettext("a finished match", "shared"),
        Ended.WON: pgettext("a finished match", "won"),
    }[ended(one)]


def scores_in_words(one: Kept) -> str:
    """Everybody with their points; then how good the bots were, and in a race whether with the
    clock."""
    scored = zip(one.head.seats, one.head.outcome.scores, strict=False)
    points = ", ".join(f"{clean(seat.name)} {_points(one, score)}" for seat, score in scored)
    said = "{against}"
    if one.head.game in GAMES and PRACTICE in GAMES[one.head.game].presets:
        unhurried = one.head.options.get(PRACTICE) == Switch.ON
        said = _("Without a clock: {against}") if unhurried else _("With the clock: {against}")
    bots = (said.format(against=bots) for bots in bots_in_words(one.head.seats))
    return "; ".join([points, *bots])


def none_in_words(typed: str) -> str:
    """Why the list is empty. `typed`: what was searched for."""
    if typed:
        return _("None of your matches has these words.")
    return _("You have no finished matches yet.")


def has_words(said: str, typed: str) -> bool:
    """Whether every word that was typed is part of what is said of a match."""
    return all(word in said.casefold() for word in typed.casefold().split())


def sign_of(one: Kept) -> str:
    """How it ended, in one cell; a match that a bot has finished counts for nobody."""
    return spelt(NO_SIGN if one.played_for else SIGNS.get(ended(one), NO_SIGN))


def list_signs_in_words() -> str:
    """What the signs and the brackets of the list say."""
    said = _("{won} won or shared  {lost} lost  {none} watched or alone  (…) a bot ended it")
    return spelt(said.format(won=SIGNS[Ended.WON], lost=SIGNS[Ended.LOST], none=NO_SIGN))


# The list as a table: when, how it ended, the game, the player's points, everybody else's.


SHARES: Final = (0, 0, 1, 0, 1)
"""Of the columns, see `text.fitting.widths`."""


def heads_in_words() -> Sequence[str]:
    return (
        pgettext("heads a column of matches", "ended"),
        pgettext("heads a column of matches", "result"),
        pgettext("heads a column of matches", "game"),
        pgettext("heads a column of matches", "you"),
        pgettext("heads a column of matches", "against"),
    )


def in_columns(one: Kept, *, timed: bool) -> Sequence[str]:
    """`timed`: there is room for the day and the time of the day; else of a match of today the time
    is told. The result of a match that a bot has finished stands in brackets."""
    when = when_in_words(one)
    day, _blank, clock = when.partition(" ")
    today = time.localtime(time.time())[:3] == time.localtime(one.ended_at)[:3]
    seats = [*zip(one.head.seats, one.head.outcome.scores, strict=False)]
    mine = [_points(one, score) for n, (_seat, score) in enumerate(seats) if n == one.me]
    others = [
        f"{clean(seat.name)}: {_points(one, score)}{_level(seat)}"
        for n, (seat, score) in enumerate(seats)
        if n != one.me
    ]
    points, result = ("".join(mine), ", ".join(others)), ended_in_words(one)
    result = f"({result})" if one.played_for else result
    return (when if timed else clock if today else day, result, game_in_words(one), *points)


def _level(seat: Seated) -> str:
    return f" ({level_in_words(clean(seat.level))})" if seat.level else ""


def _points(one: Kept, score: int) -> str:
    face = FACES.get(one.head.game)
    return str(score) if face is None else face.score(score)


def eyes_in_words(eyes: int, names: list[str]) -> str:
    """Who sees a replay."""
    if eyes == ALL_OPEN:
        return _("all hands open")
    if eyes == WATCHER:
        return _("as a watcher saw it")
    return _("as {name} saw it").format(name=names[eyes])


def place_in_words(ply: int, plies: int, turn: int = 0) -> str:
    """That this is a replay, and where in it. `turn`: 0 for none."""
    said = _("Replay: move {n} of {total} (turn {turn})")
    if not turn:
        said = _("Replay: move {n} of {total}")
    return said.format(turn=turn, n=ply, total=plies)


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


def comment_in_words(text: str) -> str:
    return _("Comment: {text}").format(text=text)


def wrong_line_in_words(file: str, fault: Fault) -> str:
    """What is wrong, in the server's words, and where."""
    where = f"{file}:{fault.line}: {fault.place}"
    return f"{where}: {fit(clean(fault.why), _MOST_SAID)}"


def imported_in_words(kept: int, known: int) -> str:
    said = ngettext(
        "{n} new match is in Your matches.", "{n} new matches are in Your matches.", kept
    )
    said = said.format(n=kept)
    if not known:
        return said
    again = ngettext("You had {n} already.", "You had {n} already.", known).format(n=known)
    return f"{said} {again}"
