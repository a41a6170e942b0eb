"""A token gives its seat back, and so does the identity of one whom no token has reached; the newer
connection has it."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from protocol.errors import RefusalCode
from protocol.from_server import SeatToken
from server.tables.access import Impossible
from server.tables.seat import SeatState
from server.tables.table import Table
from tests.stage.hall import Hall, Player, hall, in_a_hall, refuses, settle, table_of
from tests.stage.jumping_clock import on_jumping_clock

# By token ----------------------------------------------------------------------------------------


@in_a_hall()
async def test_a_player_at_a_table_leaves_it_first(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    table = table_of(ann)
    with refuses(RefusalCode.ALREADY_AT_TABLE):
        table.resume(ben, ann.token.token, -1)
    assert table.seating.guests() == [ann, ben]


# By identity -------------------------------------------------------------------------------------

ANN, BEN = b"a" * 32, b"b" * 32


async def begun(at: Hall, *, ben: bytes = BEN) -> tuple[Player, Player]:
    """Two people with identities, in a match."""
    one, two = await at.table("Ann", "Ben", identities=(ANN, ben))
    return one, two


def refused_to(table: Table, player: Player, seat: int | None = None) -> str:
    with pytest.raises(Impossible) as error:
        table.join(player, seat)
    assert player.table is None
    return error.value.refusal.code


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("after_s", [1, 100])
@in_a_hall()
async def test_who_has_no_token_has_the_seat_again(
    at: Hall, seat: int | None, after_s: float
) -> None:
    """In the grace, and when a bot plays already; with a new token, which is good."""
    ann, ben = await begun(at)
    table, lost = table_of(ann), ben.token
    ben.drop()
    await asyncio.sleep(after_s)
    again = Player(at, "Somebody", BEN)
    assert table.join(again, seat)
    await settle()
    assert (again.name, again.seat, again.token.seat) == ("Ben", 1, 1)
    assert table.seating.chairs[1].state is SeatState.HERE
    assert again.token.token != lost.token and again.update.version == ann.update.version
    again.drop()
    assert (await again.again("Ben")).seat == 1


@in_a_hall()
async def test_an_older_connection_that_nobody_missed_yet_is_replaced(at: Hall) -> None:
    """But only from the seat that is asked for, and only while the match is played."""
    ann, ben = await begun(at)
    table, again = table_of(ann), Player(at, "Somebody", BEN)
    assert refused_to(table, again) == RefusalCode.MATCH_RUNNING
    assert refused_to(table, again, 0) == RefusalCode.MATCH_RUNNING
    assert table.join(again, 1)
    assert ben.gone and table.seating.chairs[1].guest is again


async def used(ben: Player, _table: Table) -> None:
    ben.drop()
    (await ben.again("Ben")).drop()


async def left(ben: Player, _table: Table) -> None:
    ben.leave()


async def kicked(ben: Player, table: Table) -> None:
    host = table.seating.chairs[0].guest
    assert host is not None
    table.presence.kick(host, "Ben")


@pytest.mark.parametrize("gone", [used, left, kicked])
@in_a_hall()
async def test_identity_opens_no_seat_whose_token_was_used_or_that_was_given_up(
    at: Hall, gone: Callable[[Player, Table], Awaitable[None]]
) -> None:
    ann, ben = await begun(at)
    table = table_of(ann)
    await gone(ben, table)
    await settle()
    why = RefusalCode.KICKED if gone is kicked else RefusalCode.MATCH_RUNNING
    for seat in (None, 1):
        assert refused_to(table, Player(at, "Somebody", BEN), seat) == why


@in_a_hall()
async def test_another_identity_or_none_opens_nothing(at: Hall) -> None:
    ann, ben = await begun(at, ben=b"")
    table = table_of(ann)
    ann.drop()
    ben.drop()
    for identity in (b"", BEN):
        assert refused_to(table, Player(at, "Somebody", identity)) == RefusalCode.MATCH_RUNNING


@in_a_hall()
async def test_one_identity_at_two_seats_opens_one_for_each_connection(at: Hall) -> None:
    ann, ben = await begun(at, ben=ANN)
    table = table_of(ann)
    for person in (ann, ben):
        person.drop()
    again = [Player(at, "Somebody", ANN) for _ in range(3)]
    assert table.join(again[0], 1) and table.join(again[1], None)
    assert [player.seat for player in again[:2]] == [1, 0]
    with pytest.raises(Impossible):
        table.join(again[0], 0)
    assert refused_to(table, again[2]) == RefusalCode.MATCH_RUNNING


@in_a_hall()
async def test_a_watcher_who_owns_a_seat_sits_down(at: Hall) -> None:
    """So a client that could only watch at first may try again."""
    ann, ben = await begun(at)
    table, again = table_of(ann), Player(at, "Somebody", BEN)
    table.watch(again)
    ben.drop()
    assert table.join(again, None)
    await settle()
    assert table.watchers == [] and len(again.heard(SeatToken)) == 1


@on_jumping_clock
async def test_after_a_restart_who_gave_a_seat_up_still_has_its_name() -> None:
    async with hall() as first:
        ann, _ben = await begun(first)
        table_of(ann).leave(ann)
        await settle()
    async with hall(journal=first.journal) as second:
        assert second.lobby.names_of(ANN) == {"Ann"}
