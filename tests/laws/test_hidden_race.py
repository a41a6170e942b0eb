"""No client in a race is sent a byte that is not for its seat: everybody acts at once, a connection
is slow, another is cut, the server falls, somebody watches."""

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from protocol.from_server import SeatToken
from protocol.ids import MatchId, Seat
from server.games.registry import GAMES
from server.store.memory import MemoryJournal
from tests.laws.test_hidden import Kept, check
from tests.server.matches.test_fanout import LeakyFanout
from tests.stage import jumping_clock
from tests.stage.hall import Hall, Player, hall

RACES = [name for name, game in GAMES.items() if game.rules.races]


class RaceEvening:
    """A match. `there`: everybody who was there, by seat."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.journal = MemoryJournal()
        self.there: list[tuple[Player, Seat | None]] = []
        self.rng = Random(4)

    async def play(self) -> int:
        """Play some minutes of it. Returns how many messages held something of the game."""
        async with hall(journal=self.journal) as first:
            ann, ben = await first.table("Ann", "Ben", bots=1, game=self.game)
            self._sit(first, ann, ben)
            await self._race(60, ann, ben)
            ben.drop()
            await self._race(2, ann)
            back = await ben.again("Ben")
            ben.sent += back.heard(SeatToken)  # a client keeps it
            self._sit(first, ann, back)
            await self._race(60, ann, back)
        async with hall(journal=self.journal) as second:
            again = [await one.again(name, at=second) for one, name in ((ann, "Ann"), (ben, "Ben"))]
            self._sit(second, *again)
            await self._race(120, *again)
            return await self._checked(MatchId(ann.token.match))

    def _sit(self, at: Hall, *players: Player) -> None:
        (table,) = at.lobby.tables.values()
        watcher = Player(at, "Wim")
        table.watch(watcher)
        self.there += [*((one, Seat(seat)) for seat, one in enumerate(players)), (watcher, None)]
        for player, lag in zip(players, (0, 120), strict=True):
            player.lag = lag

    async def _race(self, seconds: int, *players: Player) -> None:
        for _ in range(seconds * 4):
            for player in players:
                if self.rng.random() < 0.3 and not player.over:
                    player.try_something(self.rng)
            await asyncio.sleep(0.25)

    async def _checked(self, match: MatchId) -> int:
        header, entries = await self.journal.load(match)
        may = {seat: Kept(header, list(entries), seat) for seat in (Seat(0), Seat(1), None)}
        assert any(entry.lags_ms for entry in entries), "somebody's line is slow"
        return sum(
            check(player.sent, seat, may[seat], over=player.over) for player, seat in self.there
        )


def evening(game: str) -> int:
    return jumping_clock.run(RaceEvening(game).play())


@pytest.mark.parametrize("game", RACES)
def test_nobody_is_sent_what_is_not_theirs(game: str) -> None:
    assert evening(game) > 200


# Controls ----------------------------------------------------------------------------------------


def _all_events(seat: Seat | None, events: Any) -> list[Any]:
    return [event for _to, event in events]


def _leaks() -> Iterator[Callable[[pytest.MonkeyPatch], None]]:
    yield lambda patch: patch.setattr("server.matches.parts.Fanout", LeakyFanout)
    yield lambda patch: patch.setattr("server.matches.replay.events_for", _all_events)


@pytest.mark.parametrize("leak", list(_leaks()), ids=["events", "history"])
def test_a_leak_is_caught(
    monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    with pytest.raises(BaseExceptionGroup) as error:
        evening(RACES[0])
    assert error.group_contains(AssertionError, match="another")
