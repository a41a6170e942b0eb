"""What the player wants to keep from one evening to the next, in a small JSON file."""

import getpass
import os
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
import platformdirs
from msgspec import Struct
from msgspec.structs import asdict, replace

from clocktowers_tui.config.files import locked
from clocktowers_tui.config.look import Colours, GlyphSet, Palette
from protocol.table import Pace
from protocol.text import MAX_NAME_CELLS, clean, cut

_MAX_BYTES: Final = 64 * 1024
_MOST_SERVERS: Final = 8

_Kept = TypeVar("_Kept", bound=Struct)


class Draft(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A new table as the player last filled it in. Readers ignore what a face or a
    server no longer has.

    `levels`: of the bots by seat, from the second seat on; "" is a person. `preset`: "" when the
    options are those of no preset. `options`: as they go over the wire; a missing option is as the
    preset says. `clock`: its name in `new_table.CLOCKS`. `late`: a `Late` or `USUAL`, of days.
    `hints`: people who play each other may ask for them, too. `hidden`, `watchable`: as in
    `CreateTable`.
    `shared`: other tables may play the same deal. `people`: how many play at this keyboard;
    `names`: theirs, as typed, the player's first.
    """

    title: str = ""
    seats: int = 4
    levels: tuple[str, ...] = ()
    preset: str = "standard"
    options: dict[str, Any] = {}
    clock: str = ""
    late: str = "usual"
    hints: bool = False
    hidden: bool = False
    watchable: bool = True
    shared: bool = False
    people: int = 1
    names: str = ""


class Drafts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """For a game: the last match alone or against bots, and the last table made on a server."""

    solo: Draft = Draft()
    table: Draft = Draft()


class Verbosity(StrEnum):
    """What plain mode says of a player's turn unasked: what is to be done; and what there is to
    choose from; and the whole board."""

    BRIEF = "brief"
    NORMAL = "normal"
    FULL = "full"


Popups: TypeAlias = Literal["no", "9", "99", "777"]
"""How the terminal is asked for a message on the desktop: by the number of the control sequence."""


class Settings(Struct, frozen=True, kw_only=True):
    """`name`: "" until the player has said it. `servers`: where the player has been, the newest
    first. `own_key`: the hash of the key of the server that the player hosted last, in hex. `game`:
    the last one that was filled in or played; "" none yet. `drafts`: by game. `known`: games of
    which the player has seen a match, or the lesson to its end; home offers the lesson of each
    other, and shows a tip until there is one.

    `colours`, `glyphs`, `language`, `popups` None: as the terminal and the locale say. `title`,
    `bell`, `popups`: the terminal is told when it is the player's turn; `chat_bell`: it rings when
    somebody else has said something. `motion`: a board moves for a moment at a peak. `layouts`: by
    game, in its own words, how its board was arranged last. `pace`: how fast bots act where the
    player alone plays against them. `verbosity`: of plain mode.

    `lessons`: by game, how many steps of its lesson are done, to go on from there. The lesson of a
    game that stands there has been offered. `practised`: games whose first practice was played.
    """

    name: str = ""
    servers: tuple[str, ...] = ()
    own_key: str = ""
    game: str = ""
    drafts: dict[str, Drafts] = {}
    known: list[str] = []
    palette: Palette = Palette.DARK
    colours: Colours | None = None
    glyphs: GlyphSet | None = None
    language: str | None = None
    title: bool = True
    bell: bool = True
    popups: Popups | None = None
    chat_bell: bool = False
    motion: bool = True
    layouts: dict[str, str] = {}
    lessons: dict[str, int] = {}
    practised: list[str] = []
    pace: Pace = Pace.NORMAL
    verbosity: Verbosity = Verbosity.NORMAL


def draft_of(settings: Settings, game: str, *, solo: bool) -> Draft:
    """The form of this game as it was filled in last."""
    drafts = settings.drafts.get(game, Drafts())
    return drafts.solo if solo else drafts.table


def filled_in(settings: Settings, game: str, draft: Draft, *, solo: bool) -> Settings:
    """With what was filled in for this game, which is the last one from now on."""
    had = settings.drafts.get(game, Drafts())
    new = replace(had, solo=draft) if solo else replace(had, table=draft)
    return replace(settings, game=game, drafts={**settings.drafts, game: new})


def knowing(settings: Settings, game: str) -> Settings:
    """With this game as one that the player knows."""
    if game in settings.known:
        return settings
    return replace(settings, known=[*settings.known, game])


def last_game(settings: Settings, games: Sequence[str]) -> str:
    """The game that the player chose last, if it is among these, or the first of them."""
    return settings.game if settings.game in games else games[0]


def been_at(settings: Settings, server: str) -> Settings:
    """With this server as the newest of those where the player has been. `server`: its address, or
    several with commas."""
    known = set(server.split(","))
    others = (one for one in settings.servers if known.isdisjoint(one.split(",")))
    return replace(settings, servers=(server, *others)[:_MOST_SERVERS])


def settings_file() -> Path:
    """Where they live on this system."""
    return Path(platformdirs.user_config_dir("clocktowers", appauthor=False)) / "settings.json"


def load(file: Path) -> Settings:
    """The settings in `file`, each broken or missing one as by default. Never raises.

    What another version has written is passed over where this one does not know it."""
    values = _values(file)
    settings: Settings = _each({**values, "drafts": None}, Settings)
    kept = values.get("drafts")
    drafts = {game: _each(one, Drafts) for game, one in kept.items()} if type(kept) is dict else {}
    return replace(settings, name=as_name(settings.name), drafts=drafts)


def _each(values: Any, kind: type[_Kept]) -> _Kept:
    """A struct of `kind`, each field that is broken or missing as by default."""
    kept = {}
    for field in msgspec.structs.fields(kind):
        with suppress(KeyError, TypeError, msgspec.ValidationError):
            kept[field.name] = msgspec.convert(values[field.name], field.type)
    return kind(**kept)


def _values(file: Path) -> dict[str, Any]:
    """What the file holds, unchecked; nothing where it cannot be read."""
    try:
        with file.open("rb") as source:
            return msgspec.json.decode(source.read(_MAX_BYTES), type=dict[str, Any])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def save(settings: Settings, file: Path, was: Settings | None = None) -> bool:
    """Whether it could be written. `was`: only what has changed since then is written, over what
    another program may have written. A reader never sees half a file. A key must not wait for the
    disk, so this does not go through `files.write`."""
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with locked(file, synced=False):
            if was is not None:
                there = load(file)
                if settings.servers != was.servers:
                    there = been_at(there, settings.servers[0])
                settings = replace(_over(there, was, settings), servers=there.servers)
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
            fresh.replace(file)
    except OSError:
        return False
    return True


def _over(there: Any, was: Any, now: Any) -> Any:
    """What is no longer as it `was`, over what is `there`; nothing goes from a list."""
    if now == was:
        return there
    if isinstance(now, Settings | Drafts) and was is not None:
        return type(now)(**_over(*map(asdict, (there, was, now))))
    if isinstance(now, dict):
        had = {**was, **there}
        return had | {key: _over(had.get(key), was.get(key), one) for key, one in now.items()}
    if isinstance(now, list):
        return there + [one for one in now if one not in there]
    return now


def as_name(text: str) -> str:
    """`text` as a name that servers take: clean, 1 to 20 cells; "" when nothing is left."""
    return cut(clean(text), MAX_NAME_CELLS).strip()


def called(settings: Settings) -> str:
    """The player's name; until they have said it, the name of the user who is logged in here."""
    return settings.name or _user_name()


def _user_name() -> str:
    try:
        return as_name(getpass.getuser()) or "Player"
    except (KeyError, OSError, ImportError):
        return "Player"
