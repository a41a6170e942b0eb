"""The command line as wishes; what is wrong is one sentence and exit code 2; `clocktowers keys`."""

import re
from pathlib import Path

import pytest

from clocktowers_tui.cli.command import Command
from clocktowers_tui.cli.commands import read
from clocktowers_tui.config.look import Colours, GlyphSet
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.keys.keymap import keymap_file
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.trust import PASSWORD_VARIABLE, Ticket, Trust
from clocktowers_tui.net.wishes import Host, Solo, Visit
from clocktowers_tui.new_table import hosted, lesson_of
from clocktowers_tui.text.i18n import speak
from protocol.dealing import record_proof
from protocol.from_client import BotSeat
from protocol.invitation import NO_SECRET, Invitation, Place, encode


def test_without_a_command_it_is_the_menu() -> None:
    assert read([]) == Command(None, "", None, None, mouse=True, tool=None, finds=False)
    wish = read(["solo", "--name", " Ann ", "--ascii"])
    assert (wish.wish, wish.name, wish.glyphs) == (None, "Ann", GlyphSet.ASCII)


RULES = "--preset russian --option ladder=own --option first_heights=1,2"
TOWN = "--game architetti_attenti"
RACE = "--game wild_wild_pattern"


@pytest.mark.parametrize(
    ("typed", "seats", "preset", "options"),
    [
        ("", 4, "standard", {}),
        (f"--bots 1 {RULES}", 2, "russian", {"ladder": "own", "first_heights": [1, 2]}),
        (f"{TOWN} --preset letter --option end=row", 4, "letter", {"end": "row"}),
        (f"{TOWN} --bots 0", 1, "standard", {}),
        # Alone there is nothing but practice, which is for one or two.
        (f"{RACE} --bots 0", 1, "practice", {}),
        (f"{RACE} --bots 0 --preset practice", 1, "practice", {}),
        (f"{RACE} --preset practice", 2, "practice", {}),
        (f"{RACE} --option practice=on", 2, "standard", {"practice": "on"}),
        (f"{RACE} --preset practice --option practice=off", 4, "standard", {"practice": "off"}),
        (f"{RACE} --preset vivo", 4, "vivo", {}),
        # A number need not be one that the form lists.
        (f"{RACE} --bots 3 --option race_limit_s=31", 4, "standard", {"race_limit_s": 31}),
    ],
)
def test_solo_has_the_games_own_rules_and_a_bot_on_every_other_seat(
    typed: str, seats: int, preset: str, options: dict[str, object]
) -> None:
    wish = read(["solo", "--level", "easy", *typed.split()]).wish
    assert isinstance(wish, Solo)
    table = wish.table
    game = re.search("--game ([a-z_]+)", typed)
    assert table.game == (game[1] if game else "clocktowers")
    assert (table.seats, table.preset, table.options) == (seats, preset, options)
    assert table.bots == [BotSeat(seat, "easy") for seat in range(1, seats)]


def test_what_is_drawn_with_stands_before_or_after_the_command() -> None:
    drawn = "--glyphs safe --colours 256 --no-mouse"
    for typed in (f"{drawn} solo", f"solo {drawn}", f"--glyphs safe solo {drawn[14:]}"):
        assert read(typed.split())[2:5] == (Colours.C256, GlyphSet.SAFE, False)
    assert read(["--ascii", "solo"]).glyphs is GlyphSet.ASCII


def test_learn_and_join(monkeypatch: pytest.MonkeyPatch) -> None:
    for typed in (["learn"], ["learn", "clocktowers", "--name", "Ann"]):
        assert read(typed).wish == lesson_of("clocktowers")
    assert read(["join", "example.org"]).wish == Visit(Address("example.org", 7777))
    for flags, trust in (
        (["--unencrypted"], Trust(plain=True)),
        (["--new-key"], Trust(afresh=True)),
        (["--unencrypted", "--new-key"], Trust(plain=True, afresh=True)),
    ):
        wish = read(["join", "example.org", *flags]).wish
        assert wish == Visit(Address("example.org", 7777), trust=trust)
    straight = Visit(Address("example.org", 80), table="KX4R", watch=True)
    assert read(["join", "http://example.org:80/kx4r", "--watch"]).wish == straight
    monkeypatch.setenv(PASSWORD_VARIABLE, "secret")
    wish = read(["join", "[::1]:80", "--table", "abcd", "--watch"]).wish
    assert wish == Visit(Address("::1", 80), Ticket("secret"), "ABCD", True)


def test_an_invitation_to_a_finished_match_is_seen_again() -> None:
    proof = record_proof("m1", bytes(32))
    to = Invitation((Place("example.org", 7777),), NO_SECRET, match="m1", proof=proof)
    assert read(["join", encode(to)]) == Command(None, replays=encode(to))
    assert read(["join", encode(to._replace(match="", proof=b""))]).wish is not None


def test_host_hands_on_what_it_does_not_know() -> None:
    table, other = hosted(Settings(), FACES), "architetti_attenti"
    assert read(["host"]).wish == Host(table) and table.game == "clocktowers"
    assert read(["host", "--port", "9000"]).wish == Host(table, ("--port", "9000"))
    for name in (other, title_of(other), other.upper()):
        assert read(["host", "--game", name]).wish == Host(hosted(Settings(), FACES, other))
        assert read(["solo", name]).wish == read(["solo", "--game", other]).wish
    typed = ["--keep-days", "7", "--game", "clocktowers", "--config", "a b.toml", "--port", "9000"]
    flags = ("--port", "9000", "--keep-days", "7", "--config", "a b.toml")
    wish = Host(hosted(Settings(), FACES, "clocktowers"), flags)
    assert read(["--name", "Ann", "host", *typed]) == Command(wish, "Ann")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (
            "solo --game wild_wild_pattern --bots 0 --option practice=off",
            "--bots 0 needs --option practice=on",
        ),
        ("solo --game wild_wild_pattern --preset practice --bots 3", "--option practice=off"),
        (
            "solo --game wild_wild_pattern --preset vivo --bots 0",
            "--bots 0 needs --option mode=saloon",
        ),
        ("solo --bots 1 --option first_seat=3", "--bots 1 needs --option first_seat=none"),
        ("solo --game wild_wild_pattern --option race_limit_s=5", "or any number from 30 to 300"),
        ("solo --game wild_wild_pattern --option race_limit_s=٤٠", "60, 30, 45"),
        (f"solo --game wild_wild_pattern --option race_limit_s={'9' * 5000}", "60, 30, 45"),
        ("fly", "there is no fly: choose one of solo, "),
        ("\x1b[31m", "there is no [31m: "),
        ("replay", "this is missing: FILE|ID"),
        ("solo --level godlike", "there is no godlike: choose one of random, "),
        ("join --table KX4R", "need HOST"),
        ("join host:99999", "not an address"),
        ("join host --watch", "--table"),
        ("host --port 0", "1 to 65535"),
        ("solo --bots 0", "1, 2, 3"),
        ("host --game chess", "--game"),
        ("learn chess", "there is no chess: choose one of "),
        ("solo go", "--game: choose one of clocktowers, architetti_attenti, wild_wild_pattern"),
        ("solo --preset martian", "standard, italian"),
        ("solo --option ladder", "NAME=VALUE"),
        ("solo --option ladder=x", "shared, own"),
        ("--glyphs emoji", "--glyphs"),
        ("solo --colours 17", "--colours"),
        ("solo --name \x1b", "--name"),
    ],
)
def test_mistakes(typed: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(typed.split())
    said = capsys.readouterr()
    assert caught.value.code == 2
    assert says in said.err and said.out == ""
    assert len(said.err.splitlines()) == 1 and "\x1b" not in said.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("clocktowers ")


def test_help_and_mistakes_speak_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    """argparse's own words too: it would have kept the language of the program's start."""
    speak("it")
    for typed in ("--help", "fly", "join a b", "host --port", "solo --bots x"):
        with pytest.raises(SystemExit):
            read(typed.split())
    said = capsys.readouterr()
    assert "uso: clocktowers" in said.out and "mostra questo aiuto ed esce" in said.out
    for sentence in ("fly non esiste", "non capito: b", "manca il valore"):
        assert sentence in said.err
    english = ("usage", "options", "show", "argument ", "invalid", "required", "expected")
    assert not [word for word in english if word in said.out + said.err]


def test_every_command_line_in_the_documents_is_understood() -> None:
    root = Path(__file__).parents[3]
    documents = {root / "README.md", *(root / "docs").glob("*.md")} - {root / "docs/a-game.md"}
    texts = [file.read_text("utf-8") for file in documents]  # its commands want its game
    lines = re.findall(r"^ {4}clocktowers( [^#\n]*)?(?:#.*)?$", "\n".join(texts), re.MULTILINE)
    assert len(lines) > 8
    for line in lines:
        read(line.replace("HOST[:PORT][/TABLE]", "localhost:7777/ABCD").split())


# Keys ---------------------------------------------------------------------------------------------


def keys() -> int:
    tool = read(["keys"]).tool
    assert tool is not None
    return tool()


def test_it_lists_every_action_with_the_keys_that_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert keys() == 0
    keymap_file().parent.mkdir(parents=True)
    keymap_file().write_text(
        '"board.discard" = ["delete"]\n"board.roofs" = ["n"]\nhelp = []\ntheme = []'
    )
    assert keys() == 2
    said = capsys.readouterr()
    lines = {line.split()[0]: line for line in said.out.splitlines() if line[:2] == "  "}
    assert lines.keys() == {action.id for action in ALL_ACTIONS}
    assert "Del" in lines["board.discard"] and " x " not in lines["board.discard"]
    assert lines["theme"].split()[1] == "-"
    assert {str(keymap_file()), "board: Clocktowers"} <= set(said.out.splitlines())
    first, second = said.err.splitlines()
    assert first.startswith("clocktowers: keymap.toml: help")
    assert second.startswith("clocktowers: keymap.toml: board.roofs: n already belongs")
