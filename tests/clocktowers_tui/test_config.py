"""What a player has set comes back as it went and never stands in the way; themes."""

import errno
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.app.styled import ALL_THEMES, THEMES, theme_of
from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.settings import (
    Draft,
    Drafts,
    Settings,
    as_name,
    been_at,
    filled_in,
    knowing,
)
from protocol.text import MAX_NAME_CELLS, cells, clean

DRAFTS = {
    "clocktowers": Drafts(solo=Draft(seats=2, levels=("easy",))),
    "other": Drafts(table=Draft(title="fen")),
}


def test_they_come_back(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "settings.json"
    kept = Settings(name="Björn", servers=("[::1]:7777",), drafts=DRAFTS)
    assert settings.save(kept, file)
    assert settings.load(file) == kept
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


def test_two_programs_on_one_file_write_only_what_each_has_changed(tmp_path: Path) -> None:
    """Nor is a name that was given for one evening kept."""
    file, called = tmp_path / "settings.json", Settings(name="Once")
    assert settings.save(replace(called, bell=False), file, called)
    assert settings.load(file) == Settings(bell=False)
    servers = tuple("abcdefgh")
    both = Settings(known=["one"], lessons={"one": 3}, drafts=DRAFTS, servers=servers)
    assert settings.save(both, file)
    host, learner = replace(both, name="Bo"), replace(both, lessons={"one": 3, "two": 1})
    host = filled_in(been_at(host, "new"), "clocktowers", Draft(title="x"), solo=False)
    learner = filled_in(been_at(learner, "c"), "clocktowers", Draft(seats=3), solo=True)
    for one in (knowing(host, "two"), knowing(learner, "three")):
        assert settings.save(one, file, both)
    now = settings.load(file)
    assert (now.name, now.known) == ("Bo", ["one", "two", "three"])
    assert now.servers == ("c", "new", *"abdefg")
    assert now.lessons == {"one": 3, "two": 1}
    assert now.drafts["clocktowers"] == Drafts(solo=Draft(seats=3), table=Draft(title="x"))


ONE_DRAFT = '{"drafts": {"one": {"solo": {"seats": "x"}, "table": {"title": "fen"}}, "two": 3}}'
BELL = '{"name": "Bo", "palette": "mauve", "bell": "loud", "title": false, "new": [1]}'
NAME = '{"name": 3, "servers": ["[::1]"], "colours": "16", "glyphs": 7, "language": "it"}'


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        *((broken, Settings()) for broken in ("", "{", "[]", "\xff", "[" * 100_000)),
        ('{"drafts": [1], "game": {}, "name": 3}', Settings()),
        (ONE_DRAFT, Settings(drafts={"one": Drafts(table=Draft(title="fen")), "two": Drafts()})),
        (BELL, Settings(name="Bo", title=False)),
        (NAME, Settings(servers=("[::1]",), colours=Colours.C16, language="it")),
        ('{"name": "\\u001b[2J\\u202e", "unknown": 1}', Settings(name="[2J")),
        ('{"name": "\\u202e"}', Settings()),
    ],
)
def test_each_broken_one_is_as_by_default(tmp_path: Path, content: str, kept: Settings) -> None:
    file = tmp_path / "settings.json"
    file.write_text(content, "latin-1")
    assert settings.load(file) == kept


def test_each_game_keeps_its_own_drafts() -> None:
    kept = filled_in(Settings(drafts=DRAFTS), "other", Draft(seats=1), solo=True)
    assert kept.game == "other"
    assert kept.drafts["clocktowers"] == DRAFTS["clocktowers"]
    assert kept.drafts["other"] == Drafts(solo=Draft(seats=1), table=Draft(title="fen"))


def test_a_folder_that_cannot_be_held_keeps_them_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where homes lie on a network."""
    held = Mock(side_effect=OSError(errno.EBADF, "no locks here"))
    monkeypatch.setattr("fcntl.flock", held)
    assert settings.save(Settings(name="Bo"), tmp_path / "settings.json") and held.called
    assert settings.load(tmp_path / "settings.json").name == "Bo"


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert not settings.save(Settings(), blocked / "settings.json")
    assert settings.load(blocked / "settings.json") == Settings()


def test_a_user_without_a_name_is_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getuid", lambda: 2**31)
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(variable, raising=False)
    assert settings.called(Settings()) == "Player"


@given(st.text())
def test_names_are_what_servers_take(typed: str) -> None:
    name = as_name(typed)
    assert name == clean(name)
    assert cells(name) <= MAX_NAME_CELLS


# Themes, with as few colours as the look may have -------------------------------------------------


def test_every_palette_has_a_theme_of_its_own() -> None:
    assert set(THEMES) == set(Palette)
    assert len(ALL_THEMES) == len(Palette) + 1
    for palette in Palette:
        assert theme_of(Look(palette)) == f"clocktowers-{palette}"


def test_few_colours_are_never_mixed_with_many_and_without_colours_there_is_not_one() -> None:
    for palette in Palette:
        for colours in Colours:
            look = Look(palette, colours)
            assert ALL_THEMES[theme_of(look)].ansi == look.ansi, look
        plain = ALL_THEMES[theme_of(Look(palette, Colours.NONE))]
        used = {plain.primary, plain.foreground, plain.background, *plain.variables.values()}
        assert used == {"ansi_default"}
