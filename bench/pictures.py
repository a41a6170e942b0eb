"""Pictures of the client, the same every time: `python -m bench.pictures` makes the documents'.

`--all DIR` makes a picture of every screen in every size, palette, number of colours, set of
characters and language, to look through; with `rsvg-convert` on the PATH also as PNG.
"""

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace
from textual.pilot import Pilot

from bench.staging import YOU, Staged
from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.state.lobby import Lobby
from clocktowers_tui.state.store import State
from clocktowers_tui.text import i18n
from protocol.games.wild_wild_pattern import Phase
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase

Size = tuple[int, int]

FOLDER: Final = Path(__file__).parent / "pictures"
SIZES: Final[tuple[Size, ...]] = ((60, 20), (80, 24), (120, 40), (200, 60))
_FONT: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_PLIES: Final = 76
_END: Final = 10_000
_TOWNS: Final = "architetti_attenti"
_BUILT: Final = 120
_RACE: Final = "wild_wild_pattern"
_RACED: Final = 80


class Scene(NamedTuple):
    """What the client believes, and the keys that are pressed then."""

    state: Callable[[], State]
    keys: tuple[str, ...] = ()


class Picture(NamedTuple):
    scene: str
    size: Size
    look: Look = Look()
    language: str = "en"

    @property
    def name(self) -> str:
        width, height = self.size
        return "-".join((self.scene, f"{width}x{height}", *self.look, self.language))


def _match(seats: int, number: int, plies: int, game: str = "clocktowers") -> Callable[[], State]:
    def state() -> State:
        staged = Staged(seats, number, game=game)
        staged.play(plies)
        return staged.client_state()

    return state


def _race(phase: Phase) -> Callable[[], State]:
    """A match of four, late, at the first moment when it is the player's turn."""

    def state() -> State:
        staged = Staged(4, 32, game=_RACE)
        while staged.plies < _RACED or staged.view().phase is not phase or staged.to_act() != YOU:
            staged.play_one()
        shown = staged.client_state()
        assert shown.match is not None
        # A running clock would change the picture every second.
        view = replace(shown.match.view, due_ms=None)
        return replace(shown, match=replace(shown.match, view=view))

    return state


def _lobby() -> State:
    people = [SeatInfo(kind=SeatKind.HUMAN, name=name) for name in ("Björn", "Chiara")]
    bot, free = SeatInfo(kind=SeatKind.BOT, name="Wren", level="hard"), SeatInfo(kind=SeatKind.FREE)
    rows = (
        ("7F3K", "Thursday", TablePhase.WAITING, [people[0], free]),
        ("M2PX", "After supper", TablePhase.PLAYING, [*people, bot]),
        ("Q8TN", "", TablePhase.ENDED, [people[1], bot, bot, free]),
    )
    tables = tuple(
        TableInfo(table=code, game="clocktowers", title=title, phase=phase, seats=seats, options={})
        for code, title, phase, seats in rows
    )
    at_match = _match(2, 1, 0)()
    return State(connection=at_match.connection, lobby=Lobby(tables, 0, len(tables)))


SCENES: Final[Mapping[str, Scene]] = {
    "home": Scene(State),
    "settings": Scene(State, ("S",)),
    "rules": Scene(State, ("B",)),
    "lobby": Scene(_lobby, ("down",)),
    "form": Scene(_lobby, ("n",)),
    "two": Scene(_match(2, 5, 80), ("1",)),
    "three": Scene(_match(3, 6, _PLIES), ("1",)),
    "four": Scene(_match(4, 21, _PLIES), ("1",)),
    "help": Scene(_match(4, 21, _PLIES), ("question_mark",)),
    "palette": Scene(_match(4, 21, _PLIES), ("colon",)),
    "result": Scene(_match(4, 21, _END)),
    "towns": Scene(_match(4, 21, _BUILT, _TOWNS), ("2",)),
    "alone": Scene(_match(1, 5, _BUILT // 2, _TOWNS), ("1",)),
    "another-town": Scene(_match(4, 21, _BUILT, _TOWNS), ("o",)),
    "towns-help": Scene(_match(4, 21, _BUILT, _TOWNS), ("question_mark",)),
    "towns-result": Scene(_match(4, 21, _END, _TOWNS)),
    "towns-end": Scene(_match(4, 21, _END, _TOWNS), ("escape",)),
    "race": Scene(_race(Phase.RACE)),
    "declaring": Scene(_race(Phase.DECLARE), ("a", "3")),
    "bank": Scene(_race(Phase.READY), ("d",)),
    "race-help": Scene(_race(Phase.RACE), ("question_mark",)),
    "race-result": Scene(_match(4, 21, _END, _RACE)),
}

KEPT: Final[Mapping[str, Picture]] = {
    "match": Picture("four", (80, 24)),
    "large": Picture("four", (120, 40)),
    "ledger": Picture("four", (60, 20), Look(colours=Colours.NONE, glyphs=GlyphSet.ASCII)),
    "light": Picture("two", (80, 24), Look(Palette.LIGHT)),
    "towns": Picture("towns", (80, 24)),
    "towns-large": Picture("towns", (120, 40)),
    "race": Picture("race", (80, 24)),
    "race-large": Picture("declaring", (120, 40)),
}


def every() -> Iterator[Picture]:
    """All screens at all sizes, then each look and language at the usual size."""
    for scene in SCENES:
        yield from (Picture(scene, size) for size in SIZES)
        yield Picture(scene, (80, 24), language="it")
        for palette in Palette:
            yield Picture(scene, (80, 24), Look(palette))
        for colours in Colours:
            for glyphs in GlyphSet:
                yield Picture(scene, (80, 24), Look(Palette.DARK, colours, glyphs))


async def taken(picture: Picture) -> str:
    """The picture as SVG."""
    i18n.speak(picture.language)
    app = ClocktowersApp(Settings(name="Ann", played=True), FACES, picture.look)
    scene = SCENES[picture.scene]
    async with app.run_test(size=picture.size) as pilot:
        app.change(scene.state())
        await _settled(pilot)
        for key in scene.keys:
            await pilot.press(key)
        await _settled(pilot)
        svg = app.export_screenshot(title="Clocktowers")
    # The SVG names fonts on somebody's server, and a picture should not ask there.
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg)
    return svg.replace("Fira Code", _FONT)


async def _settled(pilot: Pilot[None]) -> None:
    """Wait until everything is painted: workers change the screens."""
    for _ in range(5):
        await pilot.pause()
        await pilot.pause(0.02)


def take(picture: Picture, file: Path) -> None:
    file.write_text(asyncio.run(taken(picture)), encoding="utf-8")
    if file.parent != FOLDER and (convert := shutil.which("rsvg-convert")) is not None:
        width = str(picture.size[0] * 10)
        command = [convert, "-w", width, str(file), "-o", str(file.with_suffix(".png"))]
        subprocess.run(command, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pictures", description=__doc__)
    parser.add_argument("--all", type=Path, metavar="DIR", help="every screen, into this folder")
    parser.add_argument("--only", default="", help="names that contain this")
    given = parser.parse_args()
    folder = given.all or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {one.name: one for one in every()} if given.all else KEPT
    with tempfile.TemporaryDirectory() as home:
        # The keys pressed here must not change somebody's settings.
        os.environ.update(
            dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), home)
        )
        for name, picture in wanted.items():
            if given.only in name:
                take(picture, folder / f"{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
