"""Each way to go from a table has one end, and everybody is told which."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from protocol.errors import RefusalCode
from protocol.from_client import CreateTable
from protocol.from_server import LeftTable, NoticeCode, TableGone
from protocol.table import Days, SeatKind, TablePhase
from server.config import Limits
from server.tables.access import Impossible
from server.tables.table import Table
from tests.stage.hall import Hall, Player, in_a_hall, refuses, settle, table_of, to_the_end

GRACE_S, WAITING_S = Limits().grace_s, Limits().waiting_s


def refusal(what: Callable[[], object]) -> str:
    with pytest.raises(Impossible) as error:
        what()
    return error.value.refusal.code


def waiting(at: Hall, *names: str) -> list[Player]:
    """People at a table that does not play."""
    people = [Player(at, name) for name in names]
    table = at.lobby.create(people[0], CreateTable(id=0, game="clocktowers", seats=4))
    for person in people[1:]:
        table.join(person, None)
    return people


# One end each ------------------------------------------------------------------------------------


def left(table: Table, gone: Player) -> None:
    gone.leave()


def dropped(table: Table, gone: Player) -> None:
    gone.drop()


def kicked(table: Table, gone: Player) -> None:
    host = table.seating.chairs[0].guest
    assert host is not None
    table.presence.kick(host, "Ben")


WAYS = [
    (left, NoticeCode.LEFT, True),
    (dropped, NoticeCode.DROPPED, False),
    (kicked, NoticeCode.KICKED, True),
]


@pytest.mark.parametrize(("way", "code", "for_good"), WAYS, ids=["left", "dropped", "kicked"])
@in_a_hall()
async def test_in_a_match_a_bot_plays_on_and_everybody_is_told(
    at: Hall, way: Callable[[Table, Player], None], code: str, for_good: bool
) -> None:
    """At once where the seat was given up, else after a grace; only then somebody comes back."""
    ann, ben = await at.table("Ann", "Ben")
    table = table_of(ann)
    way(table, ben)
    assert (ann.notices[-1][0] == "bot_took_over") == for_good
    await asyncio.sleep(GRACE_S + 1)
    assert ann.notices[-2:] == [(code, "Ben"), ("bot_took_over", "Ben")]
    info = table.news.info().seats[1]
    assert (info.kind, info.name, info.away) == (SeatKind.BOT, "Ben", True)
    if for_good:
        with pytest.raises(Impossible):
            await ben.again("Ben")
    else:
        assert (await ben.again("Ben")).seat == 1


@pytest.mark.parametrize(("way", "code", "for_good"), WAYS, ids=["left", "dropped", "kicked"])
@in_a_hall()
async def test_at_a_table_that_does_not_play_the_seat_is_free(
    at: Hall, way: Callable[[Table, Player], None], code: str, for_good: bool
) -> None:
    ann, ben = waiting(at, "Ann", "Ben")
    table = table_of(ann)
    way(table, ben)
    await settle()
    assert ann.notices[-1] == (code, "Ben")
    assert table.news.info().seats[1].kind is SeatKind.FREE


@in_a_hall()
async def test_there_an_identity_keeps_seat_and_name_for_a_while(at: Hall) -> None:
    """All others may be away, too. After a grace somebody else hosts until the host is back, and
    cannot send them away. The host may give the seat of somebody who is away to a bot, and
    all hear of it, but not at a table of days. Who comes back has no second seat."""
    ann, ben, cleo = waiting(at, "Ann", "Ben", "Cleo")
    table = table_of(ann)
    for chair in table.seating.chairs[:3]:
        chair.identity = chair.name.encode() * 8
    ann.drop()
    await asyncio.sleep(GRACE_S - 1)
    assert table.host == 0
    await asyncio.sleep(2)
    assert table.host == 1 and ben.notices[-1] == cleo.notices[-1] == ("host", "Ben")
    assert refusal(lambda: table.presence.kick(ben, "Ann")) == RefusalCode.FIRST_HOST
    ben.drop()
    await asyncio.sleep(GRACE_S + 1)
    back = Player(at, "Ann", b"Ann" * 8)
    assert table.host == 2 and table.join(back, None)
    assert table.host == 0 and back.notices[-1] == cleo.notices[-1] == ("host", "Ann")
    for one in (back, cleo):
        one.drop()
    await asyncio.sleep(WAITING_S - GRACE_S - 2)
    assert table.host == 0 and table.news.info().seats[0].dropped
    again = Player(at, "Ann", b"Ann" * 8)
    assert again.name == "Ann 2" and table.join(again, 3)
    assert (again.name, again.seat, again.notices[-1]) == ("Ann", 0, ("came_back", "Ann"))
    assert refusal(lambda: table.start(again)) == RefusalCode.NOT_READY
    clock, table.terms = table.terms.clock, table.terms._replace(clock=Days(days=1))
    assert refusal(lambda: table.set_bot(again, 2, "easy")) == RefusalCode.SEAT_TAKEN
    table.terms = table.terms._replace(clock=clock)
    table.set_bot(again, 2, "easy")
    assert table.news.info().seats[2].kind is SeatKind.BOT
    assert again.notices[-1] == (NoticeCode.KICKED, "Cleo")
    table.presence.kick(again, "Ben")
    assert refusal(lambda: table.join(Player(at, "B", b"Ben" * 8), 1)) == RefusalCode.KICKED
    again.drop()
    await asyncio.sleep(WAITING_S + 1)
    assert table.code not in at.lobby.tables


# Sent away ---------------------------------------------------------------------------------------


@in_a_hall()
async def test_a_kick_holds_the_person_and_not_the_spelling_of_a_name(at: Hall) -> None:
    """Each way back is a control of the others: a rule that is left out lets it through. A stranger
    with the same address comes in."""
    ann, ben, cleo = waiting(at, "Ann", "Ben", "Cleo")
    table, bens = table_of(ann), bytes([2]) * 32
    ben.identity = table.seating.chairs[1].identity = bens
    second = Player(at, "Second", bens)
    table.watch(second)
    await settle()
    table.presence.kick(ann, "Ben")
    assert second.sent[-1] == LeftTable(table.code, TableGone.KICKED) and not second.table
    for way_back in (lambda: table.join(ben, None), lambda: table.watch(ben)):
        assert refusal(way_back) == RefusalCode.KICKED
    assert refusal(lambda: table.resume(ben, bytes(32), -1)) == RefusalCode.KICKED
    ben.drop()
    for name, identity in (("Somebody else", bens), ("B e n.", b""), ("Bᴇɴ", bytes([3]) * 32)):
        back = Player(at, name, identity)
        assert back.name == name
        assert refusal(partial(table.join, back, None)) == RefusalCode.KICKED, name
        back.drop()
    names = [Player(at, "Ben") for _ in range(2)]
    assert [one.name for one in names] == ["Ben", "Ben 2"]
    assert refusal(lambda: table.watch(names[1])) == RefusalCode.KICKED
    neighbour = Player(at, "Ben", bytes([4]) * 32)
    neighbour.origin = names[0].origin = "203.0.113.7"
    assert neighbour.name == "Ben 3"
    table.join(neighbour, None)
    table.watch(Player(at, "Dora"))
    cleo.leave()
    elsewhere = at.lobby.create(cleo, CreateTable(id=0, game="clocktowers", seats=2))
    elsewhere.join(names[1], None)


@in_a_hall()
async def test_a_host_who_kicks_their_own_other_window_stays(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    ann.identity = ben.identity = bytes([1]) * 32
    table_of(ann).presence.kick(ann, "Ben")
    assert ann.table is not None and ben.table is None
    ann.drop()
    assert (await ann.again("Ann")).table is not None


@pytest.mark.parametrize("how", ["here", "absent", "last"])
@in_a_hall()
async def test_the_operator_sends_away_for_good_and_an_empty_table_closes(
    at: Hall, how: str
) -> None:
    ann, ben = await at.table("Ann", "Ben")
    table, (anns, bens) = table_of(ann), table_of(ann).seating.chairs
    if how != "here":
        ben.drop()
    if how == "last":
        ann.drop()
        table.presence.expel(anns)
    table.presence.expel(ben if how == "here" else bens)
    await settle()
    assert ben.table is None
    with pytest.raises(Impossible) as refused:
        await ben.again("Ben")
    if how == "last":
        assert refused.value.refusal.code == RefusalCode.NO_SUCH_MATCH
    else:
        assert refused.value.refusal.code == RefusalCode.KICKED
        assert (NoticeCode.EXPELLED, "Ben") in ann.notices


@in_a_hall()
async def test_a_player_who_comes_back_under_a_kicked_name_has_the_seat(at: Hall) -> None:
    """The seat holds its player's name, so the returning player has the next number until then."""
    ann, ben = await at.table("Ann", "Ben")
    rude = Player(at, "Ben")
    table_of(ann).watch(rude)
    assert rude.name == "Ben 2"
    table_of(ann).presence.kick(ann, "Ben 2")
    rude.drop()
    ben.drop()
    again = await ben.again("Ben")
    assert (again.seat, again.name) == (1, "Ben")
    stranger = Player(at, "Ben")
    assert refusal(lambda: table_of(ann).watch(stranger)) == RefusalCode.KICKED


@pytest.mark.parametrize("after_s", [1, GRACE_S + 1])
@in_a_hall()
async def test_a_player_who_dropped_can_be_kicked(at: Hall, after_s: float) -> None:
    """In the grace or when a bot plays already: nobody waits any more, and no token opens it."""
    ann, ben = await at.table("Ann", "Ben")
    table = table_of(ann)
    ben.drop()
    await asyncio.sleep(after_s)
    table.presence.kick(ann, "Ben")
    await settle()
    info = table.news.info().seats[1]
    assert (info.kind, info.away, info.dropped) == (SeatKind.BOT, True, False)
    assert ("kicked", "Ben") in ann.notices
    with refuses(RefusalCode.KICKED):
        await ben.again("Ben")
    await to_the_end(ann)
    assert table.news.info().seats[1].kind is SeatKind.FREE
    ann.leave()
    ann.drop()
    await asyncio.sleep(1)
    assert at.left_over() == []


@in_a_hall()
async def test_only_the_host_kicks(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben", bots=1)
    table = table_of(ann)
    bot = table.seating.chairs[2].name
    assert refusal(lambda: table.presence.kick(ben, "Ann")) == RefusalCode.NOT_HOST
    assert refusal(lambda: table.presence.kick(ann, "Ann")) == RefusalCode.NOT_YOURSELF
    for nobody in ("Nora", bot, ""):
        assert refusal(lambda: table.presence.kick(ann, nobody)) == RefusalCode.NOBODY_OF_THAT_NAME  # noqa: B023
    assert table.phase is TablePhase.PLAYING and len(table.people()) == 2
