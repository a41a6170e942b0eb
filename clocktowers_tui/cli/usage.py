"""A command line's parser: a mistake is one sentence, and argparse's own words are translated."""

import argparse
from typing import Any, Final, NoReturn

from clocktowers_tui.text.i18n import N_, _, ngettext

ARGPARSE: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("unrecognized arguments: %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
)
"""The part of argparse's words that a player can meet; the rest is for programmers."""


class Parser(argparse.ArgumentParser):
    def __init__(self, **settings: Any) -> None:
        # argparse asks the two names of its own module; there is no other way in.
        vars(argparse).update(_=_, ngettext=ngettext)
        super().__init__(**settings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"clocktowers: {message}\n")
