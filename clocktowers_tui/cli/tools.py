"""The commands that print or write something and end: `clocktowers keys`, `waiting`, `history`,
`review` and `today --result`."""

import asyncio
import shutil
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Final, ParamSpec

from clocktowers_tui.cli.command import deafen, fail
from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Colours, GlyphSet, Look
from clocktowers_tui.deeds.finished import find, only
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.exporting import BETWEEN, Drawn, written
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.history import ExportForm, Unwritten, Written, matches
from clocktowers_tui.history.matches import Kept, name_of, save
from clocktowers_tui.history.numbers import deals, played
from clocktowers_tui.history.record import Head, NotARecord, Replayed, head_of, plies_of, seats_of
from clocktowers_tui.history.review import Reviewed, made
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import Keymap, key_in_words, keymap_file, read_keymap
from clocktowers_tui.net.records import matches_in
from clocktowers_tui.net.seats import Seats, cleaned
from clocktowers_tui.net.waiting import ask
from clocktowers_tui.phrases import NotDone, failed
from clocktowers_tui.phrases.history import (
    game_in_words,
    imported_in_words,
    none_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
    wrong_line_in_words,
)
from clocktowers_tui.phrases.home import due_in_words
from clocktowers_tui.phrases.numbers import daily_in_words, numbers_of, points_of
from clocktowers_tui.phrases.review import progress_in_words, review_in_words
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import spelt
from protocol.recording import Fault, Found
from protocol.text import cells, clean

PIPE: Final = "-"
"""In place of a file: stdin or stdout."""
_Given = ParamSpec("_Given")


def tool(work: Callable[_Given, int | None]) -> Callable[_Given, int]:
    """A command: it returns the exit code, which is 0 for None, or 2 after a sentence on stderr."""

    @wraps(work)
    def run(*given: _Given.args, **named: _Given.kwargs) -> int:
        try:
            return work(*given, **named) or 0
        except NotDone as error:
            return fail(str(error))
        except BrokenPipeError:  # the reader has seen enough
            deafen()
        except OSError as error:
            deafen()
            return fail(_("the output cannot be written: {why}").format(why=error.strerror))
        return 0

    return run


def _print(lines: Iterable[str]) -> None:
    print("\n".join(lines), flush=True)


# `clocktowers keys`.


@tool
def keys() -> int:
    """2 when a line of the keymap does not hold."""
    file = keymap_file()
    keymap = read_keymap(file, lambda: ALL_ACTIONS)
    try:
        _print([*key_lines(keymap, ALL_ACTIONS), "", str(file)])
    except BrokenPipeError:  # the complaints are told all the same
        deafen()
    for complaint in keymap.complaints:
        print(f"clocktowers: keymap.toml: {complaint}", file=sys.stderr)
    return 2 if keymap.complaints else 0


def key_lines(keymap: Keymap, actions: Sequence[Action]) -> Iterator[str]:
    """A line for each action, below the name of where it lives and, on a board, of its game."""
    keys = {one: "  ".join(map(key_in_words, keymap.keys(one))) or "-" for one in actions}
    id_width = max(len(action.id) for action in actions)
    keys_width = max(cells(words) for words in keys.values())
    head = ""
    for action in actions:
        if (heading := _heading(action)) != head:
            head = heading
            yield head
        yield f"  {pad(action.id, id_width)}  {pad(keys[action], keys_width)}  {_(action.words)}"


def _heading(action: Action) -> str:
    where = _(action.context.value)
    return f"{where}: {title_of(action.game)}" if action.game else where


# `clocktowers waiting`.


@tool
def waiting(*, count: bool, vacation: int = 0) -> int:
    """1 where it is nowhere the player's turn; also where a client is open at a match."""
    dues = asyncio.run(ask(map(cleaned, reversed(Seats().all())), vacation))
    due = sum(bool(one.yours) for one in dues)
    if count:
        _print([str(due)])
    elif dues:
        _print(spelt(due_in_words(one)) for one in dues)
    return 0 if due else 1


# `clocktowers review FILE|ID`.


@tool
def review(typed: str, number: int | None) -> None:
    """`number`: the seat, from 1 on; None: the player's own."""
    found, columns = asyncio.run(_whole(typed, number)), shutil.get_terminal_size().columns
    page = review_in_words(FACES[found.begun.game], found, columns)
    lines = [spelt(line.text) for line in page]
    room = columns if sys.stdout.isatty() else sys.maxsize  # a program gets whole lines
    _print(row for line in lines for row in hanging(line, room))


async def _whole(typed: str, number: int | None) -> Reviewed:
    """Raises NotDone."""
    record = await find(typed)
    seat = _seat_reviewed(record, number)
    try:
        async with aclosing(made(record.line, record.match, seat)) as found:
            async for newest in found:
                _progress(progress_in_words(newest))
    finally:
        _progress("")
    return newest


def _seat_reviewed(record: Replayed, number: int | None) -> int:
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


def _progress(progress: str) -> None:
    """In the place of the one before, where somebody looks; "" takes it away."""
    terminal = sys.__stderr__  # Textual, which draws what is exported, takes the other for itself
    if terminal is not None and terminal.isatty():
        print(f"\r\x1b[K{spelt(progress)}", end="", file=terminal, flush=True)


# `clocktowers today --result`: the newest result of a deal of the day, to paste.


@tool
def today(game: str) -> None:
    counted = deals(matches.newest_first(), game)
    if not counted:
        said = _("you have finished no deal of the day of {game} yet")
        raise NotDone(said.format(game=title_of(game)))
    _print(daily_in_words(counted[max(counted)], counted))


# `clocktowers history`.


@tool
def history() -> None:
    _print(match_lines(matches.newest_first()))


@tool
def delete(start: str) -> None:
    """Delete the match whose id begins so."""
    matches.delete(only(start))


def match_lines(kept: Sequence[Kept]) -> Iterator[str]:
    """A line for each match: id, when, game, how it ended, and who had how many points."""
    if not kept:
        yield none_in_words("")
    rows = [
        (clean(one.head.id), when_in_words(one), game_in_words(one), result_in_words(one))
        for one in kept
    ]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row, one in zip(rows, kept, strict=True):
        yield "  ".join([*map(pad, row, widths), scores_in_words(one)])


# `clocktowers history numbers`.


@tool
def numbers(game: str) -> None:
    """`game` "": all of them."""
    _print(numbers_in_lines(matches.newest_first(), [game] if game else list(FACES)))


def numbers_in_lines(kept: Sequence[Kept], games: Sequence[str]) -> Iterator[str]:
    """`kept`: newest first."""
    columns = shutil.get_terminal_size().columns
    those = [game for game in games if any(one.head.game == game for one in played(kept))]
    if not those:
        yield none_in_words("")
    for before, game in enumerate(those):
        if before:
            yield ""
        yield from numbers_of(game, kept, columns)
        yield from points_of(game, kept, columns)


# `clocktowers history import FILE`: keeps the matches of a file of records or of notation.
#
# Nothing is kept that does not pass the checks of `verify`. A match counts as the player's own
# where a person of their name sat, if they gave it with --name; else as one that they watched.


@tool
def import_from(name: str, me: str) -> int:
    """`me`: the player's name at the table, "" = they sat nowhere. 1 where a line was wrong."""
    kept = known = wrong = 0
    for told in _in_file(name):
        if not isinstance(told, Found):
            wrong += 1
            said = wrong_line_in_words(clean(name), told)
            print(f"clocktowers: {said}", file=sys.stderr)
        elif matches.of((head := head_of(told.record)).id) is not None:
            known += 1
        else:
            kept += 1
            packed, ended = zlib.compress(told.record), _ended(told.record, head)
            matches.keep(head.id, packed, _seat_of(me, head), ended)
    print(imported_in_words(kept, known), flush=True)
    return 1 if wrong else 0


def _in_file(name: str) -> Iterator[Found | Fault]:
    """Raises NotDone."""
    try:
        with sys.stdin.buffer if name == PIPE else Path(name).open("rb") as file:
            yield from matches_in(file)
    except (OSError, ValueError) as error:
        raise failed(_("{file} cannot be read: {why}"), name, error) from None


def _ended(record: bytes, head: Head) -> int:
    """In seconds since 1970, as of a match that was kept at its end; now, where a record does not
    say when it began."""
    if not head.began:
        return int(time.time())
    last_ms = max((ply.at_ms for ply in plies_of(record)), default=0)
    return int(datetime.fromisoformat(head.began).timestamp()) + last_ms // 1000


def _seat_of(name: str, head: Head) -> int | None:
    """The first seat in which a person of this name sat."""
    people = [one.name if one.kind == "human" else None for one in head.seats]
    return people.index(name) if name and name in people else None


# `clocktowers history export ID|--all`: each match in the form that is asked for, to stdout, to a
# file, or to a file of its own in a folder.


@tool
def export(
    start: str, form: ExportForm, to: str, colours: Colours | None, glyphs: GlyphSet | None
) -> int:
    """Write the match whose id begins so, all of them where it is "". `to`: a file or a folder.
    `colours`, `glyphs`: what flags say; None: nothing. 1 where some could not be written; 2 where
    nothing could, after a sentence on stderr for each."""
    chosen, between, texts = _chosen(start), BETWEEN.get(form), list[bytes]()
    folder = Path(to) if to != PIPE and Path(to).is_dir() else None
    if folder is None and between is None and len(chosen) > 1:
        said = _("to write all matches as {form}, name a folder: -o FOLDER")
        raise NotDone(said.format(form=form))
    for one, text in zip(chosen, _written(form, chosen, _drawn(colours, glyphs)), strict=True):
        why = text.why if isinstance(text, Unwritten) else ""
        if folder is not None and isinstance(text, bytes):
            why = _save(folder / name_of(one, form), text)
        if isinstance(text, bytes) and not why:
            texts.append(text if folder is None else b"")
        else:
            print(f"clocktowers: {clean(one.head.id)}: {why}", file=sys.stderr)
    if folder is None and (texts or not chosen):
        _write(to, (between or b"").join(texts))
    if len(texts) == len(chosen):
        return 0
    return 1 if texts else 2


def _written(form: ExportForm, chosen: list[Kept], drawn: Drawn) -> Iterator[Written]:
    def drew(plies: int, last: int) -> None:
        _progress(_("Drawing: move {n} of {total}").format(n=plies, total=last))

    try:
        for text in written(form, chosen, drawn, drew):
            _progress("")
            yield text
    finally:
        _progress("")


def _drawn(colours: Colours | None, glyphs: GlyphSet | None) -> Drawn:
    """As the player likes it; a file can have all colours and characters."""
    kept = settings.load(settings.settings_file())
    wished = colours or kept.colours, glyphs or kept.glyphs
    return Drawn(kept, Look().wished(kept.palette, *wished))


def _chosen(start: str) -> list[Kept]:
    """The newest comes last, so that a file of them is read in the order of the evening."""
    if not start:
        return matches.newest_first()[::-1]
    match = only(start)
    return [one for one in [matches.of(match)] if one is not None]


def _write(to: str, text: bytes) -> None:
    if to != PIPE:
        if why := _save(Path(to), text):
            raise NotDone(why)
        return
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def _save(file: Path, text: bytes) -> str:
    """Why it stays as it is; "" when it is written. Raises NotDone."""
    try:
        save(file, text)
    except FileExistsError:
        return _("This file is there already: {file}").format(file=clean(str(file)))
    except (OSError, ValueError) as error:
        raise failed(_("{file} cannot be written: {why}"), file, error) from None
    return ""
