"""The rows of the table form that several games have alike."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.text.i18n import _


def choice(
    name: str,
    label: str,
    values: Iterable[StrEnum],
    *words: str,
    sentence: str = "",
    among: bool = False,
    hurry: bool = False,
) -> OptionField:
    """An option whose values are an enum's members, in their order, with words for each."""
    named = zip(values, words, strict=True)
    chosen = tuple((member.value, said) for member, said in named)
    return OptionField(name, label, chosen, sentence=sentence, among=among, hurry=hurry)


def named(presets: Iterable[str], *words: str) -> Sequence[tuple[str, str]]:
    """A game's presets, in their order, with words for each."""
    return tuple(zip(presets, words, strict=True))


def take_back() -> OptionField:
    words = (("on", _("until the next move")), ("off", _("not allowed")))
    sentence = _("May you take back a move before the next player moves?")
    return OptionField("take_back", _("Taking moves back"), words, sentence=sentence)


def first_seat(seats: int) -> OptionField:
    chosen = [(seat, _("seat {n}").format(n=seat + 1)) for seat in range(seats)]
    values = ((None, _("at random")), *chosen)
    return OptionField("first_seat", _("Who begins"), values, sentence=_("Who has the first turn?"))
