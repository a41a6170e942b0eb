"""Nothing that strangers write acts on a terminal: a server of bad will, the real program on a
pseudo-terminal, every byte that comes out, and what a terminal emulator makes of it.
"""

import asyncio
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from tests.clocktowers_tui.hostile_evening import (
    FAMILIES,
    THOROUGH,
    UNSEEN,
    Pace,
    Texts,
    evening,
    our_screens,
    visited,
)
from tests.stage.changed_client import changed, open_gate, uncleaned
from tests.stage.own_files import of_every_game
from tests.stage.pseudo_terminal import PseudoTerminal, environment
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.staged import CLIENT

PAYLOADS: Final[Mapping[str, str]] = {
    "controls": "".join(map(chr, [*range(32), *range(127, 160)])),
    "sequences": (
        "\x1b]0;pwned\x07\x1b]0;pwned\x1b\\\x1b]8;;http://evil.example\x07\x1b]52;c;cHduZWQ=\x07"
        "\x1b]52;c;cHduZWQ=\x1b\\\x1b[2J\x1b[31m\x1b[6n\x1b[5i\x1bP1$q\x1b\\\x9b31m\x9d0;x\x9c\x07"
    ),
    "looks": (
        "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u202c\u200b\u200c\u200d\u2060\ufeff"
        + ("a" + "\u0301" * 50 + "鐘" * 12)
    ),
    "markup": "[@click=app.quit]x[/][red]y[/nope][[z]{name}",
}
"""By what they try."""

BY_EVENING: Final = {
    "what acts": PAYLOADS["controls"] + PAYLOADS["sequences"],
    "what shows": PAYLOADS["markup"] + PAYLOADS["looks"],
}
PACES: Final = [Pace.MATCH, pytest.param(Pace.USUAL, marks=pytest.mark.soak)]
"""For evenings whose point is not where a text is from."""
FIRST, *OTHERS = of_every_game("senseless", "SAMPLE")
"""The first is what an evening plays unless told otherwise."""
A_BIT_OF_ALL: Final = "\x1b[2J\x9b6n\x07\u202e[@click=app.quit]x[/]"
"""Short enough for the places that cut a text."""

OURS: Final = re.compile(
    r"\x1b\[[\d;]*[ABCDGHKm]"
    r"|\x1b\[\?(?:7|25|1000|1004|1006|1049|2004|2026)[hl]|\x1b\[\?2026\$p"
    r"|\x1b\[>1u|\x1b\[<u|\x1b\[2[23];2t"
    r"|\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x07"
    r"|\r"
)
"""What the client's own driver says: cells and cursor, its modes, the window's title. The bell
is off in this player's settings."""

MARK: Final = re.compile(r"\x1b\[(\d+)z")
"""A sequence that nobody else sends, with the number of a family."""


def texts(payload: str) -> Texts:
    """One for each family: its name, its mark, and what it tries; a table's code is sent back to
    the server, and longer ones than this the protocol does not let through."""
    said = {
        family: f"Q{family}\x1b[{number}z{payload}" for number, family in enumerate(FAMILIES, 1)
    }
    return {**said, "code": said["code"][:40]}


def foreign(painted: bytes) -> list[str]:
    """What came out and is neither the driver's own nor to be read."""
    left = OURS.sub("", painted.decode())
    at = [n for n, char in enumerate(left) if unicodedata.category(char)[0] == "C"]
    found = [repr(left[n : n + 12]) for n in at]
    if re.search("[\u0300-\u036f]{3}", left):
        found.append("a pile of marks")
    return found


@pytest.mark.parametrize("showing", PACES)
async def test_the_cleaner_lets_nothing_of_it_come_out(home: Path, showing: Pace) -> None:
    """In the games that the evenings below do not play, side by side: most of one is waiting."""
    paces = {"what acts": Pace.USUAL, "what shows": showing}
    async with asyncio.TaskGroup() as group:
        evenings = {
            what: group.create_task(
                evening(home / what, texts(payload), open_gate, pace=paces[what], sample=sample)
            )
            for (what, payload), sample in zip(BY_EVENING.items(), OTHERS, strict=True)
        }
    for what, task in evenings.items():
        painted = task.result().painted
        assert not (found := foreign(painted)), (what, found)
        assert b"pwned\x07" not in painted and b"Traceback" not in painted
    assert PAYLOADS["markup"] in evenings["what shows"].result().painted.decode()


async def test_nothing_comes_out_on_any_screen(home: Path) -> None:
    terminal = await evening(home, texts(A_BIT_OF_ALL), pace=Pace.THOROUGH)
    assert not (found := foreign(terminal.painted)), found
    assert b"Traceback" not in terminal.painted
    assert not _kept(home)
    # A cover says what comes from the player's own server, to which no stranger is let.
    # A review's page is a page like that of the log, and a match by mail is drawn by What if.
    needed = (our_screens() | {"Pages"}) - {"Cover", "ReviewPages", "ByMailScreen"}
    assert not needed - visited(home), "the evening has to go there, too"


@pytest.mark.parametrize("pace", PACES)
async def test_the_gate_lets_no_sequence_come_out(home: Path, pace: Pace) -> None:
    """It knows frames, not where a text in them is from.

    Signs that turn the line around are the cleaner's alone, and show that it is off."""
    terminal = await evening(home, texts(PAYLOADS["sequences"] + "\u202e"), uncleaned, pace=pace)
    found = foreign(terminal.painted)
    assert found and all(one.startswith("'\\u202e") for one in found), found
    assert _kept(home)


def _kept(home: Path) -> bool:
    """Whether the client has noted that its gate had something to do."""
    logs = home.rglob("client.log")
    return any("were kept from the terminal" in log.read_text() for log in logs)


TURNED_AWAY: Final = Goodbye(
    GoodbyeCode.ADDRESS_FULL, {"limit": "Qdoor" + "".join(PAYLOADS.values())}
)


async def turned_away(home: Path, program: Sequence[str]) -> PseudoTerminal:
    """At the door, where the sentence is printed and no screen is taken."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(TURNED_AWAY)

    async with scripted(script) as address:
        arguments = [*program, "join", str(address), "--name", "Ann"]
        async with PseudoTerminal.run(arguments, environment(str(home)), 320, 50) as terminal:
            assert await terminal.ends() == 2
    assert b"Qdoor" in terminal.painted
    return terminal


async def test_nor_at_the_door(home: Path) -> None:
    assert not foreign((await turned_away(home, CLIENT)).painted.replace(b"\r\n", b""))


# Controls ----------------------------------------------------------------------------------------


async def test_at_the_door_the_cleaner_stands_alone(home: Path) -> None:
    assert foreign((await turned_away(home, changed(uncleaned))).painted.replace(b"\r\n", b""))


async def test_without_cleaner_and_gate_each_family_comes_out(home: Path) -> None:
    terminal = await evening(home, texts(""), uncleaned, open_gate)
    assert foreign(terminal.painted)
    came = {FAMILIES[int(number) - 1] for number in MARK.findall(terminal.painted.decode())}
    assert came == set(FAMILIES) - UNSEEN - THOROUGH


@pytest.mark.parametrize("char", ["\x07", "\x9b", "\x1b", "\u202e", "\u200b"])
def test_a_foreign_character_is_found(char: str) -> None:
    assert foreign(f"\x1b[2;3Hrest{char}".encode())


@pytest.mark.parametrize("text", ["\x1b]0;x\x07", "\x1b]52;c;eA==\x07", "\x1b[2J", "\x1bPq\x1b\\"])
def test_a_foreign_sequence_is_found(text: str) -> None:
    assert foreign(text.encode())
    assert not foreign(b"\x1b[2;3H\x1b[1;38;5;7mrest\x1b]2;title\x07")
