"""The rows of the table form that several games have alike."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from msgspec import Struct, structs

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.text.i18n import _


def choice(
    options: type[Struct],
    name: str,
    label: str,
    *words: str,
    sentence: str = "",
    among: bool = False,
    hurry: bool = False,
) -> OptionField:
    """An option of these whose values are an enum's members: words for the default, then for the
    others in their order."""
    values = zip(_values(options, name), words, strict=True)
    chosen = tuple((value.value, said) for value, said in values)
    return OptionField(name, label, chosen, sentence=sentence, among=among, hurry=hurry)


@cache
def _values(options: type[Struct], name: str) -> Sequence[StrEnum]:
    [field] = [one for one in structs.fields(options) if one.name == name]
    return sorted(field.type, key=lambda value: bool(value != field.default))


def take_back() -> OptionField:
    words = (("on", _("until the next move")), ("off", _("not allowed")))
    sentence = _("May you take back a move before the next player moves?")
    return OptionField("take_back", _("Taking moves back"), words, sentence=sentence)


def first_seat(seats: int) -> OptionField:
    chosen = [(seat, _("seat {n}").format(n=seat + 1)) for seat in range(seats)]
    values = ((None, _("at random")), *chosen)
    return OptionField("first_seat", _("Who begins"), values, sentence=_("Who has the first turn?"))
