"""`python -P -m clocktowers_tui.exporting MATCH FORM`: writes a match of the history for the client
that has started it.

It says one thing, in msgpack: a `Written`.
"""

import sys

import msgspec

from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Look
from clocktowers_tui.exporting import Drawn, written
from clocktowers_tui.history import ExportForm, Unwritten, Written, matches
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import draw_with


def main(match: str, form: str) -> None:
    kept = settings.load(settings.settings_file())
    i18n.speak(kept.language)
    look = Look().wished(kept.palette, kept.colours, kept.glyphs)
    draw_with(look.glyphs)
    told = sys.stdout.buffer  # Textual, which draws, takes the other for itself
    told.write(msgspec.msgpack.encode(_answer(match, ExportForm(form), Drawn(kept, look))))


def _answer(match: str, form: ExportForm, drawn: Drawn) -> Written:
    try:
        one = matches.of(match)
    except NoHistory as error:
        return Unwritten(str(error))
    if one is None:
        return Unwritten(_("This match is not in Your matches."))
    [text] = written(form, [one], drawn, lambda _plies, _last: None)
    return text


if __name__ == "__main__":
    main(*sys.argv[1:])
