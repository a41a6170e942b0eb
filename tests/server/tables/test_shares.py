"""What one address and one identity may have of a server's tables and bots."""

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.from_client import BotSeat, CreateTable
from protocol.refusal import RefusalCode
from server.config import Limits
from server.tables.refusals import Impossible
from tests.stage import jumping_clock
from tests.stage.hall import UNDER_WAY, Hall, Player, hall, run, settle, table_of

FEW = replace(
    UNDER_WAY, tables_per_address=3, tables_per_identity=2, bots_per_address=4, bots_per_identity=3
)


def guest(at: Hall, name: str, *, origin: str = "", identity: bytes = b"") -> Player:
    player = Player(at, name)
    player.origin, player.identity = origin, identity
    return player


def alone(player: Player, bots: int = 1) -> Player:
    """Create a table with so many bots, and begin."""
    seats = [BotSeat(seat, "easy") for seat in range(1, bots + 1)]
    wish = CreateTable(id=0, game="clocktowers", seats=bots + 1, bots=seats)
    player.hall.lobby.create(player, wish).start(player)
    return player


async def begun_and_cut(player: Player, bots: int = 1) -> None:
    alone(player, bots)
    await settle()
    player.drop()


@pytest.mark.parametrize(
    ("whose", "most"), [({"origin": "192.0.2.1"}, 3), ({"identity": b"i"}, 2), ({}, 9)]
)
def test_tables_that_wait_for_somebody_count(whose: dict[str, Any], most: int) -> None:
    async def scene(at: Hall) -> None:
        made = 0
        for number in range(9):
            try:
                await begun_and_cut(guest(at, f"Foe {number}", **whose))
            except Impossible as impossible:
                assert impossible.refusal.code == RefusalCode.TOO_MANY_OF_YOURS
                assert impossible.refusal.params == {"limit": most}
            else:
                made += 1
        assert made == most
        alone(guest(at, "Ann", origin="192.0.2.2", identity=b"a"))

    run(scene, limits=FEW)


def test_without_the_limit_there_is_none() -> None:
    async def scene(at: Hall) -> None:
        for number in range(40):
            await begun_and_cut(guest(at, f"Foe {number}", origin="192.0.2.1", identity=b"i"))
        assert len(at.lobby.tables) == 40

    most = {name: 99 for name in FEW.__struct_fields__ if "_per_" in name}
    run(scene, limits=replace(UNDER_WAY, **most))


def test_a_table_that_ends_counts_no_more_and_that_of_a_lonely_host_counts_till_then() -> None:
    async def scene(at: Hall) -> None:
        for number in range(3):
            host = guest(at, f"Host {number}", origin="192.0.2.1")
            at.lobby.create(host, CreateTable(id=0, game="clocktowers", seats=2))
            host.drop()
        with pytest.raises(Impossible):
            alone(guest(at, "Late", origin="192.0.2.1"))
        await asyncio.sleep(Limits().grace_s + 1)
        ann = alone(guest(at, "Ann", origin="192.0.2.1"))
        ann.leave()
        shares = at.lobby.shares
        assert not (shares._of or shares._tables or shares._bots)

    run(scene, limits=FEW)


def test_a_seat_at_another_table_counts_and_one_that_was_left_does_not() -> None:
    async def scene(at: Hall) -> None:
        hosts = [guest(at, f"Host {number}") for number in range(4)]
        for host in hosts:
            at.lobby.create(host, CreateTable(id=0, game="clocktowers", seats=3))
        for host in hosts[:3]:
            table_of(host).join(guest(at, "Foe", origin="192.0.2.1"), None)
        late = guest(at, "Late", origin="192.0.2.1")
        with pytest.raises(Impossible):
            table_of(hosts[3]).join(late, None)
        table_of(hosts[0]).leave(next(g for g in table_of(hosts[0]).people() if g is not hosts[0]))
        table_of(hosts[3]).join(late, None)

    run(scene, limits=FEW)


def test_bots_count_when_a_table_is_made_and_when_they_sit_down() -> None:
    async def scene(at: Hall) -> None:
        await begun_and_cut(guest(at, "Foe", origin="192.0.2.1"), bots=2)
        other = guest(at, "Other", origin="192.0.2.1")
        with pytest.raises(Impossible) as refused:
            alone(other, bots=3)
        assert refused.value.refusal.code == RefusalCode.TOO_MANY_BOTS
        table = at.lobby.create(other, CreateTable(id=0, game="clocktowers", seats=4))
        table.set_bot(other, 1, "easy")
        table.set_bot(other, 2, "easy")
        with pytest.raises(Impossible):
            table.set_bot(other, 3, "easy")
        table.set_bot(other, 2, "hard")
        table.set_bot(other, 2, None)
        table.set_bot(other, 3, "easy")

    run(scene, limits=FEW)


def test_after_a_restart_the_tables_of_an_identity_count() -> None:
    async def whole() -> None:
        async with hall(limits=FEW) as first:
            for number in range(2):
                await begun_and_cut(guest(first, f"Foe {number}", identity=b"i"))
            journal = first.journal
        async with hall(limits=FEW, journal=journal) as second:
            with pytest.raises(Impossible):
                alone(guest(second, "Foe", identity=b"i"))

    jumping_clock.run(whole())


def test_a_tables_decisions_count_for_the_one_address_of_its_players() -> None:
    """Also while they are absent; with a second address the table has a turn of its own."""

    async def scene(at: Hall) -> None:
        ann, ben = (guest(at, name, origin="192.0.2.1") for name in ("Ann", "Ben"))
        table = at.lobby.create(ann, CreateTable(id=0, game="clocktowers", seats=4))
        table.join(ben, None)
        assert table.origin == "192.0.2.1"
        table.set_bot(ann, 2, "easy")
        assert table.origin == "192.0.2.1", "bots come from nowhere"
        table.join(guest(at, "Cia"), None)
        assert table.origin == "", "a player who does not count is of another place"
        asked = []
        choose = at.lobby.runner.brains.choose

        async def noted(*what: Any) -> Any:
            asked.append(what[-1])
            return await choose(*what)

        at.lobby.runner.brains.choose = noted  # type: ignore[method-assign, assignment]
        other = table_of(alone(guest(at, "Dan", origin="192.0.2.2")))
        dan = other.seating.chairs[0].guest
        assert isinstance(dan, Player)
        rng = Random(1)  # one for all: the same numbers once more would be the same wish, repeated
        while not asked:
            if dan.may_act():
                await dan.act(rng)
            await asyncio.sleep(1)
        assert other.match is not None
        assert asked[0] == (other.match.id, True, "192.0.2.2")

    run(scene)
