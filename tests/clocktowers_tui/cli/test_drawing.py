"""A finished match as text, as a picture and as a recording: what the real board shows."""

import asyncio
import json
import re
import stat
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, GlyphSet, Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.exporting import Drawn
from clocktowers_tui.exporting.board import (
    LARGE,
    LEAST_S,
    MOST_S,
    USUAL,
    CastFrame,
    UnseenReplay,
    as_cast,
    as_svg,
    as_text,
    cast,
    staged,
)
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept
from server.games.registry import GAMES
from tests.clocktowers_tui.cli.test_history import one_sentence, run, well
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.emulator import emulator
from tests.stage.pilot import strips_of

DRAWN = Drawn(Settings(name="Ann"), Look())
PIECES = {
    "clocktowers": "tower 1",
    "architetti_attenti": "row by row",
    "wild_wild_pattern": "wheel",
}
every_game = pytest.mark.parametrize("game", GAMES)


def kept(game: str, me: int | None = 0, **changed: object) -> Kept:
    matches.keep("m1", packed({**played("m1", game), **changed}), me, 1_700_000_000)
    found = matches.of("m1")
    assert found is not None
    return found


# Cast --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", ["clocktowers", pytest.param("architetti_attenti", marks=pytest.mark.soak)]
)
def test_a_recording_ends_with_what_the_board_shows(game: str) -> None:
    one = kept(game)

    async def last(stage: UnseenReplay) -> list[str]:
        await stage.turn_to(stage.last)
        assert isinstance(stage.app, ClocktowersApp)
        return [strip.text.rstrip() for strip in strips_of(stage.app)]

    board = asyncio.run(staged(one, DRAWN, USUAL, last))
    drawn = list[tuple[int, int]]()
    told = as_cast(one, DRAWN, lambda *plies: drawn.append(plies))
    header, *events = map(json.loads, told.splitlines())
    plies = len(played("m1", game)["plies"])
    assert drawn == [(ply, plies) for ply in range(plies + 1)]
    assert (header["version"], header["width"], header["height"]) == (2, *USUAL)
    assert header["timestamp"] == 1_700_000_000 and "Bot 1" in header["title"]
    screen, stream = emulator(*USUAL)
    for at_s, code, text in events:
        assert isinstance(at_s, float) and code == "o" and isinstance(text, str)
        stream.feed(text)
    assert [line.rstrip() for line in screen.display] == board
    assert "\x1b[?1049l" in events[-1][2] and not screen.cursor.hidden
    assert any("wins" in line or "share" in line for line in board)
    times = [at_s for at_s, _code, _text in events]
    assert times[0] == 0 and times == sorted(times)
    assert len(events) == plies + 2, "the deal, each ply, the end"


def test_a_recording_lasts_as_long_as_it_takes_to_read() -> None:
    frames = [CastFrame(at_ms, "x") for at_ms in (0, 10, 2010, 90_000)]
    _header, *events = map(json.loads, cast(frames, USUAL, "x", 0).splitlines())
    first = [round(LEAST_S, 3), round(LEAST_S + 2, 3), round(LEAST_S + 2 + MOST_S, 3)]
    assert [at_s for at_s, *_rest in events[:-1]] == [0.0, *first]


# Text and picture --------------------------------------------------------------------------------


@every_game
def test_the_text_has_the_result_and_the_board(game: str) -> None:
    one = kept(game)
    text = as_text(one, DRAWN)
    lines = text.splitlines()
    assert lines[0].startswith(("Clocktowers  2023", "Architetti Attenti  2023", "Wild Wild"))
    assert "Bot 1" in lines[2] or "Bot 2" in lines[2]
    assert all(line == line.rstrip() and line.isprintable() for line in lines)
    assert max(map(len, lines[1:])) <= 80 and len(lines) > 30
    assert "\x1b" not in text and not text.isascii()


@every_game
def test_the_picture_is_whole_asks_nobody_for_fonts_and_says_what_it_shows(game: str) -> None:
    svg = as_svg(kept(game), DRAWN)
    # A block of DejaVu reaches 0.928 em up and 0.236 em down: it fills its row, or there are seams.
    size = float(re.findall(r"font-size: ([\d.]+)px;\s+line-height", svg)[0])
    cut = re.findall(r'<rect x="0" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/>', svg)
    tops, (height,) = {float(top) for top, _ in cut}, {float(height) for _, height in cut}
    lines = {float(y) for y in re.findall(r'<text class="[^"]*-r\d+"[^>]* y="([\d.]+)"', svg)}
    assert all(min(abs(y - 0.928 * size - top) for top in tops) < 0.1 for y in lines)
    assert len(lines) > 30 and (0.928 + 0.236) * size > height
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg") and "@font-face" not in svg and "url(http" not in svg
    said = "".join(root.itertext()).replace("\xa0", " ")
    assert "textLength" not in svg, "which not all programs know: each letter has its place"
    letters = [tspan for tspan in root.iter() if tspan.tag.endswith("tspan")]
    assert len(letters) > 300 and all(len(one.text or "") == 1 for one in letters)
    assert "Bot 1" in said and ("wins" in said or "share" in said)
    rows = {text.get("y") for text in root.iter() if text.get("clip-path", "").find("line-") > 0}
    assert len(rows) > LARGE[1] // 2
    # To who cannot see it: the sentences of plain mode.
    title, sentences = (root[at].text or "" for at in (0, 1))
    assert [one.tag.rpartition("}")[2] for one in root[:2]] == ["title", "desc"]
    assert "Bot 1" in title and root.get("role") == "img"
    assert PIECES[game] in sentences.lower()


def test_a_hostile_name_stays_a_name() -> None:
    seats = [{"name": "\x1b[2J<b>&\n", "kind": "human"}, {"name": "Wren", "kind": "bot"}]
    one = kept("architetti_attenti", seats=seats)
    text = as_text(one, Drawn(Settings(), Look(colours=Colours.NONE, glyphs=GlyphSet.ASCII)))
    assert "\x1b" not in text and text.isascii(), "in the characters that are asked for"
    ElementTree.fromstring(as_svg(one, DRAWN))


# The command -------------------------------------------------------------------------------------


def test_each_form_goes_to_a_file_that_only_its_owner_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept("clocktowers")
    for form, suffix in (("text", "txt"), ("svg", "svg"), ("png", "png")):
        assert well(run("export", "m1", "--as", form, "-o", str(tmp_path))) == ""
        [file] = tmp_path.glob(f"clocktowers-*-m1.{suffix}")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert re.match("Clocktowers ", well(run("export", "--all", "--as", "text")))
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    one_sentence(run("export", "m1", "--as", "png"), "A PNG needs resvg_py, which is not installed")


def test_pictures_of_several_matches_need_a_folder() -> None:
    kept("clocktowers")
    matches.keep("m2", packed({**played("m2")}), 0, 1000)
    one_sentence(run("export", "--all", "--as", "svg"), "name a folder: -o FOLDER")
