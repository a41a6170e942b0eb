"""Each action of the registry has its command in plain mode, or a reason why it has none."""

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
from tests.stage.typist import Typist, settings


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
    # The control: without one of its commands the table has a hole, with one more a double.
    hint = next(id for id, word in done.items() if word == "hint")
    assert missing(ALL_ACTIONS, {id: word for id, word in done.items() if id != hint}) == [hint]
    assert missing(ALL_ACTIONS, {**done, "theme": "theme"}) == ["theme"]
    assert all(parity.WITHOUT.values())


async def test_a_word_means_one_thing_at_each_place() -> None:
    for name, commands in places().items():
        words = [one.word for one in commands] + [one.short for one in commands if one.short]
        here = [word for word in words if name in ("home", "lobby") or word != "rules"]
        assert len(set(here)) == len(here), (name, sorted(here))


@pytest.mark.parametrize("game", list(SPOKEN))
def test_what_a_game_lists_can_be_read(game: str) -> None:
    for order in SPOKEN[game].orders:
        assert order.word.isascii() and order.word.islower() and order.words
