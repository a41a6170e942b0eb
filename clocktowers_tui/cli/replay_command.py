"""`clocktowers replay FILE|ID|INVITATION[#PLY]`: which record is meant, and where it opens."""

import asyncio
import os
import shutil
import sys
from contextlib import aclosing, closing
from pathlib import Path

from clocktowers_tui.cli.history_command import NotThere, guarded, only
from clocktowers_tui.config.settings import called, load, settings_file
from clocktowers_tui.deeds.finished import NotFetched, fetch
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.history.numbers import deals
from clocktowers_tui.history.record import MAX_LINE_BYTES, NotARecord, Replayed, head_of, seats_of
from clocktowers_tui.history.review import Reviewed, made
from clocktowers_tui.net.address import pasted_invitation
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.records import NoReview, NotConverted, matches_in
from clocktowers_tui.net.trust import PASSWORD_VARIABLE, Ticket
from clocktowers_tui.net.wishes import visit_to
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.history import (
    no_history_in_words,
    no_replay_in_words,
    wrong_line_in_words,
)
from clocktowers_tui.phrases.numbers import daily_in_words
from clocktowers_tui.phrases.review import no_review_in_words, progress_in_words, review_in_words
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import spelt
from protocol.recording import Found
from protocol.text import clean

_MOST_DIGITS = 6


def find(typed: str) -> Replayed:
    """A file comes before a match of that id. Of a file the first match. A match to which an
    invitation leads is kept as one that the player watched. A loop calls this in a thread, since it
    may run one of its own. Raises NotThere."""
    name, ply = typed, None
    start, mark, digits = typed.rpartition("#")
    if mark and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        name, ply = start, int(digits)
    if invitation := pasted_invitation(name):
        name = _fetched(invitation)
    elif (line := _first_of(name)) is not None:
        return Replayed(line, _own_seat(line), ply)
    try:
        match = only(name)
        kept = matches.of(match)
        return Replayed(matches.line_of(match), kept.me if kept else None, ply, match)
    except NoHistory as error:
        raise NotThere(no_history_in_words(error)) from None


def _fetched(invitation: str) -> str:
    """The id of the match to which this leads, once its server has sent it. Raises NotThere."""
    try:
        wish = visit_to(invitation, ticket=Ticket(os.environ.get(PASSWORD_VARIABLE, "")))
        if not wish.match:
            raise NotThere(_("this invitation leads to a server, and not to a finished match"))
        asyncio.run(fetch(wish, called(load(settings_file()))))
    except LinkError as error:
        raise NotThere(fault_in_words(error)) from None
    except NotFetched as error:
        raise NotThere(str(error)) from None
    return wish.match


def _own_seat(line: bytes) -> int:
    """Through whose eyes a file is seen first: the player's own where they have played that match,
    else those of seat 0. All hands are open to who asks for that."""
    try:
        kept = matches.of(head_of(line).id)
    except (NotARecord, NoHistory):
        kept = None
    return 0 if kept is None or kept.me is None else kept.me


def _first_of(name: str) -> bytes | None:
    """The first record of this file; None: there is no such file. Raises NotThere."""
    try:
        with Path(name).open("rb") as file:
            line = file.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n")
        return line if line.startswith(b"{") else _noted(name)
    except (FileNotFoundError, IsADirectoryError, ValueError):
        return None
    except OSError as error:
        said = _("{file} cannot be read: {why}")
        raise NotThere(said.format(file=clean(name), why=error.strerror)) from None


def _noted(name: str) -> bytes:
    """The first match of a file that may be notation. Raises NotThere and OSError."""
    try:
        with Path(name).open("rb") as file, closing(matches_in(file)) as found:
            for told in found:
                if isinstance(told, Found):
                    return told.record
                raise NotThere(wrong_line_in_words(clean(name), told))
    except NotConverted:
        raise NotThere(no_replay_in_words("")) from None
    raise NotThere(_("there is no match in {file}").format(file=clean(name)))


# `clocktowers review FILE|ID`: what a finished match could have been, as text.


def run(typed: str, number: int | None) -> int:
    """`number`: the seat, from 1 on; None: the player's own. The exit code: 0, or 2 after a
    sentence on stderr."""

    def work() -> None:
        record = find(typed)
        try:
            review = asyncio.run(_whole(record, _seat(record, number)))
        except NoReview as error:
            raise NotThere(no_review_in_words(str(error))) from None
        finally:
            show("")
        _print(review)

    return guarded(work)


async def _whole(record: Replayed, seat: int) -> Reviewed:
    async with aclosing(made(record.line, record.match, seat)) as review:
        async for newest in review:
            show(progress_in_words(newest))
    return newest


def _print(review: Reviewed) -> None:
    columns = shutil.get_terminal_size().columns
    lines = map(spelt, review_in_words(FACES[review.begun.game], review, columns))
    room = columns if sys.stdout.isatty() else sys.maxsize  # a program gets whole lines
    print("\n".join(row for line in lines for row in hanging(line, room)), flush=True)


def _seat(record: Replayed, number: int | None) -> int:
    """That asked for, else the player's own, else the first person's. Raises NotThere."""
    try:
        seats = seats_of(record.line)
    except NotARecord:
        return 0  # the process says what is wrong
    if number is not None:
        if not 1 <= number <= len(seats):
            raise NotThere(_("--seat is a number from 1 to {n}").format(n=len(seats)))
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
            raise NotThere(said.format(game=title_of(game)))
        print("\n".join(daily_in_words(counted[max(counted)], counted)), flush=True)

    return guarded(show)
