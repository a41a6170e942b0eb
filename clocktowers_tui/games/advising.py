"""How a hint is said: what to do, what it brings, and one reason."""

from typing import NamedTuple

from clocktowers_tui.text.i18n import _


class Advice(NamedTuple):
    """`brings`: points or money at once, in words; "" for none. `why`: one reason, for the middle
    of a sentence."""

    what: str
    why: str
    brings: str = ""


def advice_in_words(advice: Advice) -> str:
    """The sentence for the player who asked."""
    if advice.brings:
        return _("Hint: {what}, {brings} ({why})").format_map(advice._asdict())
    return _("Hint: {what} ({why})").format_map(advice._asdict())
