"""What cannot be taken back is asked about first, and `yes`, `no`, `quit` and `help` are understood
at every place."""

import pytest

from protocol.from_client import Join, Say
from protocol.from_server import LeftTable
from tests.clocktowers_tui.plain.test_parity import places
from tests.stage.house import House, Peer, house
from tests.stage.typist import Typist, typing, visit


async def beside_ben(at: House, typist: Typist) -> Peer:
    """The player has made a table, and Ben has come to it."""
    await typist.types("new clocktowers", "Table ")
    assert typist.client.state.table is not None
    ben = await at.peer("Ben")
    await ben.done(Join(id=0, table=typist.client.state.table.info.table))
    await typist.hears("Ben, not ready")
    return ben


async def test_every_place_has_the_answers_help_and_the_way_out() -> None:
    for name, commands in places().items():
        words = {command.word for command in commands}
        assert {"yes", "no", "help", "quit"} <= words, name


async def test_a_match_that_is_given_up_is_asked_about() -> None:
    async with house() as at, typing(visit(at)) as typist:
        typist.type("new clocktowers --seats 2 --bots 1", "start")
        await typist.types("leave end", "a bot plays on for you.")
        await typist.types("look", "On the piles: ")
        await typist.types("yes", "Nothing was asked.")  # something else was typed meanwhile
        await typist.types("leave end", "Type yes or no.")
        await typist.types("yes", "tables lists the tables")


async def test_somebody_is_sent_away_only_after_a_yes() -> None:
    async with house() as at, typing(visit(at)) as typist:
        ben = await beside_ben(at, typist)
        await typist.types("kick", "Say whom")
        await typist.types("kick Ben", "Send Ben away from the table?")
        await typist.types("no", "Nothing is changed.")
        typist.type("kick Ben", "yes")
        await ben.until(LeftTable)
        await typist.types("leave", "tables lists the tables")  # nobody is left to be the host


async def test_what_you_say_is_answered_once_and_look_begins_with_whose_turn_it_is() -> None:
    async with house() as at, typing(visit(at)) as typist:
        ben = await beside_ben(at, typist)
        await typist.types("say hello", "You: hello")
        await ben.request(Say(id=0, text="hi"))
        await typist.hears("Ben: hi")
        assert typist.lines.count("You: hello") == 1
    async with house() as at, typing(visit(at)) as typist:
        typist.type("new clocktowers --seats 2 --bots 1", "start")
        await typist.hears("look tells what is where")
        mark = len(typist.lines)
        await typist.types("look", "Next roof: ")
        looked = next(line for line in typist.lines[mark:] if "Clocktowers. " in line)
        assert looked.index(": ") < looked.index("Clocktowers. ")


async def test_help_lists_what_can_be_done_now() -> None:
    """What leads nowhere is told when it is asked for."""
    async with house() as at, typing(visit(at)) as typist:
        typist.type("new clocktowers --seats 2 --bots 1", "start")
        await typist.hears("look tells what is where")
        await typist.types("help", "Everywhere: rules, name, ")
        listed = {line.partition(" ")[0].rstrip(":") for line in typist.lines}
        assert {"play", "look", "leave", "say"} <= listed
        assert not {"rematch", "review", "playon", "yes"} & listed
        assert not {"rules", "settings", "quit"} & listed
        await typist.types("help rematch", "rematch: play again.")
        await typist.types("help all", "quit: leave the program")
        await typist.types("leave end", "Type yes or no.")
        mark = len(typist.lines)
        await typist.types("help", "Everywhere: ")
        assert [line[:3] for line in typist.lines[mark : mark + 2]] == ["yes", "no:"]


@pytest.mark.parametrize("place", ["the menu", "the lobby", "a table", "a match", "its matches"])
async def test_quit_ends_the_program_anywhere(place: str) -> None:
    typed = {
        "the menu": ["leave"],
        "the lobby": [],
        "a table": ["new clocktowers"],
        "a match": ["new clocktowers --seats 2 --bots 1", "start"],
        "its matches": ["leave", "matches"],
    }
    async with house() as at, typing(visit(at)) as typist:
        typist.type(*typed[place], "quit", "settings")
        await typist.ends()
        assert "pace: " not in typist.heard
        waits = " waits for you." in typist.heard
        assert waits is (place == "a match")
