"""Codes travel, sentences do not: each code of the protocol gets its sentence here."""

from collections.abc import Collection, Iterable

from clocktowers_tui.text import NotDone as NotDone
from clocktowers_tui.text.i18n import _
from protocol.text import clean


def one_of(known: Collection[str], typed: str, named: Iterable[str] = ()) -> str:
    """What was typed, in small letters, if it is one of these. Raises NotDone with all of them, as
    they are `named`."""
    if (word := typed.lower()) in known:
        return word
    raise none_of(named or known)


def failed(said: str, file: object, error: Exception) -> NotDone:
    """`said` of this file: that something is impossible, and why."""
    why = getattr(error, "strerror", None) or error
    return NotDone(said.format(file=clean(str(file)), why=why))


def none_of(known: Iterable[str]) -> NotDone:
    """Nothing that was typed is one of these."""
    return NotDone(_("Choose one of {values}.").format(values=", ".join(known)))
