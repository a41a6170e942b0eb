"""The rows of a new table's form, filled in as its draft says."""

from collections.abc import Iterator, Sequence

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.games.face import Face, plain
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.new_table.drafts import (
    OWN,
    PERSON,
    clock_of,
    level_of,
    options_of,
    preset_of,
    seats_of,
)
from clocktowers_tui.new_table.fields import TableField, is_usual
from clocktowers_tui.new_table.offers import CLOCKS, levels_of
from clocktowers_tui.phrases.clocks import clock_in_words
from clocktowers_tui.phrases.tables import about_level_in_words, level_in_words
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.choice import Choice
from clocktowers_tui.widgets.field import Field
from protocol.games.registry import GAMES


def game_row(games: Sequence[str], face: Face) -> Choice:
    named = [(game, title_of(game)) for game in games]
    return Choice(_("Game"), named, face.game, id="game", sentence=face.pitch())


def title_row(draft: Draft) -> Field:
    return Field(_("Title"), draft.title, id="title", max_length=40, hint=_("if you want one"))


def players_row(draft: Draft, face: Face) -> Choice:
    seats = [(n, str(n) if n > 1 else _("1, alone")) for n in GAMES[face.game].seats]
    many = _("How many play, with you?")
    return Choice(_("Players"), seats, seats_of(draft, face.game), id="seats", sentence=many)


def seat_rows(draft: Draft, face: Face, levels: Sequence[str], *, solo: bool) -> Iterator[Choice]:
    """A row for each seat that the game can have; the first is the player's."""
    yield Choice(_seat_words(0), [(0, _("you"))], id="seat-0")
    known = levels_of(face.game, levels)
    bots = [(level, _bot_words(face, level)) for level in known]
    told = {level: about_level_in_words(level) for level in known}
    values = bots if solo else [(PERSON, _("free, for a person")), *bots]
    said = _("How well does this bot play?") if solo else _("Does a bot play here, or a friend?")
    for seat in range(1, max(GAMES[face.game].seats)):
        level = level_of(draft, seat, known, solo=solo)
        id = f"seat-{seat}"
        yield Choice(_seat_words(seat), values, level, id=id, sentence=said, steps=told)


def _seat_words(seat: int) -> str:
    return _("Seat {n}").format(n=seat + 1)


def _bot_words(face: Face, level: str) -> str:
    words = _("bot, {level}").format(level=level_in_words(level))
    about = face.about_level(level)
    return f"{words}: {about}" if about else words


def preset_row(draft: Draft, face: Face, wished: str) -> Choice:
    """`wished`: the preset that the player chose last."""
    preset = preset_of(options_of(draft, face), face, wished)
    presets, sets = face.presets(), _("This sets all the rules at once.")
    return Choice(_("Rules"), presets, preset, id="preset", other=_("your own"), sentence=sets)


def fold_row(*, solo: bool, unfolded: bool) -> Choice:
    """Shows or hides what a first table does not need."""
    values = [(False, _("hidden")), (True, _("shown"))]
    said = _("Single rules.") if solo else _("Single rules, who may join, the clock.")
    return Choice(_("More choices"), values, unfolded, id="more", sentence=said)


def is_plain(draft: Draft, face: Face) -> bool:
    """Whether every row that the fold hides has its first value."""
    own = preset_of(options_of(draft, face), face, draft.preset) == OWN
    return not own and is_usual(draft)


def rule_rows(draft: Draft, face: Face) -> Iterator[Choice]:
    options = options_of(draft, face)
    for field in face.option_fields():
        values = [(plain(value), words) for value, words in field.values]
        id, value = f"option-{field.name}", options[field.name]
        yield Choice(field.label, values, value, id=id, sentence=field.sentence)


def field_row(field: TableField, draft: Draft) -> Choice:
    """What matters only where others come."""
    values = [(value, _(words)) for value, words in field.values]
    clocks = [(name, clock_in_words(clock)) for name, clock in CLOCKS.items()]
    value = clock_of(draft) if not field.values else getattr(draft, field.name)
    label, about = _(field.label), _(field.about)
    return Choice(label, values or clocks, value, id=field.name, sentence=about)


def password_row(typed: str) -> Field:
    hint = _("if you want one")
    return Field(_("Password"), typed, id="word", password=True, max_length=128, hint=hint)
