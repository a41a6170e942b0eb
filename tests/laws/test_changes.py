"""A client that asks for the changes of views has the same views as one that does not, in random
matches of every game and for everybody at the table; and it is sent less."""

from random import Random
from typing import Any, Final

import pytest
from msgspec import Struct
from msgspec.structs import replace

from protocol.codec import read_as
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Started, Update
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.registry import GAMES
from tests.laws.case import Rules
from tests.laws.cases import CASES, TABLES
from tests.laws.laws import walk
from tests.stage.line import Line

STARTED: Final = Started(match="m1", table="K7QX", game="clocktowers", sha256="")


class ChangingTable:
    """A line of either kind for each seat and for watchers, and what was sent on all of them."""

    def __init__(self, game: str, rules: Rules, seats: int) -> None:
        self._kind = VOCABULARIES[game].view
        self._rules = rules
        self._lines = {
            seat: (Line(changes=True), Line(changes=False)) for seat in (*range(seats), None)
        }
        self._version = 0

    def show(self, state: Any, **more: Any) -> None:
        """Send everybody an update with their view, and compare what comes out."""
        self._version += 1
        for seat, lines in self._lines.items():
            view = self._rules.view(state, seat)
            update = Update(match="m1", version=self._version, ply=0, view=view, events=[], **more)
            with_changes, with_wholes = (line.tell(update) for line in lines)
            assert read_as(with_changes.view, self._kind) == view
            assert replace(with_changes, view=None) == replace(with_wholes, view=None)
            assert lines[0].whole is (self._version == 1 or bool(more))

    def saved(self) -> float:
        """The share of the bytes that the changes have saved."""
        asked, wholes = (sum(pair[n].bytes for pair in self._lines.values()) for n in (0, 1))
        return 1 - asked / wholes


def played(game: str, seats: int, options: Any) -> ChangingTable:
    rules: Rules = GAMES[game].rules
    rng = Random(seats)
    state = rules.setup(options, seats, bytes(32))
    table = ChangingTable(game, rules, seats)
    table.show(state)
    for ply, _ in enumerate(walk(rules, state, rng, CASES[game].plies(seats))):
        more = {10: {"taken_back": 1}, 20: {"skipped": 2}}.get(ply % 30, {})
        table.show(state, **more)
    table.show(state)
    return table


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_patched_views_equal_whole_ones(game: str, seats: int, options: Any) -> None:
    assert played(game, seats, options).saved() > 0.2


def update(**fields: Any) -> Update:
    rules: Rules = GAMES["clocktowers"].rules
    state = rules.setup(CASES["clocktowers"].options[0], 2, bytes(32))
    whole = Update(match="m1", version=1, ply=0, view=rules.view(state, 0), events=[])
    return replace(whole, **fields)


def test_who_comes_again_is_sent_a_whole_view() -> None:
    line = Line(changes=True)
    for message, whole in (
        (update(), True),
        (update(version=2), False),
        (STARTED, False),
        (update(version=2), True),
        (update(version=3), False),
    ):
        line.tell(message)
        assert line.whole is whole


@pytest.mark.parametrize(
    "told",
    [
        [update(view=None, changed={"turn": 1})],
        [update(view=None)],
        [update(), update(view=None)],
        [update(view=[1]), update(view=None, changed={"turn": 1})],
        [update(), STARTED, update(view=None, changed={"turn": 1})],
        [update(), *(update(view=None, changed={f"{n}/{i}": 0 for i in range(200)}) for n in "ab")],
    ],
)
def test_changes_that_lead_nowhere_are_an_error_of_the_server(told: list[Struct]) -> None:
    is_malformed(Line(changes=True), told)


def test_changes_that_were_not_asked_for_are_an_error_of_the_server() -> None:
    told: list[Struct] = [update(), update(view=None, changed={"turn": 1})]
    is_malformed(Line(changes=False), told)
    assert len(heard(Line(changes=True), told)) == len(told)


def test_a_view_counts_more_than_changes() -> None:
    (message,) = heard(Line(changes=True), [update(changed={"turn": 7})])
    assert isinstance(message, Update) and message.view["turn"] != 7


def heard(line: Line, told: list[Struct]) -> list[Struct]:
    """What a client takes from a server that sends every message as it is."""
    server = Line(changes=False).server
    for message in told:
        line.client.receive_bytes(server.send(message))
    return list(iter(line.client.next_message, None))


def is_malformed(line: Line, told: list[Struct]) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        heard(line, told)
    assert caught.value.code is GoodbyeCode.MALFORMED
