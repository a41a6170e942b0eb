"""Each action has its command in plain mode, or a reason why it has none; what cannot be
taken back is asked about first; `yes`, `no`, `quit` and `help` are understood at every place."""

from collections.abc import Sequence
from typing import cast

import pytest

from clocktowers_tui.games.registry import ALL_ACTIONS, SPOKEN
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.net.piped import Piped
from clocktowers_tui.net.replaying import Projector
from clocktowers_tui.plain import parity
from clocktowers_tui.plain.at_table import TablePlace
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.everywhere import everywhere
from clocktowers_tui.plain.finished import MatchesPlace
from clocktowers_tui.plain.home import HomePlace
from clocktowers_tui.plain.lobby import LobbyPlace
from clocktowers_tui.plain.match import MatchPlace
from clocktowers_tui.plain.replay import ReplayPlace
from protocol.from_client import Join, Say
from protocol.from_server import LeftTable
from tests.stage.house import House, Peer, house
from tests.stage.typist import Typist, settings, typing, visit


def places() -> dict[str, Sequence[Command]]:
    """The commands of each place; in a match with those of each game."""
    typist = Typist(settings())
    typist.end()
    client = typist.client
    replayed = Projector(cast(Piped, None))
    here = {
        "home": HomePlace(client).commands,
        "lobby": LobbyPlace(client).commands,
        "table": TablePlace(client).commands,
        "matches": MatchesPlace(client).commands,
        "replay": ReplayPlace(client, replayed, None, 0).commands,
    }
    for game, spoken in SPOKEN.items():
        orders = [Command(one.word, one.words, _never, one.short) for one in spoken.orders]
        here[game] = [*orders, *MatchPlace(client).common]
    return {name: everywhere(client, commands) for name, commands in here.items()}


async def _never(_rest: object) -> None:
    raise AssertionError


def missing(actions: tuple[Action, ...], done: dict[str, str]) -> list[str]:
    """The actions without a command and without a reason, and those with both."""
    reasons = {action.id for action in parity.WITHOUT}
    return [one.id for one in actions if (one.id in done) == (one.id in reasons)]


async def test_each_action_has_a_command_or_a_reason() -> None:
    done = dict(parity.done(command for found in places().values() for command in found))
    assert not missing(ALL_ACTIONS, done)
    assert all(parity.WITHOUT.values())


async def test_a_word_means_one_thing_at_each_place() -> None:
    for name, commands in places().items():
        words = [one.word for one in commands] + [one.short for one in commands if one.short]
        here = [word for word in words if name in ("home", "lobby") or word != "rules"]
        assert len(set(here)) == len(here), (name, sorted(here))


# Questions ----------------------------------------------------------------------------------------


NEW = "new clocktowers --seats 2 --bots 1 --option first_seat=0"
"""The player begins: nothing is told of a bot before they have acted."""


async def beside_ben(at: House, typist: Typist) -> Peer:
    """The player has made a table, and Ben has come to it."""
    await typist.types("new clocktowers", "Table ")
    assert typist.client.state.table is not None
    ben = await at.peer("Ben")
    await ben.done(Join(id=0, table=typist.client.state.table.info.table))
    await typist.hears("Ben, not ready")
    return ben


async def test_a_match_that_is_given_up_is_asked_about() -> None:
    async with house() as at, typing(visit(at)) as typist:
        typist.type(NEW, "start")
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
        typist.type(NEW, "start")
        await typist.hears("look tells what is where")
        mark = len(typist.lines)
        await typist.types("look", "Next roof: ")
        looked = next(line for line in typist.lines[mark:] if "Clocktowers. " in line)
        assert looked.startswith("Your turn: ")


async def test_help_lists_what_can_be_done_now() -> None:
    """What leads nowhere is told when it is asked for."""
    async with house() as at, typing(visit(at)) as typist:
        typist.type(NEW, "start")
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
        "a match": [NEW, "start"],
        "its matches": ["leave", "matches"],
    }
    async with house() as at, typing(visit(at)) as typist:
        typist.type(*typed[place], "quit", "settings")
        await typist.ends()
        assert "pace: " not in typist.heard
        waits = " waits for you." in typist.heard
        assert waits is (place == "a match")
