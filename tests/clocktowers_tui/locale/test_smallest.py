"""On the smallest terminal, with the fewest glyphs: it has every glyph that is drawn, and what a
board says takes one line."""

import pytest
from textual.widgets import Static

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.screens.inviting import show_invitation
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.text.i18n import _, languages, speak
from protocol.text import cells
from protocol.ways import Ways
from tests.stage.language_walk import GAMES, KNOWN, walk
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees

ROOM = SMALL[0] - 2
LANGUAGES = pytest.mark.parametrize("code", sorted(languages()))
WALKED = [
    ("it", True),
    ("nl", True),
    *(pytest.param(code, False, marks=pytest.mark.soak) for code in sorted(languages())),
]
"""`make soak` walks all the way, and in English as well: what is drawn is the same, and its texts
are shorter."""


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
        async for stage in walk(player, short=short):
            if found := foreign(seen(player[0])):
                strange[stage] = found
            # What the server refuses may take two lines: it has to name what is in the way.
            if longer(player) and not stage.startswith("sentences: "):
                long[stage] = seen(player[0]).splitlines()[-2:]
    assert not strange
    assert not long


@LANGUAGES
async def test_how_friends_come_has_room(code: str) -> None:
    """By an invitation with a public and a near address, a page, and SSH with its key unbroken."""
    speak(code)
    line, key = "ct:" + "0J3W" * 24, "SHA256:" + "x" * 43
    ways = Ways(
        line, "https://192.168.100.200:17777/#" + "0J3W" * 6, ("192.168.100.200", 17777), key
    )
    async with playing(size=SMALL) as player:
        player[0].run_worker(show_invitation(player[0], ways, "K7QM"))
        await sees(player, line[-8:], key, "K7QM", _("Copy the lines for SSH"))
        await press(player, "end", "enter")
        copied = player[0].clipboard.splitlines()
        assert copied[0] == "ssh -t NAME@192.168.100.200 -p 17777 K7QM"
        assert copied[1].endswith(key) and len(copied) == 2


@LANGUAGES
def test_so_is_why_a_key_does_nothing(code: str) -> None:
    speak(code)
    said = [sentence for game in GAMES for sentence in game.remarks()]
    assert said and not [sentence for sentence in said if cells(sentence) > ROOM]
