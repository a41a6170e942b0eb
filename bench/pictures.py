"""Pictures of the client, the same every time: `python -m bench.pictures` makes the documents'.

`--all DIR` makes a picture of every screen in every size and language, `--looks` also in every
palette and set of characters, with all colours, 16 and none, to look through; with `rsvg-convert`
on the PATH also as PNG.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from textual.pilot import Pilot

from bench.scenes import SCENES, finished
from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.deeds import home
from clocktowers_tui.exporting.board import with_own_fonts
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches
from clocktowers_tui.net.journey import Journey
from clocktowers_tui.text import i18n

Size = tuple[int, int]

FOLDER: Final = Path(__file__).parent / "pictures"
SIZES: Final[tuple[Size, ...]] = ((60, 20), (80, 24), (100, 30), (140, 45))
_USUAL: Final[Size] = (80, 24)


class Picture(NamedTuple):
    scene: str
    size: Size
    look: Look = Look()
    language: str = "en"

    @property
    def name(self) -> str:
        width, height = self.size
        return "-".join((self.scene, f"{width}x{height}", *self.look, self.language))


KEPT: Final[Mapping[str, Picture]] = {
    "menu": Picture("home", (120, 40)),
    "lesson": Picture("lesson", (80, 24)),
    "match": Picture("four", (80, 24)),
    "large": Picture("four", (120, 40)),
    "ledger": Picture("four", (60, 20), Look(colours=Colours.NONE, glyphs=GlyphSet.ASCII)),
    "light": Picture("two", (80, 24), Look(Palette.LIGHT)),
    "towns": Picture("towns", (80, 24)),
    "towns-large": Picture("towns", (120, 40)),
    "race": Picture("race", (80, 24)),
    "race-large": Picture("declaring", (120, 40)),
}


def every(*, looks: bool) -> Iterator[Picture]:
    """All screens at all sizes, and in each language at the two smaller ones; `looks`: then each
    look at the usual size."""
    for scene in SCENES:
        yield from (Picture(scene, size) for size in SIZES)
        for language in i18n.languages():
            yield from (Picture(scene, size, language=language) for size in SIZES[:2])
        if looks:
            yield from (Picture(scene, _USUAL, Look(palette)) for palette in Palette)
            for colours in (Colours.TRUE, Colours.C16, Colours.NONE):
                for glyphs in GlyphSet:
                    yield Picture(scene, _USUAL, Look(Palette.DARK, colours, glyphs))


async def taken(picture: Picture) -> str:
    """The picture as SVG."""
    i18n.speak(picture.language)
    scene = SCENES[picture.scene]
    app = ClocktowersApp(Settings(name="Ann", known=[*FACES]), FACES, picture.look)
    for game in scene.kept:
        finished(game)
    nothing_waits = patch.object(home, "unfinished", list)
    with nothing_waits, patch.object(Journey, "teaches", scene.teaches):
        async with app.run_test(size=picture.size) as pilot:
            app.change(scene.state())
            await _settled(pilot)
            for key in scene.keys:
                await pilot.press(key)
                await pilot.pause(2 if scene.kept else 0)  # a program reads the match
            await _settled(pilot)
            svg = app.export_screenshot(title="Clocktowers")
    for game in scene.kept:
        matches.delete(game)
    return with_own_fonts(svg)


async def _settled(pilot: Pilot[None]) -> None:
    """Wait until everything is painted: workers change the screens."""
    for _ in range(5):
        await pilot.pause()
        await pilot.pause(0.02)


def take(picture: Picture, file: Path) -> None:
    svg = asyncio.run(taken(picture))
    file.write_text(svg, encoding="utf-8")
    if file.parent != FOLDER and (convert := shutil.which("rsvg-convert")) is not None:
        # It knows no `textLength`: blanks must stay, and letters be as wide as a cell.
        svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)
        svg = svg.replace("font-size: 20px", "font-size: 20.26px")
        width = str(picture.size[0] * 10)
        command = [convert, "-w", width, "-o", str(file.with_suffix(".png"))]
        subprocess.run(command, input=svg.encode(), check=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pictures", description=__doc__)
    parser.add_argument("--all", type=Path, metavar="DIR", help="every screen, into this folder")
    parser.add_argument("--looks", action="store_true", help="with --all: in every look")
    parser.add_argument("--only", default="", help="names that contain this")
    given = parser.parse_args()
    folder = given.all or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {one.name: one for one in every(looks=given.looks)} if given.all else KEPT
    with tempfile.TemporaryDirectory() as home:
        # The keys pressed here must not change somebody's settings.
        os.environ.update(
            dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), home),
            LOGNAME="ann",
        )
        for name, picture in wanted.items():
            if given.only in name:
                take(picture, folder / f"{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
