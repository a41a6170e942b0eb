"""The parser of both command lines: a mistake is one sentence, and argparse's words are translated.

Law: what is marked here is in the catalogues of both programs.
"""

import argparse
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from protocol.text import clean


def N_(message: str) -> str:
    """Mark a text for the catalogues; the parser translates it."""
    return message


UNKNOWN: Final = N_("not understood: %s; --help says what can be typed")
_NO_SUCH: Final = N_("there is no {value}: choose one of {values}")
_ARGPARSE: Final[Mapping[str, str]] = {
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
    "not allowed with argument %s": N_("not together with %s: leave one of the two out"),
    "the following arguments are required: %s": N_("this is missing: %s"),
}
"""The part of argparse's words that people can meet, and ours; the rest is for programmers."""


class Parser(argparse.ArgumentParser):
    """Each program has a class of its own, with its `gettext` and `ngettext`."""

    @staticmethod
    def words(text: str, /) -> str:
        """In the language that is spoken."""
        return text

    @staticmethod
    def plural(one: str, many: str, n: int, /) -> str:
        """The same, of the one that suits `n`."""
        return one if n == 1 else many

    def __init__(self, **settings: Any) -> None:
        # argparse asks the two names of its own module; there is no other way in.
        words, plural = self.words, self.plural
        vars(argparse).update(_=lambda text: words(_ARGPARSE.get(text, text)), ngettext=plural)
        super().__init__(**settings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Argparse's own sentence has quotes, and names a command by the list of all."""
        if action.choices is not None and value not in action.choices:
            known = ", ".join(map(str, action.choices))
            said = self.words(_NO_SUCH).format(value=value, values=known)
            raise argparse.ArgumentError(action if action.option_strings else None, said)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog.partition(' ')[0]}: {clean(message)}\n")
