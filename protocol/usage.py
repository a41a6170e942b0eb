"""The parser of both command lines: a mistake is one sentence, in the language of its reader.

Law: what is marked here is in the catalogues of both programs.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Final, NoReturn

from protocol.text import clean


def N_(message: str) -> str:
    """Mark a text for the catalogues; the parser translates it."""
    return message


UNKNOWN: Final = N_("not understood: %s; --help says what can be typed")
_NO_SUCH: Final = N_("there is no {value}: choose one of {values}")
_FLAG: Final = N_("{value} is a flag: type --{value}")
_USAGE: Final = N_("usage: ")
_HELP: Final = N_("show this help message and exit")
_HEADINGS: Final = (N_("positional arguments"), N_("options"))
_ERRORS: Final[Mapping[str, str]] = {
    "unrecognized arguments: (.*)": UNKNOWN,
    "ignored explicit argument (.*)": N_("it takes no value: leave %r out"),
    "expected one argument": N_("a value is missing behind it"),
    "ambiguous option: (?P<option>.*) could match (?P<matches>.*)": N_(
        "%(option)s may mean %(matches)s: type one of them in full"
    ),
    "invalid .* value: (?P<value>.*)": N_("%(value)r is not a number"),
    "not allowed with argument (.*)": N_("not together with %s: leave one of the two out"),
    "the following arguments are required: (.*)": N_("this is missing: %s"),
}
"""The part of argparse's sentences that people can meet, and ours; the rest is for programmers."""


def build(number: str) -> str:
    """A version for people, with the kind of this build: the core is compiled, or it is Python."""
    return f"{number} ({'compiled' if is_compiled() else 'pure Python'})"


def is_compiled() -> bool:
    """Of the modules that a compiled wheel has as machine code, one speaks for all."""
    spec = find_spec("protocol.games.clocktowers.cards")
    return spec is not None and not (spec.origin or "").endswith(".py")


class Parser(argparse.ArgumentParser):
    """Each program has a class of its own, with its `gettext`."""

    @staticmethod
    def words(text: str, /) -> str:
        """In the language that is spoken."""
        return text

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=partial(_Formatter, words=self.words), **settings)

    def add_argument(self, *names: Any, **described: Any) -> argparse.Action:
        if described.get("action") == "help":  # argparse's own flag
            described["help"] = self.words(_HELP)
        return super().add_argument(*names, **described)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Argparse's own sentence has quotes, and names a command by the list of all."""
        if action.choices is not None and value not in action.choices:
            known = ", ".join(map(str, action.choices))
            is_flag = not action.option_strings and f"--{value}" in self._option_string_actions
            said = self.words(_FLAG if is_flag else _NO_SUCH).format(value=value, values=known)
            raise argparse.ArgumentError(action if action.option_strings else None, said)

    def error(self, message: str) -> NoReturn:
        self.refuse(self._said(message))

    def refuse(self, sentence: str) -> NoReturn:
        """Say what is wrong with what was typed, and end."""
        said = f"{self.prog.partition(' ')[0]}: {clean(sentence)}"
        if sys.stderr.isatty():
            width = get_terminal_size().columns - 1
            said = fill(said, width, break_on_hyphens=False, break_long_words=False)
        self.exit(2, f"{said}\n")

    def _said(self, message: str) -> str:
        """A sentence of argparse in ours."""
        if found := re.fullmatch("argument (.+?): (.*)", message, re.DOTALL):
            return f"{found[1]}: {self._said(found[2])}"
        for theirs, ours in _ERRORS.items():
            if found := re.fullmatch(theirs, message, re.DOTALL):
                ours = self.words(ours).replace("%r", "%s").replace(")r", ")s")
                return ours % (found.groupdict() or found.groups())
        return message


class _Formatter(argparse.HelpFormatter):
    def __init__(self, words: Callable[[str], str], **settings: Any) -> None:
        super().__init__(**settings)
        self._words: Final = words

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self._words(_USAGE) if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(self._words(heading) if heading in _HEADINGS else heading)
