"""All screens in other languages: nothing is left in English, nothing is cut off at 80x24; on the
smallest terminal, with the fewest glyphs, every glyph is there and what a board says takes one
line.

A stage is added to `walk` for what is new: a screen that no stage shows fails the test.
"""

import re
from typing import NamedTuple, TypeAlias

import pytest
from textual.widgets import Static

from clocktowers_tui.cli.commands import read
from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.dialogs import show_invitation
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.text.i18n import _, catalogue, languages, speak, speak_from
from protocol.invitation import Ways
from protocol.text import cells
from tests.clocktowers_tui.hostile_evening import our_screens
from tests.clocktowers_tui.locale.marked import Pseudo, clipped, untranslated
from tests.clocktowers_tui.locale.walk import GAMES, KNOWN, walk
from tests.stage.pilot import SMALL, Playing, playing, press, seen, seen_on_top, sees, until

ROOM = SMALL[0] - 2
COVERS = "history: review, before M"
"""What a mistake cost lies on the board's last row."""
WALKED = [
    ("it", True),
    *(pytest.param(code, False, marks=pytest.mark.soak) for code in sorted(languages())),
]
"""`make soak` walks all the way, and in every language: what is drawn is the same, and the texts of
the other languages are hardly longer."""
CATALOGUES = {code: catalogue(code) for code in sorted(languages())}

Found: TypeAlias = dict[str, str]
"""The fault → the stage at which it was seen first."""


class Walked(NamedTuple):
    clipped: Found
    untranslated: Found
    screens: set[str]


async def walked() -> Walked:
    """The faults that the walk finds in the spoken language, and the screens it has seen."""
    result = Walked({}, {}, set())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", "/0")  # the settings show it: no words, one line
        async with playing() as player:

            def look(stage: str) -> None:
                screen = seen_on_top(player[0])
                result.screens.add(type(player[0].screen).__name__)
                covers = stage == COVERS or "review, " in stage  # a verdict lies on the log
                for fault in () if covers else clipped(screen):
                    result.clipped.setdefault(fault, stage)
                for fault in untranslated(screen, KNOWN):
                    result.untranslated.setdefault(fault, stage)

            await walk(player, look)
    return result


def in_lines(found: Found) -> str:
    return "\n" + "\n".join(f"{stage:30} {fault}" for fault, stage in found.items())


async def test_all_is_translated_and_whole() -> None:
    speak_from(Pseudo([*CATALOGUES.values()]), "qps")
    found = await walked()
    assert not found.untranslated, in_lines(found.untranslated)
    assert not found.clipped, in_lines(found.clipped)
    assert not our_screens() - found.screens, "the walk has to go there, too"


def test_faults_are_seen_on_a_screen() -> None:
    assert untranslated("Go: ⟦Ĵóíń⟧  Wren", KNOWN) == ["Go"]
    whole, no_end, no_begin = "| ⟦Ĵóíń⟧ ⟦Ɠó⟧ |", "| ⟦Ĵóíń |", "| Ĵóíń⟧ |"
    assert clipped("\n".join((whole, no_begin, whole, no_end))) == [no_end, no_begin]


@pytest.mark.parametrize("command", ["", "solo", "today", "learn", "join", "host"])
def test_so_is_the_help_of_the_command_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    speak_from(Pseudo(), "qps")
    with pytest.raises(SystemExit):
        read([*command.split(), "--help"])
    said = capsys.readouterr().out
    # What is typed as it stands.
    said = re.sub(r"--?[a-z]+|\b[A-Z]{3,}\b|\{[a-z0-9,]+\}", "", said)
    commands = [
        *("clocktowers", "solo", "today", "learn", "join"),
        *("host", "waiting", "history", "replay", "review", "keys", "move"),
    ]
    assert untranslated(said, [*commands, *FACES]) == []


# Small, and in ASCII -----------------------------------------------------------------------------


def foreign(screen: str) -> set[str]:
    """What a terminal for ASCII cannot show, but for letters of people's names."""
    return {char for char in screen if not char.isascii()} - set("".join(KNOWN))


def longer(player: Playing) -> bool:
    """Whether something is said that takes the board's last row as well."""
    screen = player[0].screen
    return isinstance(screen, MatchScreen) and screen.query_one("#said", Static).size.height > 1


@pytest.mark.parametrize(("code", "short"), WALKED)
async def test_all_is_ascii_and_what_a_board_says_is_one_line(code: str, short: bool) -> None:
    speak(code)
    strange, long = {}, {}
    async with playing(look=Look(glyphs=GlyphSet.ASCII), size=SMALL) as player:

        def look(stage: str) -> None:
            if found := foreign(seen(player[0])):
                strange[stage] = found
            # What the server refuses may take two lines: it has to name what is in the way.
            if longer(player) and not stage.startswith("sentences: "):
                long[stage] = seen(player[0]).splitlines()[-2:]

        await walk(player, look, short=short)
    assert not strange
    assert not long


@pytest.mark.parametrize("code", CATALOGUES)
async def test_how_friends_come_has_room(code: str) -> None:
    """By an invitation with a public and a near address, a page, and SSH with its key unbroken."""
    speak(code)
    line, key = "ct:" + "0J3W" * 24, "SHA256:" + "x" * 43
    ways = Ways(
        line, "https://192.168.100.200:17777/#" + "0J3W" * 6, ("192.168.100.200", 17777), key
    )
    async with playing(size=SMALL) as player:
        short = "clocktowers join 192.168.100.200:17777 --table K7QM"
        asked = player[0].run_worker(show_invitation(player[0], ways, "K7QM", [short]))
        await sees(player, short, key, "K7QM", _("Copy the lines for SSH"))
        assert "ct:" not in seen(player[0])  # nor a part of what has no room
        await press(player, "end", "up", "enter")
        await until(player[1], lambda: bool(asked.result))
        copied = str(asked.result).splitlines()
        assert copied[0] == f"ssh -t {_('NAME')}@192.168.100.200 -p 17777 K7QM"
        assert copied[1].endswith(key) and len(copied) == 2


@pytest.mark.parametrize("code", CATALOGUES)
def test_so_is_why_a_key_does_nothing(code: str) -> None:
    speak(code)
    said = [sentence for game in GAMES for sentence in game.remarks()]
    assert said and not [sentence for sentence in said if cells(sentence) > ROOM]
