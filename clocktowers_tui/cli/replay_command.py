"""`clocktowers review FILE|ID` and `clocktowers today --result`, as text."""

import asyncio
import shutil
import sys
from contextlib import aclosing

from clocktowers_tui.cli.history_command import guarded
from clocktowers_tui.deeds.finished import find
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.history import matches
from clocktowers_tui.history.numbers import deals
from clocktowers_tui.history.record import NotARecord, Replayed, seats_of
from clocktowers_tui.history.review import Reviewed, made
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.numbers import daily_in_words
from clocktowers_tui.phrases.review import no_review_in_words, progress_in_words, review_in_words
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import spelt


def run(typed: str, number: int | None) -> int:
    """`number`: the seat, from 1 on; None: the player's own. The exit code: 0, or 2 after a
    sentence on stderr."""

    return guarded(lambda: _print(asyncio.run(_whole(typed, number))))


async def _whole(typed: str, number: int | None) -> Reviewed:
    """Raises NotDone."""
    record = await find(typed)
    try:
        async with aclosing(made(record.line, record.match, _seat(record, number))) as review:
            async for newest in review:
                show(progress_in_words(newest))
    except NoReplay as error:
        raise NotDone(no_review_in_words(str(error))) from None
    finally:
        show("")
    return newest


def _print(review: Reviewed) -> None:
    columns = shutil.get_terminal_size().columns
    lines = map(spelt, review_in_words(FACES[review.begun.game], review, columns))
    room = columns if sys.stdout.isatty() else sys.maxsize  # a program gets whole lines
    print("\n".join(row for line in lines for row in hanging(line, room)), flush=True)


def _seat(record: Replayed, number: int | None) -> int:
    """That asked for, else the player's own, else the first person's. Raises NotDone."""
    try:
        seats = seats_of(record.line)
    except NotARecord:
        return 0  # the process says what is wrong
    if number is not None:
        if not 1 <= number <= len(seats):
            raise NotDone(_("--seat is a number from 1 to {n}").format(n=len(seats)))
        return number - 1
    if record.me is not None:
        return record.me
    return next((at for at, seat in enumerate(seats) if seat.kind == "human"), 0)


# How far a command is that takes a while, in the last line of the terminal.


def show(progress: str) -> None:
    """In the place of the one before, where somebody looks; "" takes it away."""
    terminal = sys.__stderr__  # Textual, which draws what is exported, takes the other for itself
    if terminal is not None and terminal.isatty():
        print(f"\r\x1b[K{spelt(progress)}", end="", file=terminal, flush=True)


# `clocktowers today --result`: the newest result of a deal of the day, to paste.


def print_result(game: str) -> int:
    """The exit code: 0, or 2 after a sentence on stderr."""

    def show() -> None:
        counted = deals(matches.newest_first(), game)
        if not counted:
            said = _("you have finished no deal of the day of {game} yet")
            raise NotDone(said.format(game=title_of(game)))
        print("\n".join(daily_in_words(counted[max(counted)], counted)), flush=True)

    return guarded(show)
