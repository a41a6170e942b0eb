"""Drafts of a new table: what the player filled in, and the request that it makes."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clocktowers_tui.config.settings import Draft, Settings, draft_of
from clocktowers_tui.games.face import Face, plain
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.new_table.offers import CLOCKS, FIRST_GAME, NO_CLOCK, levels_of
from clocktowers_tui.text.i18n import N_
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES
from protocol.text import clean

OWN: Final = ""
"""The preset of a draft whose options are those of no preset."""

PERSON: Final = ""
"""The level of a seat that waits for a person."""


def bot_table(
    bots: int,
    level: str,
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
    game: str = FIRST_GAME,
) -> CreateTable:
    """The player and that many bots of one level; `options` as they go over the wire."""
    return CreateTable(
        id=0,
        game=game,
        seats=bots + 1,
        preset=preset,
        options=dict(options or {}),
        bots=[BotSeat(seat, level) for seat in range(1, bots + 1)],
    )


def begun(settings: Settings, face: Face, *, solo: bool) -> Draft:
    """The form as it was filled in last, or as it is at first: alone, against one weak bot."""
    draft = draft_of(settings, face.game, solo=solo)
    if solo and draft == Draft() and (lesson := LESSONS.get(face.game)):
        return Draft(seats=2, levels=(lesson.first_bot,), options=dict(lesson.first_options))
    return draft


def draft_from(table: CreateTable, face: Face) -> Draft:
    """What the form would hold for such a table."""
    levels = {bot.seat: bot.level for bot in table.bots}
    return Draft(
        title=table.title,
        seats=table.seats,
        levels=tuple(levels.get(seat, PERSON) for seat in range(1, table.seats)),
        preset=table.preset,
        options={**preset_values(face, table.preset), **table.options},
    )


def drafted(draft: Draft, face: Face, levels: Sequence[str], *, solo: bool) -> CreateTable:
    """The table of a draft, without what this game and these levels do not have."""
    seats = seats_of(draft, face.game)
    options = options_of(draft, face)
    preset = preset_of(options, face, draft.preset)
    sent = preset or face.presets()[0][0]
    before = preset_values(face, sent)
    known = levels_of(face.game, levels)
    bots = [(seat, level_of(draft, seat, known, solo=solo)) for seat in range(1, seats)]
    return CreateTable(
        id=0,
        game=face.game,
        seats=seats,
        title="" if solo else clean(draft.title),
        preset=sent,
        options={name: value for name, value in options.items() if value != before[name]},
        bots=[BotSeat(seat, level) for seat, level in bots if level != PERSON],
        clock=CLOCKS.get(draft.clock) if face.in_turns and seats > 1 and not solo else None,
        # Where nobody plays another person there are hints unless the table forbids them.
        hints=True if draft.hints and face.in_turns and not solo else None,
        hidden=draft.hidden and not solo,
        watchable=draft.watchable or solo,
        duplicate="" if draft.shared and not solo else None,
    )


def seats_of(draft: Draft, game: str) -> int:
    """How many seats the table has; the most when the game cannot be played by that many."""
    seats = GAMES[game].seats
    return draft.seats if draft.seats in seats else max(seats)


def level_of(draft: Draft, seat: int, levels: Sequence[str], *, solo: bool) -> str:
    """The level of the bot on that seat, or `PERSON`; no person can come to a `solo` table, where a
    further bot is as strong as the last one."""
    last = draft.levels[-1] if solo and draft.levels else PERSON
    level = draft.levels[seat - 1] if seat <= len(draft.levels) else last
    if level in levels or (level == PERSON and not solo):
        return level
    usual = "normal" if "normal" in levels else levels[-1]
    return usual if solo else PERSON


def options_of(draft: Draft, face: Face) -> dict[str, Any]:
    """The value of every option that a table with that many seats has."""
    values = preset_values(face, draft.preset)
    for field in face.option_fields(seats_of(draft, face.game)):
        wished = draft.options.get(field.name, values[field.name])
        known = [plain(value) for value, _words in field.values]
        fitting = (value for value in (wished, values[field.name], *known) if value in known)
        values[field.name] = next(fitting)
    return values


def needed(face: Face, seats: int, preset: str) -> dict[str, Any]:
    """The options that a table of so many seats must have, whatever the preset says."""
    before = preset_values(face, preset)
    found = options_of(Draft(seats=seats, preset=preset), face)
    return {name: value for name, value in found.items() if value != before[name]}


def preset_of(options: Mapping[str, Any], face: Face, wished: str) -> str:
    """A preset that gives exactly these options, preferably the wished one; or `OWN`. What only
    says how much hurry there is changes no rules."""
    names = [name for name, _words in face.presets()]
    rules = [field.name for field in face.option_fields() if not field.hurry]

    def fits(name: str) -> bool:
        values = preset_values(face, name)
        return all(values[rule] == options[rule] for rule in rules)

    fitting = [name for name in names if fits(name)]
    return wished if wished in fitting else next(iter(fitting), OWN)


def preset_values(face: Face, preset: str) -> dict[str, Any]:
    """Every option of the form as the preset leaves it."""
    values = {field.name: field.values[0][0] for field in face.option_fields()}
    presets = GAMES[face.game].presets
    values.update({name: plain(value) for name, value in presets.get(preset, {}).items()})
    return {name: plain(value) for name, value in values.items()}


def clock_of(draft: Draft) -> str:
    """The name of a draft's clock; `NO_CLOCK` when no clock has that name any more."""
    return draft.clock if draft.clock in CLOCKS else NO_CLOCK


_LONG, _THINK = N_("How long may each player think?"), N_("how long a player may think")
