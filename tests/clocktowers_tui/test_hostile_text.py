"""Nothing that strangers write acts on a terminal: a server of bad will, the real program on a
pseudo-terminal, every byte that comes out, and what a terminal emulator makes of it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from bench.pseudo_terminal import ESC, PseudoTerminal, environment
from bench.terminal_bytes import CLIENT
from clocktowers_tui.net.seats import Seat, Seats
from tests.clocktowers_tui.hostile import harmless
from tests.clocktowers_tui.hostile_server import FAMILIES, HostileServer, Texts
from tests.clocktowers_tui.scripted_server import scripted

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

OURS: Final = re.compile(
    r"\x1b\[[\d;]*[ABCDGHKm]"
    r"|\x1b\[\?(?:7|25|1000|1004|1006|1049|2004|2026)[hl]|\x1b\[\?2026\$p"
    r"|\x1b\[>1u|\x1b\[<u|\x1b\[2[23];2t"
    r"|\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x07"
    r"|\r"
)
"""All that the client's own driver says: cells and cursor, its modes, the window's title. The bell
is off in this player's settings."""

MARK: Final = re.compile(r"\x1b\[(\d+)z")
"""A sequence that nobody else sends, with the number of a family."""

UNCLEANED: Final = (
    "-c",
    "import sys, protocol.text as text;"
    "text.clean = lambda typed: typed;"
    "from clocktowers_tui.__main__ import main; sys.exit(main())",
)
"""The same client with its cleaning function switched off."""


def texts(payload: str) -> Texts:
    """One for each family: its name, its mark, and what it tries; a table's code is sent back to
    the server, and longer ones than this the protocol does not let through."""
    said = {
        family: f"Q{family}\x1b[{number}z{payload}" for number, family in enumerate(FAMILIES, 1)
    }
    return {**said, "code": said["code"][:40]}


async def evening(home: Path, said: Texts, program: Sequence[str] = CLIENT) -> PseudoTerminal:
    """Through all that the server has to say, to the program's end; the terminal as it was left.

    `program` must show each family at least once, or this fails."""
    _leave_a_seat(home, said["seatfile"])
    server = HostileServer(said)
    async with scripted(server.script) as address:
        arguments = [*program, "join", str(address), "--name", "Ann"]
        terminal = PseudoTerminal.run(arguments, environment(str(home)), 320, 50)
        async with terminal:
            await _spend(terminal, server)
    return terminal


def _leave_a_seat(home: Path, text: str) -> None:
    """As some other program could have written it; and settings without a bell."""
    folder = home / ".local" / "state" / "clocktowers" / "seats"
    seats = Seats(folder)
    seat = Seat(host=text, port=7, name=text, match=text, table=text, game=text, token="11" * 32)
    seats.keep(seat)
    seats.release()
    settings = home / ".config" / "clocktowers" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"bell": false}')


async def _spend(terminal: PseudoTerminal, server: HostileServer) -> None:
    await _sees(terminal, "Qcode", "Qtitle", "Qname", "Qownname")
    terminal.press("\x1b[B")
    await _sees(terminal, "Qlevel")
    terminal.press("\r")
    await _sees(terminal, "Qrefusal")
    server.steps.release()
    await _sees(terminal, "Qgame", "Qlevel")
    server.steps.release()
    await _sees(terminal, "Next roof at", "Qcode", "Qname")
    terminal.press("L")
    await _sees(terminal, "Qnotice", "What happened")
    await _close(terminal)
    terminal.press("/")
    await _sees(terminal, "Qsaid", "Qspeaker", "Qphrase")
    await _close(terminal)
    server.steps.release()
    await _sees(terminal, "qsha")
    await _close(terminal)
    server.steps.release()
    await _sees(terminal, "Qgone", "New table")
    server.steps.release()
    await _sees(terminal, "Qgoodbye")
    terminal.press("\r")
    await _sees(terminal, "Play against bots", "Qseatfile")
    terminal.press("\x03\x03")
    assert await terminal.ends() == 0


async def _close(terminal: PseudoTerminal) -> None:
    """What lies on top, before the server goes on."""
    terminal.press(ESC)
    await terminal.settles()


async def _sees(terminal: PseudoTerminal, *words: str) -> None:
    await terminal.sees(*words)
    await terminal.settles()
    lines = terminal.screen.display
    for line in lines:
        assert harmless(line), line


def foreign(painted: bytes) -> list[str]:
    """What came out and is neither the driver's own nor to be read."""
    left = OURS.sub("", painted.decode())
    at = [n for n, char in enumerate(left) if unicodedata.category(char)[0] == "C"]
    found = [repr(left[n : n + 12]) for n in at]
    if re.search("[\u0300-\u036f]{3}", left):
        found.append("a pile of marks")
    return found


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
async def test_nothing_of_it_comes_out(home: Path, payload: str) -> None:
    terminal = await evening(home, texts(payload))
    assert not (found := foreign(terminal.painted)), found
    assert b"pwned\x07" not in terminal.painted and b"Traceback" not in terminal.painted
    if payload.startswith("[@click"):
        assert payload in terminal.painted.decode()


# Controls ----------------------------------------------------------------------------------------


async def test_without_the_cleaner_each_family_comes_out(home: Path) -> None:
    terminal = await evening(home, texts(""), UNCLEANED)
    assert foreign(terminal.painted)
    came = {FAMILIES[int(number) - 1] for number in MARK.findall(terminal.painted.decode())}
    assert came == set(FAMILIES)


@pytest.mark.parametrize("char", ["\x07", "\x9b", "\x1b", "\u202e", "\u200b"])
def test_a_foreign_character_is_found(char: str) -> None:
    assert foreign(f"\x1b[2;3Hrest{char}".encode())


@pytest.mark.parametrize("text", ["\x1b]0;x\x07", "\x1b]52;c;eA==\x07", "\x1b[2J", "\x1bPq\x1b\\"])
def test_a_foreign_sequence_is_found(text: str) -> None:
    assert foreign(text.encode())
    assert not foreign(b"\x1b[2;3H\x1b[1;38;5;7mrest\x1b]2;title\x07")
