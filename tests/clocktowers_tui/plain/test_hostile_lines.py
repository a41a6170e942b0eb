"""Any bytes at any place of plain mode: each line is answered, and nobody loses a match."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import split
from protocol.games.registry import GAMES
from protocol.text import clean
from tests.clocktowers_tui.plain.test_parity import places
from tests.stage.house import house
from tests.stage.typist import Typist, typing, visit

LINES = 60
LONGEST = 5000
WAYS_OUT = {"quit", "autoplay", "leave", "menu", "table", "wait", "host", "join", "lobby", "q", "w"}
"""They would end the random lines, or wait for somebody who never comes."""
PIECES = (
    *("1", "2", "99", "-1", "0x1", "٣", "9" * 5000, "new", "all", "end", "yes"),
    *("'", '"', "\\", "--", "--help", "--seats=", "--option x=", "{n}", "%s", "../../etc"),
    *("\0", "\x1b[2J", "\r", "\x04", "\x03", "\u202eevil", "a" * 70_000, " " * 3000, "ё" * 600),
    *("e3", "star", "wren"),
    *(b"\xff\xfe", "é".encode()[:1], "🏰".encode()[:3]),
)
SAID_AFTER = "There is no command xyzzy here"


async def goes_to(place: str, typist: Typist) -> None:
    """From the lobby."""
    match place:
        case "home":
            await typist.types("leave", "You are at the menu")
        case "matches":
            await typist.types("leave", "You are at the menu")
            await typist.types("matches", "You have no finished matches yet.")
        case "table":
            await typist.types("new clocktowers", "start begins the match")
        case "lobby":
            await typist.hears("new makes one")
        case _:
            flags = "--preset practice --seats 1" if place == "wild_wild_pattern" else "--bots 1"
            typist.type(f"new {place} {flags}", "start")
            await typist.hears("look tells")


def random_line(words: Sequence[str], rng: Random) -> bytes:
    """A command of the place, cut short or not, and pieces that mean something, or nothing."""
    word = rng.choice(words)[: rng.choice((2, 99))]
    whole = [rng.choice(PIECES) for _ in range(rng.randrange(4))]
    pieces = [word, *whole] if rng.random() < 0.9 else whole
    return b" ".join(one if isinstance(one, bytes) else one.encode() for one in pieces)


async def unanswered(place: str, typist: Typist) -> list[bytes]:
    """Random lines after which nothing is said, of those in which something is typed."""
    rng = Random(place)
    words = sorted({one.word for one in places()[place]} - WAYS_OUT)
    silent = []
    for _ in range(LINES):
        line, mark = random_line(words, rng), len(typist.lines)
        typist.type_bytes(line + b"\n")
        await typist.types("xyzzy", SAID_AFTER)
        nothing = not split(clean(line[:4000].decode("utf-8", "replace"))[:1000])
        if typist.lines[mark].startswith(SAID_AFTER) and not nothing:
            silent.append(line)
    return silent


@pytest.mark.parametrize("place", ["home", "matches", "lobby", "table", *GAMES])
async def test_each_line_is_answered(
    place: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    async with house() as at, typing(visit(at)) as typist:
        await goes_to(place, typist)
        here = type(typist.playing.place)
        assert await unanswered(place, typist) == []
        assert type(typist.playing.place) is here, "nothing leads away from the place"
        match = typist.client.state.match
        assert (match is not None and not match.aborted) is (place in GAMES)
        said = [char for char in typist.heard if not char.isprintable() and char != "\n"]
        assert not said and max(map(len, typist.lines)) < LONGEST


async def test_a_line_without_an_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a client that does not say what it cannot do, but for one word."""
    cannot = PlainClient.cannot

    def hardly(client: PlainClient, *sentences: str) -> None:
        if sentences[0].startswith(SAID_AFTER):
            cannot(client, *sentences)

    monkeypatch.setattr(PlainClient, "cannot", hardly)
    async with house() as at, typing(visit(at)) as typist:
        await goes_to("lobby", typist)
        assert await unanswered("lobby", typist)
