"""Chat lines in words: a phrase in the reader's language, a text as it is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import N_, _
from protocol.from_server import Said
from protocol.table import TAKEN_AWAY, Phrase
from protocol.text import MAX_NAME_CELLS, cut

if TYPE_CHECKING:  # what draws
    from textual.content import Content


PHRASES: Final[Mapping[str, str]] = {
    Phrase.HELLO: N_("Hello!"),
    Phrase.GOOD_LUCK: N_("Good luck!"),
    Phrase.NICE_MOVE: N_("Nice move!"),
    Phrase.THANKS: N_("Thanks!"),
    Phrase.SORRY: N_("Sorry!"),
    Phrase.ONE_MOMENT: N_("One moment…"),
    Phrase.BACK: N_("I am back."),
    Phrase.HURRY_UP: N_("Hurry up, please!"),
    Phrase.GOOD_GAME: N_("Good game!"),
    Phrase.BYE: N_("Bye!"),
}
"""In the order of the keys that say them."""

_CODE_CELLS: Final = 40


def speaker_in_words(said: Said, you: str) -> str:
    """The sender's name; a watcher's is marked."""
    watches = said.seat is None
    if said.name == you:
        return _("You (watching)") if watches else _("You")
    name = fit(said.name, MAX_NAME_CELLS) or "?"
    return _("{name} (watching)").format(name=name) if watches else name


def words_of(said: Said) -> str:
    """The text; a newer server's phrase as its code."""
    if not said.phrase:
        return said.text
    if said.phrase == TAKEN_AWAY:
        return _("(taken away by the host)")
    known = PHRASES.get(said.phrase)
    return cut(said.phrase, _CODE_CELLS) if known is None else _(known)


def line_of(said: Said, you: str) -> str:
    """Sender and text, in one line."""
    return f"{speaker_in_words(said, you)}: {words_of(said)}"


def styled_line(said: Said, you: str) -> "Content":
    """The same for a list of lines: the reader sees where each begins."""
    from textual.content import Content

    return Content.assemble((f"{speaker_in_words(said, you)}:", "bold"), " ", words_of(said))
