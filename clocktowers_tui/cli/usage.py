"""A command line's parser: a mistake is one sentence, and argparse's own words are translated."""

import argparse
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.text import clean

UNKNOWN: Final = N_("not understood: %s; --help says what can be typed")
ARGPARSE: Final[Mapping[str, str]] = {
    "usage: ": N_("usage: "),
    "positional arguments": N_("positional arguments"),
    "options": N_("options"),
    "show this help message and exit": N_("show this help message and exit"),
    "argument %(argument_name)s: %(message)s": "%(argument_name)s: %(message)s",
    "unrecognized arguments: %s": UNKNOWN,
    "ignored explicit argument %r": N_("it takes no value: leave %r out"),
    "expected one argument": N_("a value is missing behind it"),
    "ambiguous option: %(option)s could match %(matches)s": N_(
        "%(option)s may mean %(matches)s: type one of them in full"
    ),
    "invalid %(type)s value: %(value)r": N_("%(value)r is not a number"),
    "the following arguments are required: %s": N_("this is missing: %s"),
}
"""The part of argparse's words that a player can meet, and ours; the rest is for programmers."""


class Parser(argparse.ArgumentParser):
    def __init__(self, **settings: Any) -> None:
        # argparse asks the two names of its own module; there is no other way in.
        vars(argparse).update(_=lambda words: _(ARGPARSE.get(words, words)), ngettext=ngettext)
        super().__init__(**settings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Argparse's own sentence has quotes, and names a command by the list of all."""
        if action.choices is not None and value not in action.choices:
            said = _("there is no {value}: choose one of {values}")
            known = ", ".join(map(str, action.choices))
            named = action if action.option_strings else None
            raise argparse.ArgumentError(named, said.format(value=value, values=known))

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"clocktowers: {clean(message)}\n")
