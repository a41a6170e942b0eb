"""What is typed, however wrong, gets a sentence, and nobody loses a match; what is said is text and
nothing else."""

import asyncio
import io
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest

from clocktowers_tui.plain.lines import Saying
from clocktowers_tui.plain.place import split
from protocol.from_client import Join, Leave
from protocol.from_server import Notice, NoticeCode
from protocol.games.registry import GAMES
from protocol.text import clean
from tests.clocktowers_tui.plain.test_commands import places
from tests.stage.house import READY, START, House, Peer, house
from tests.stage.typist import Typist, typing, visit

LIMIT_S = 60
PROGRAM = ("-m", "clocktowers_tui")


def plainly(
    *arguments: str, typed: str | IO[str] = "", program: Sequence[str] = PROGRAM
) -> "subprocess.CompletedProcess[str]":
    given: dict[str, Any] = {"input" if isinstance(typed, str) else "stdin": typed}
    return subprocess.run(
        [sys.executable, "-P", *program, *arguments],
        env={**os.environ, "LANG": "C.UTF-8"},
        **given,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


HOSTILE = "\x1b[2J\x07\u202eevil\x9b31m\r\n"


def test_only_text_goes_out_and_a_terminal_cuts_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    Saying(out, prompts=False).say([HOSTILE, "\x1b]0;title\x07"])
    assert all(char.isprintable() or char == "\n" for char in out.getvalue())
    monkeypatch.setenv("COLUMNS", "20")
    out = io.StringIO()
    Saying(out, prompts=True).say(["Row: 1, a cat; 2, a roof.", "Type: clocktowers join h:1"])
    assert out.getvalue() == "Row: 1, a cat;\n2, a roof.\nType: clocktowers join h:1\n"


MISTAKES = {
    "new --seats": "--seats: a value is missing",
    "new --seats 9": "--seats: there is no 9: choose one of 2, 3, 4",
    "new --bots two": "--bots: 'two' is not a number",
    "new --hidden=yes": "--hidden: it takes no value",
    "new --nonsense": "Not understood: --nonsense; --help says",
    "new --p x": "--p may mean --preset, --password: type one of them in full",
}


async def test_flags_are_said_and_mistakes_are_sentences() -> None:
    async with house() as at, typing(visit(at)) as typist:
        await typist.types("", "tables lists the tables, new makes one, leave ")
        await typist.types("clocktowers new --help", "--seats 2, 3, 4: how many seats.")
        await typist.types("new wild_wild_pattern -h", "new wild_wild_pattern --seats 3")
        assert not typist.client.undone, "to ask is no mistake"
        for line, said in MISTAKES.items():
            await typist.types(line, said)
        assert typist.client.undone and "argument" not in typist.heard
        await typist.types("leave", "You are at the menu")
        await typist.types("setup --help", "--bots N: how many bots; 0 to play alone.")


async def test_a_deal_is_shared_and_a_hidden_locked_or_full_table_found_by_its_code() -> None:
    async with house() as at, typing(visit(at)) as typist:
        code = await (await at.peer("Ben")).create(seats=3, bots="easy", duplicate="", hidden=True)
        await typist.types(f"same {code.lower()}", "Deal A: 2 tables.")
        await typist.types("leave end", "tables lists the tables")
        await typist.types("new clocktowers --shared", "Deal B: 1 table.")
        await typist.types("leave end", "tables lists the tables")
        cleo = await at.peer("Cleo")
        locked = await cleo.create(seats=2, password="my pass")
        await typist.types(f'join 192.0.2.2:7777/{locked} "my pass"', "Type ready")
        await cleo.done(Leave(id=0))
        await typist.hears("Cleo left the table.\nYou are the host now.\nSeat 1: (free).")
        full = await cleo.create(seats=2, bots="easy")
        await typist.types("leave end", "tables lists the tables")
        await typist.types(f"clocktowers join h:1 --table {full}", "Watch it?\nType yes or no.")
        assert not typist.client.undone
        await typist.types("settings", "name: Ann.")
        assert typist.client.undone, "nobody has answered"


def test_a_script_learns_the_exit_code(home: Path) -> None:
    done = plainly("--plain", typed="settings\nname Ben\n")
    assert (done.returncode, done.stderr) == (0, "") and "name: " in done.stdout
    wrong = plainly("--plain", typed="nonsense at all\n")
    assert wrong.returncode == 1 and "There is no command nonsense here" in wrong.stdout
    nowhere = plainly("--plain", "join", "127.0.0.1:9")
    assert nowhere.returncode == 2 and nowhere.stderr.startswith("clocktowers: ")
    assert not any("Traceback" in one.stdout + one.stderr for one in (done, wrong, nowhere))
    done = plainly(typed="quit\n")  # it begins by itself in a pipe
    assert done.returncode == 0 and "You are at the menu" in done.stdout
    assert "--plain" in done.stderr and "--full-screen" in done.stderr and "ssh -t" in done.stderr


def test_a_solo_match_from_a_file_of_moves(home: Path) -> None:
    """The program waits for each turn, says what the bot does after the last move, and keeps the
    match; without Textual."""
    moves = home / "moves"
    moves.write_text("pace at_once\nplay 1\nplay 1 new\nundo\nplay 1 new\nfloors\nlog\n")
    code = (
        "import sys\n"
        "from clocktowers_tui.__main__ import main\n"
        "code = main(['--plain'])\n"
        "print('loaded', [name for name in ('textual', 'rich.text') if name in sys.modules])\n"
        "sys.exit(code)\n"
    )
    with moves.open() as file:
        done = plainly(typed=file, program=("-c", code))
    assert done.returncode == 0, done.stdout + done.stderr
    back = done.stdout.partition("\nTaken back: You started tower 1")[2].splitlines()
    assert back[1].startswith("Your turn: ") and "Wren" in done.stdout
    assert "loaded []" in done.stdout
    assert "waits for you." in done.stdout
    again = plainly("--plain", typed="")
    assert "Clocktowers against 1 bot" in again.stdout


def test_a_reader_who_has_seen_enough(home: Path) -> None:
    """As `clocktowers --plain | head -1`."""
    program = subprocess.Popen(
        [sys.executable, "-P", "-m", "clocktowers_tui", "--plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdin is not None and program.stdout is not None and program.stderr is not None
    assert program.stdout.readline().startswith("You are at the menu")
    program.stdout.close()
    program.stdin.write("help\n" * 50)
    program.stdin.close()
    assert program.wait(LIMIT_S) == 0
    assert program.stderr.read() == ""
    program.stderr.close()


@asynccontextmanager
async def watched(at: House) -> AsyncIterator[tuple[Peer, Peer, Typist]]:
    """Ann and Ben, ready at a table, and Eve, who watches it."""
    ann, ben = await at.peer("Ann"), await at.peer("Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    async with typing(visit(at, code, watch=True), "Eve") as eve:
        await eve.hears("You are watching")
        yield ann, ben, eve


async def test_watching_to_the_end() -> None:
    """A watcher whose input has ended hears the match to its end."""
    async with house() as at, watched(at) as (ann, ben, eve):
        eve.end()
        await ann.done(START)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        await eve.hears("The cards ran out.")
        assert any(line.startswith("Ben ") for line in eve.lines)


async def test_what_an_operator_says_in_a_match_is_said_once() -> None:
    """Though the match's log has it, too."""
    async with house() as at, watched(at) as (ann, _ben, eve):
        await ann.done(START)
        await eve.hears("Ann")
        for said in ("Dinner", "Coffee"):
            for session in at.server.peers.admitted:
                session.send(Notice(NoticeCode.OPERATOR_SAYS, {"text": said}))
            await eve.hears(said)
        assert [line for line in eve.lines if "Dinner" in line] == [
            "The operator of the server says: Dinner."
        ]
        eve.type("quit")


LINES = 60
LONGEST = 5000
WAYS_OUT = {
    *("quit", "autoplay", "fast", "leave", "menu", "table"),
    *("wait", "host", "join", "lobby", "q", "w"),
}
"""They would end the random lines, wait for somebody who never comes, or let bots act."""
AWAY = {"learn", "matches", "new", "play", "setup", "today"}
"""They lead away from the menu, or from the lobby."""
HOUR_S = 3600.0
"""How long a bot waits before it acts: every line that is said answers the player."""
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
            await typist.types("new clocktowers", "start to begin the match")
        case "lobby":
            await typist.hears("new makes one")
        case _:
            flags = (
                "--preset practice --seats 1"
                if place == "wild_wild_pattern"
                else "--bots 1 --option first_seat=0"
            )
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
    away = WAYS_OUT | (AWAY if place in ("home", "lobby") else set())
    words = sorted({one.word for one in places()[place]} - away)
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
    async with house(bot_pace_s=HOUR_S) as at, typing(visit(at)) as typist:
        await goes_to(place, typist)
        here = type(typist.client.place)
        assert await unanswered(place, typist) == []
        assert type(typist.client.place) is here, "nothing leads away from the place"
        match = typist.client.state.match
        assert (match is not None and not match.aborted) is (place in GAMES)
        said = [char for char in typist.heard if not char.isprintable() and char != "\n"]
        assert not said and max(map(len, typist.lines)) < LONGEST
