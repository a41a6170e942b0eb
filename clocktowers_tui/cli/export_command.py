"""`clocktowers history export ID|--all`: writes matches of the history, each in the form that is
asked for, to stdout, to a file, or each to a file of its own in a folder."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.cli.history_command import guarded
from clocktowers_tui.cli.replay_command import show
from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Colours, GlyphSet, Look
from clocktowers_tui.deeds.finished import only
from clocktowers_tui.exporting import Drawn
from clocktowers_tui.exporting.writing import BETWEEN, written
from clocktowers_tui.history import ExportForm, Unwritten, Written, matches
from clocktowers_tui.history.matches import Kept, name_of, save
from clocktowers_tui.net.records import NotConverted
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.text.i18n import _
from protocol.text import clean

STDOUT: Final = "-"
Wished: TypeAlias = tuple[Colours | None, GlyphSet | None]
"""What flags say of colours and characters; None: nothing."""


def export(start: str, form: ExportForm, to: str, wished: Wished) -> int:
    """Write the match whose id begins so, all of them where it is "". `to`: a file or a folder. The
    exit code: 0; 1 where some could not be written; 2 where nothing could, after a sentence on
    stderr for each."""
    counted = ExportCount()

    def work() -> None:
        nonlocal counted
        counted = _export(_chosen(start), form, to, _drawn(*wished))

    return guarded(work) or (counted.left_out and (1 if counted.written else 2))


class ExportCount(NamedTuple):
    """Of matches."""

    written: int = 0
    left_out: int = 0


def _export(chosen: list[Kept], form: ExportForm, to: str, drawn: Drawn) -> ExportCount:
    between, texts = BETWEEN.get(form), list[bytes]()
    folder = Path(to) if to != STDOUT and Path(to).is_dir() else None
    if folder is None and between is None and len(chosen) > 1:
        said = _("to write all matches as {form}, name a folder: -o FOLDER")
        raise NotDone(said.format(form=form))
    for one, text in zip(chosen, _written(form, chosen, drawn), strict=True):
        why = text.why if isinstance(text, Unwritten) else ""
        if folder is not None and isinstance(text, bytes):
            why = _save(folder / name_of(one, form), text)
        if isinstance(text, bytes) and not why:
            texts.append(text if folder is None else b"")
        else:
            print(f"clocktowers: {clean(one.head.id)}: {why}", file=sys.stderr)
    if folder is None and (texts or not chosen):
        _write(to, (between or b"").join(texts))
    return ExportCount(len(texts), len(chosen) - len(texts))


def _written(form: ExportForm, chosen: list[Kept], drawn: Drawn) -> Iterator[Written]:
    try:
        for text in written(form, chosen, drawn, _drew):
            show("")
            yield text
    except NotConverted:
        raise NotDone(_("the program that writes matches has ended by itself")) from None
    finally:
        show("")


def _drew(plies: int, last: int) -> None:
    show(_("Drawing: move {n} of {total}").format(n=plies, total=last))


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
    if to != STDOUT:
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
        said = _("{file} cannot be written: {why}")
        why = getattr(error, "strerror", None) or error
        raise NotDone(said.format(file=clean(str(file)), why=why)) from None
    return ""
