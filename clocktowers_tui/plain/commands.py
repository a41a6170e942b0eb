"""The commands of plain mode: what is typed, what it does, and which keys' actions it stands for.

Laws: a word means one thing at each place, and is the same in every language; what a key can do on
a screen has a command here, or a reason in `parity` why it has none.
"""

import shlex
from collections.abc import Awaitable, Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import _

_LEAST: Final = 2
"""Letters by which a word can be called, if no other begins so."""


Does: TypeAlias = Callable[[Sequence[str]], Awaitable[None]]
"""Gets the words behind the command, as they were typed."""


class Command(NamedTuple):
    """`words`: translated when they are shown; `takes`: what follows, the same
    in every language. `waits`: it has a meaning only while the match waits for the player. `now`:
    it leads somewhere now; help leaves out what does not."""

    word: str
    words: str
    does: Does
    short: str = ""
    takes: str = ""
    actions: Sequence[Action] = ()
    waits: bool = False
    now: bool = True


def split(line: str) -> list[str]:
    """The words of a line; what stands in quotes is one."""
    try:
        return shlex.split(line)
    except ValueError:  # a quote that does not end, as in: say don't
        return line.split()


def find(commands: Iterable[Command], word: str) -> Command | None:
    """By its word or short form, or by how it begins."""
    typed, begun = word.lower(), _begun(commands, word)
    for one in begun:
        if typed in (one.word, one.short):
            return one
    return begun[0] if len(begun) == 1 and len(typed) >= _LEAST else None


def _begun(commands: Iterable[Command], word: str) -> Sequence[Command]:
    """Those that begin so, or have this short form; none where nothing is typed."""
    typed = word.lower()
    return [one for one in commands if typed and (one.word.startswith(typed) or one.short == typed)]


def unknown_in_words(commands: Iterable[Command], word: str) -> str:
    """That there is no such command here, and what may have been meant."""
    begun = [one.word for one in _begun(commands, word)] if len(word) >= _LEAST else []
    if begun:
        said = _("{word} may mean {values}: type more of it.")
        return said.format(word=word, values=", ".join(begun))
    word = shown(word)
    close = get_close_matches(word.lower(), [one.word for one in commands], n=1)
    if close:
        said = _("There is no command {word} here. Did you mean {close}?")
        return said.format(word=word, close=close[0])
    return _("There is no command {word} here. help lists the commands.").format(word=word)


def help_in_words(command: Command) -> str:
    """`play CARD TOWER or new (p): what it does`; no sign that is read out, or is not."""
    takes = " " + command.takes.replace("|", _(" or ")) if command.takes else ""
    short = f" ({command.short})" if command.short else ""
    return f"{command.word}{takes}{short}: {_(command.words)}."


class Typed(Keymap):
    """For sentences that name keys: by the id of an action, the word that is typed instead."""

    def name(self, action: Action) -> str:
        usual = _("Enter") if action is actions.CONFIRM else ""
        return self.changed.get(action.id, (usual,))[0]

    def names(self, together: Sequence[Action]) -> str:
        return ", ".join(dict.fromkeys(map(self.name, together)))


def typed(commands: Iterable[Command]) -> Typed:
    """Where several commands stand for one action, the first."""
    words: dict[str, tuple[str, ...]] = {}
    for command in commands:
        for action in command.actions:
            words.setdefault(action.id, (command.word,))
    return Typed(words)
