"""`clocktowers history export ID|--all`: writes matches of the history, each in the form that is
asked for, to stdout, to a file, or each to a file of its own in a folder."""

import sys
from pathlib import Path
from typing import Final, TypeAlias

from clocktowers_tui.cli.history_command import NotThere, guarded, only
from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Colours, GlyphSet, Look
from clocktowers_tui.exporting.forms import Drawn, Form
from clocktowers_tui.exporting.writing import MANNERS
from clocktowers_tui.history import matches
from clocktowers_tui.history.exported import name_of, save
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.net.converting import NotConverted
from clocktowers_tui.net.replaying import NoReplay
from clocktowers_tui.phrases.history import no_replay_in_words, not_written_in_words
from clocktowers_tui.text.i18n import _
from protocol.text import clean

STDOUT: Final = "-"
Wished: TypeAlias = tuple[Colours | None, GlyphSet | None]
"""What flags say of colours and characters; None: nothing."""


def export(start: str, form: Form, to: str, wished: Wished) -> int:
    """Write the match whose id begins so, all of them where it is "". `to`: a file or a folder. The
    exit code: 0, or 2 after a sentence on stderr."""
    return guarded(lambda: _export(start, form, to, _drawn(*wished)))


def _export(start: str, form: Form, to: str, drawn: Drawn) -> None:
    chosen = _chosen(start)
    manner = MANNERS[form]
    written = manner.write(chosen, drawn)
    try:
        if to != STDOUT and Path(to).is_dir():
            for one, text in zip(chosen, written, strict=True):
                _save(Path(to) / name_of(one, manner.suffix), text)
            return
        if manner.between is None and len(chosen) > 1:
            said = _("to write all matches as {form}, name a folder: -o FOLDER")
            raise NotThere(said.format(form=form))
        _write(to, (manner.between or b"").join(written))
    except NotConverted as error:
        raise NotThere(not_written_in_words(str(error))) from None
    except NoReplay as error:
        raise NotThere(no_replay_in_words(str(error))) from None


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
        _save(Path(to), text)
        return
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def _save(file: Path, text: bytes) -> None:
    try:
        save(file, text)
    except FileExistsError:
        said = _("This file is there already: {file}")
        raise NotThere(said.format(file=clean(str(file)))) from None
    except (OSError, ValueError) as error:
        said = _("{file} cannot be written: {why}")
        why = getattr(error, "strerror", None) or error
        raise NotThere(said.format(file=clean(str(file)), why=why)) from None
