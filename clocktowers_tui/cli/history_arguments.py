"""`clocktowers history` on the command line: what can be typed, and which function does it."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Final

from clocktowers_tui.config.look import Colours, GlyphSet
from clocktowers_tui.config.settings import as_name
from clocktowers_tui.exporting.forms import Form
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.text.i18n import _

_GAMES: Final = ", ".join(FACES)
_COMMANDS: Final = ("list", "numbers", "export", "import", "delete")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=_COMMANDS,
        default="list",
        metavar=" | ".join(_COMMANDS),
        help=_("list them (the default), sum them up, write or import some, delete one"),
    )
    told = _("which match: the first letters are enough; import: the file")
    parser.add_argument("match", nargs="?", metavar="ID | FILE", default="", help=told)
    told = _("export: all matches")
    parser.add_argument("--all", action="store_true", help=told)
    told = _("export: how to write it: {forms} (default: json, a record)")
    parser.add_argument(
        "--as",
        dest="form",
        choices=[str(form) for form in Form],
        metavar="FORM",
        help=told.format(forms=", ".join(Form)),
    )
    told = _("export: where to; a folder gets a file for each match (default: stdout)")
    parser.add_argument("-o", "--output", metavar="FILE", help=told)
    told = _("numbers: only of this game: {games}").format(games=_GAMES)
    parser.add_argument("--game", choices=list(FACES), metavar="GAME", help=told)
    parser.epilog = _("With --name NAME, imported matches that NAME played count as yours.")
    parser.set_defaults(tool=_history)


def _history(given: argparse.Namespace) -> Callable[[], int]:
    _check_history(given)
    match given.what:
        case "numbers":
            from clocktowers_tui.cli import history_command

            return partial(history_command.show, given.game or "")
        case "export":
            from clocktowers_tui.cli import export_command

            form = Form(given.form or Form.JSON)
            wished = (
                Colours(given.colours) if given.colours else None,
                GlyphSet(given.glyphs) if given.glyphs else None,
            )
            return partial(export_command.export, given.match, form, given.output or "-", wished)
        case "import":
            from clocktowers_tui.cli import import_command

            return partial(import_command.import_from, given.match, as_name(given.name or ""))
    from clocktowers_tui.cli import history_command

    if given.what == "list":
        return history_command.list_all
    return partial(history_command.delete, given.match)


def _check_history(given: argparse.Namespace) -> None:
    """Raises argparse.ArgumentTypeError for what does not go together."""
    one = bool(given.match) + given.all
    if one != (given.what not in ("list", "numbers")) or (given.all and given.what != "export"):
        said = _("write: history export ID or --all, history import FILE, or history delete ID")
        raise argparse.ArgumentTypeError(said)
    if given.game and given.what != "numbers":
        raise argparse.ArgumentTypeError(_("--game goes with: history numbers"))
    if (given.form or given.output) and given.what != "export":
        raise argparse.ArgumentTypeError(_("--as and -o go with: history export"))
