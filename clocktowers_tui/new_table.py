"""A new table: the games, levels and clocks to choose from, and drafts of what was chosen."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from clocktowers_tui.config.settings import (
    Draft,
    Settings,
    as_name,
    called,
    draft_of,
    knowing,
    last_game,
)
from clocktowers_tui.games.face import Face, plain
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Connection
from clocktowers_tui.text.i18n import _
from protocol.dealing import commitment, daily_seed
from protocol.from_client import BotSeat, CreateTable, Settle
from protocol.games.registry import GAMES, LEVELS
from protocol.table import Bank, Clock, Days, Late, Pace, PerTurn, TableInfo
from protocol.text import clean

if TYPE_CHECKING:
    from clocktowers_tui.games.lesson import Lesson

FIRST_GAME: Final = next(iter(GAMES))
"""What is played when the player has never chosen a game."""

PRACTICE: Final = "practice"
"""The preset of the games that can be practised alone and without hurry."""

NO_CLOCK: Final = ""
CLOCKS: Final[Mapping[str, Clock | None]] = {
    NO_CLOCK: None,
    "30": PerTurn(30),
    "60": PerTurn(60),
    "120": PerTurn(120),
    "5+10": Bank(300, 10),
    "10+15": Bank(600, 15),
    "20+30": Bank(1200, 30),
    "1d": Days(1),
    "3d": Days(3),
    "7d": Days(7),
}
"""By the name that a draft keeps."""
USUAL: Final = "usual"
"""In a draft, of a clock of days: what most would have for so many seats (`Days.late_of`)."""


def games_at(connection: Connection | None, known: Iterable[str]) -> Sequence[str]:
    """The `known` games that this server plays; a server that names none may play all."""
    there = connection.welcome.games if connection is not None else ()
    return [game for game in known if not there or game in there]


def levels_at(connection: Connection | None) -> Sequence[str]:
    """The levels of this server's bots, each once; a server that names none has ours."""
    there = connection.welcome.levels if connection is not None else ()
    return [*filter(None, dict.fromkeys(there))] or LEVELS


def levels_of(game: str, levels: Iterable[str]) -> Sequence[str]:
    """Those of these levels that bots of this game have; a level that no game here knows is one of
    a newer server, which refuses it where it has none."""
    known = {level for vocabulary in GAMES.values() for level in vocabulary.levels}
    own = GAMES[game].levels if game in GAMES else known
    return [level for level in levels if level in own or level not in known]


def game_here(state: State, settings: Settings, games: Sequence[str]) -> str:
    """The game of the table where the player is; elsewhere the one they chose last."""
    return state.table.info.game if state.table is not None else last_game(settings, games)


# The tables of the deal of the day, and of a lesson.
#
# The deal of the day: one for each game and day of UTC, the same for everybody, without a network.
# The day is that of UTC, so that everybody who speaks of today's deal at one moment speaks of the
# same cards, and no journey gives or takes a day. A race is played at the pace of practice: the
# cards then follow from what is done alone, not from who sees them sooner.


LEVEL: Final = "hard"

_OLDEST_DAYS: Final = 400
"""How long a match that was begun may wait and still count."""


def today() -> str:
    """The day of UTC, as 2026-11-23."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def deal_of(game: str, day: str) -> Solo:
    """The wish for it. Without hints, which would be the bot's own moves."""
    presets = GAMES[game].presets
    table = CreateTable(
        id=0,
        game=game,
        seats=2,
        preset=PRACTICE if PRACTICE in presets else next(iter(presets)),
        bots=[BotSeat(1, LEVEL)],
        seed=daily_seed(game, day),
        hints=False,
    )
    return Solo(table)


def day_of(game: str, sha256: str, newest: str) -> str:
    """The day whose deal has this commitment, `newest` or before; "" if it is none."""
    for back in range(_OLDEST_DAYS):
        day = days_before(newest, back)
        if commitment(daily_seed(game, day)) == sha256:
            return day
    return ""


def days_before(day: str, count: int) -> str:
    """So many days before this one."""
    return str(date.fromisoformat(day) - timedelta(days=count))


# The table on which a game's lesson is played, and the one to play at after it.


def lesson_of(game: str) -> Solo:
    """The wish for it. Its sentences tell what the bots have done, and what to do."""
    lesson = LESSONS[game]
    table = CreateTable(
        id=0,
        game=game,
        seats=len(lesson.bots) + 1,
        preset=lesson.preset,
        options=dict(lesson.options),
        bots=[BotSeat(seat, level) for seat, level in enumerate(lesson.bots, 1)],
        seed=lesson.seed,
        pace=Pace.AT_ONCE,
        hints=False,
    )
    return Solo(table, lesson=True)


def begun_lessons(settings: Settings) -> list[str]:
    """The games whose lesson the player has begun, and left before its end."""
    return [game for game in LESSONS if settings.lessons.get(game)]


def taught(settings: Settings, lesson: "Lesson") -> Settings:
    """After the lesson: it can begin again."""
    game = lesson.game
    known = knowing(settings, game)
    return replace(known, game=game, lessons={**settings.lessons, game: 0})


def practised(settings: Settings, table: CreateTable) -> tuple[CreateTable, Settings]:
    """A table to practise at alone: the first one of a game has the deal that its lesson names."""
    lesson = LESSONS[table.game]
    if table.game in settings.practised or lesson.practice is None:
        return table, settings
    from clocktowers_tui.games.lesson import seed_of

    known = [*settings.practised, table.game]
    return replace(table, seed=seed_of(lesson.practice)), replace(settings, practised=known)


# Drafts: what the player filled in, in rows or by flags, and the request that it makes.

OWN: Final = ""
"""The preset of a draft whose options are those of no preset."""

PERSON: Final = ""
"""The level of a seat that waits for a person."""


def begun(settings: Settings, face: Face, *, solo: bool) -> Draft:
    """The form as it was filled in last, or as it is at first: alone, against one weak bot."""
    draft = draft_of(settings, face.game, solo=solo)
    if solo and draft == Draft() and (lesson := LESSONS.get(face.game)):
        weakest = GAMES[face.game].levels[1]  # but for the one that does anything
        return Draft(seats=2, levels=(weakest,), preset=lesson.first_preset)
    return draft


def bots_of(draft: Draft, game: str, levels: Sequence[str]) -> Sequence[str]:
    """The level of each bot in a match alone against bots."""
    known, seats = levels_of(game, levels), range(max(1, draft.people), seats_of(draft, game))
    return [level_of(draft, seat, known, solo=True) for seat in seats]


def above(draft: Draft, game: str, levels: Sequence[str]) -> Draft | None:
    """The match to play once this one is won: against bots of the next level, and after practice a
    race against the same; None: there is none, or several people play."""
    known, bots = levels_of(game, levels), bots_of(draft, game, levels)
    if not bots or draft.people > 1:
        return None
    if draft.preset == PRACTICE and game in LESSONS:
        return replace(draft, preset="standard", options=dict(LESSONS[game].race_options))
    higher = known[max(map(known.index, bots)) + 1 :]
    return replace(draft, levels=(higher[0],) * len(bots)) if higher else None


def usual_level(settings: Settings, face: Face, levels: Sequence[str]) -> str:
    """Of a bot that a host seats without naming a level: as strong as those that they play
    alone."""
    return level_of(begun(settings, face, solo=True), 1, levels, solo=True)


def hosted(settings: Settings, faces: Mapping[str, Face], game: str = "") -> CreateTable:
    """The first table of a host, as its form was filled in last; in sight, so that who comes back
    finds it. `game`: "" is the one that the player chose last."""
    face = faces[game or last_game(settings, list(faces))]
    draft = replace(begun(settings, face, solo=False), hidden=False)
    return drafted(draft, face, LEVELS, solo=False)


def longer(game: str) -> Mapping[str, Any]:
    """The options that give more time to choose: to listen takes longer than to look."""
    lesson = LESSONS.get(game)
    return lesson.race_options if lesson is not None else {}


def by_ear(table: CreateTable) -> CreateTable:
    """With more time to choose, where the player settles nothing else."""
    return replace(table, options={**longer(table.game), **table.options})


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


def draft_at(info: TableInfo, face: Face) -> Draft:
    """What the form holds for a table that is there already."""
    options = info.options if isinstance(info.options, dict) else {}  # as the server says
    clock, late = info.clock, USUAL
    if isinstance(clock, Days):
        clock, late = Days(clock.days), clock.late or USUAL
    return Draft(
        seats=len(info.seats),
        preset=info.preset,
        options={**preset_values(face, info.preset), **options},
        clock=next((name for name, one in CLOCKS.items() if one == clock), NO_CLOCK),
        late=late,
        watchable=info.watchable,
    )


def settled(table: CreateTable) -> Settle:
    """The wish that a table which is there is played by the rules of this one."""
    clock, watchable = table.clock, table.watchable
    return Settle(
        id=0, preset=table.preset, options=table.options, clock=clock, watchable=watchable
    )


def drafted(draft: Draft, face: Face, levels: Sequence[str], *, solo: bool) -> CreateTable:
    """The table of a draft, without what this game and these levels do not have."""
    people = min(max(1, draft.people), face.most_people) if solo else 1
    draft = replace(draft, seats=max(seats_of(draft, face.game), people))
    seats = draft.seats
    options = options_of(draft, face)
    preset = preset_of(options, face, draft.preset)
    sent = preset or face.presets()[0][0]
    before = preset_values(face, sent)
    known = levels_of(face.game, levels)
    bots = [(seat, level_of(draft, seat, known, solo=solo)) for seat in range(people, seats)]
    # Where nobody plays another person there are hints unless the table forbids them.
    hints = True if draft.hints and face.in_turns and not solo else None
    return CreateTable(
        id=0,
        game=face.game,
        seats=seats,
        title="" if solo else clean(draft.title),
        preset=sent,
        options={name: value for name, value in options.items() if value != before[name]},
        bots=[BotSeat(seat, level) for seat, level in bots if level != PERSON],
        clock=_clock(draft) if face.in_turns and seats > 1 and not solo else None,
        hints=False if people > 1 else hints,
        hidden=draft.hidden and not solo,
        watchable=draft.watchable or solo,
        duplicate="" if draft.shared and not solo else None,
    )


def solo_at(settings: Settings, table: CreateTable) -> Solo:
    """The wish for this match, with those who play at this keyboard by the game's form."""
    draft = draft_of(settings, table.game, solo=True)
    return Solo(table, people=named_at(table, draft.names, called(settings)))


def named_at(table: CreateTable, names: str, own: str) -> tuple[str, ...]:
    """The people on the seats of this table that no bot has; () where there is only one. `names`:
    as they were typed, with commas between; the player is called `own`."""
    people = table.seats - len(table.bots)
    usual = [own, *(_("Player {n}").format(n=n) for n in range(2, people + 1))]
    typed = map(as_name, names.split(","))
    named = (name or other for name, other in zip_longest(typed, usual, fillvalue=""))
    return tuple(named)[:people] if people > 1 else ()


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


def _clock(draft: Draft) -> Clock | None:
    clock = CLOCKS.get(draft.clock)
    late = Late(draft.late) if draft.late in [*Late] else None
    return replace(clock, late=late) if isinstance(clock, Days) else clock
