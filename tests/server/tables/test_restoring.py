"""A server is killed and the next has its journal: every match goes on, on a clock that jumps."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import Join
from protocol.from_server import Ended, Notice, NoticeCode, SeatToken, Started
from protocol.ids import MatchId, Seat, Version
from protocol.table import Bank, Clock, PerTurn, SeatKind, TablePhase
from server.config import Limits
from server.store.journal import NO_TOKENS, Claimed, Header, TokenHashes
from server.tables.access import Impossible
from server.tables.seat import SeatState
from tests.stage.hall import Hall, Player, hall, only_table, refuses, settle, table_of, to_the_end
from tests.stage.house import READY, START, house
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import FlakyJournal
from tests.stage.memory_journal import MemoryJournal
from tests.stage.stores import entry

GRACE_S, STANDSTILL_S = Limits().grace_s, Limits().standstill_s


async def some_plies(*players: Player, plies: int, rng: Random) -> None:
    for _ in range(plies):
        for player in players:
            if player.may_act():
                await player.act(rng)
                await settle()


@on_jumping_clock
async def test_the_table_is_as_it_was_and_leaves_nothing_after_its_end() -> None:
    async with hall() as first:
        ann, ben = await first.table("Ann", "Ben")
        await some_plies(ann, ben, plies=9, rng=Random(1))
        table = only_table(first)
        info = table.news.info()
    async with hall(journal=first.journal) as second:
        assert only_table(second).code == info.table
        ann2 = await ann.again("Ann", at=second)
        ben2 = await ben.again("Somebody", at=second)
        again = only_table(second).news.info()
        assert (again.seats[0], again.host, again.matches) == (info.seats[0], 0, 1)
        assert (again.title, again.options) == (info.title, info.options)
        assert again.preset == "standard"
        await to_the_end(ann2, ben2)
        assert all(not player.heard(Ended)[0].aborted for player in (ann2, ben2))
        ann2.leave()
        ben2.leave()
        ann2.drop()
        ben2.drop()
        await settle()
        assert second.left_over() == []


@on_jumping_clock
async def test_bots_and_the_time_of_the_match_wait_for_the_first_who_is_back() -> None:
    async with hall() as first:
        (ann,) = await first.table("Ann", bots=2)
        await some_plies(ann, plies=1, rng=Random(2))
        await asyncio.sleep(1)  # a bot thinks
        last_ms = (await first.journal.load(MatchId(ann.token.match)))[1][-1].at_ms
    async with hall(journal=first.journal) as second:
        match = only_table(second).match
        assert match is not None
        version = match.version
        await asyncio.sleep(STANDSTILL_S - 1)
        assert match.version == version
        assert match._time.now_ms() == last_ms
        ann2 = await ann.again("Ann", at=second)
        await asyncio.sleep(20)
        assert match.version > version or ann2.may_act()
        assert last_ms < match._time.now_ms() < last_ms + 21_000
        ann2.leave()
        await asyncio.sleep(600)


@pytest.mark.parametrize("setting", [PerTurn(40), Bank(60, 5)])
@on_jumping_clock
async def test_clocks_go_on_with_what_the_last_entry_left(setting: Clock) -> None:
    async with hall() as first:
        ann, ben = await first.table("Ann", "Ben", clock=setting)
        await asyncio.sleep(7)
        await some_plies(ann, ben, plies=3, rng=Random(2))
        before = ann.update.clock
        assert before is not None
        await asyncio.sleep(7)  # that nothing stands for in the journal
    async with hall(journal=first.journal) as second:
        await asyncio.sleep(STANDSTILL_S - 1)
        ann2 = await ann.again("Ann", at=second)
        assert ann2.update.clock == before
        await ben.again("Ben", at=second)
        await asyncio.sleep(before.left_ms / 1000 + 0.1)
        codes = [notice.code for notice in ann2.heard(Notice)]
        assert codes.count(NoticeCode.TIMED_OUT) == 1


@on_jumping_clock
async def test_the_grace_of_absent_players_begins_with_the_first_return() -> None:
    async with hall() as first:
        ann, ben = await first.table("Ann", "Ben")
        await some_plies(ann, ben, plies=1, rng=Random(1))
    async with hall(journal=first.journal) as second:
        await asyncio.sleep(STANDSTILL_S - 1)
        ben2 = await ben.again("Ben", at=second)
        await asyncio.sleep(GRACE_S - 1)
        seat = only_table(second).news.info().seats[0]
        assert (seat.kind, seat.name, seat.dropped) == (SeatKind.HUMAN, "Ann", True)
        await asyncio.sleep(2)
        seat = only_table(second).news.info().seats[0]
        assert (seat.kind, seat.name, seat.away) == (SeatKind.BOT, "Ann", True)
        ann2 = await ann.again("Ann", at=second)
        assert only_table(second).news.info().seats[0].kind is SeatKind.HUMAN
        await to_the_end(ann2, ben2)


@on_jumping_clock
async def test_a_match_in_which_nobody_has_acted_is_called_off() -> None:
    """Those who come back are told so and have their seats, by token or by identity, and begin
    another; also when the server falls again before they are back."""
    async with hall() as first:
        ann, _ben = await first.table("Ann", "Ben", identities=(b"a", b"b"))
        match = ann.token.match
    async with hall(Limits(), journal=first.journal) as fallen:
        assert only_table(fallen).phase is TablePhase.ENDED
        await settle()
    async with hall(Limits(), journal=first.journal) as second:
        table = only_table(second)
        ann2 = await ann.again("Ann", at=second)
        ben2 = Player(second, "Somebody", b"b")
        assert table.join(ben2, None)
        for player in (ann2, ben2):
            (ended,) = player.heard(Ended)
            assert (ended.match, ended.aborted) == (match, True)
        assert (ben2.name, ben2.seat, table.host) == ("Ben", 1, 0)
        for player in (ann2, ben2):
            table.rematch(player)
        await settle()
        assert ann2.token.match == ben2.token.match != match
        assert list(await first.journal.current()) == [ann2.token.match]


@on_jumping_clock
async def test_a_match_of_one_person_goes_on_without_an_action() -> None:
    """The only person who can come back is there then, so nobody is missing."""
    async with hall() as first:
        (ann,) = await first.table("Ann", bots=1)
    async with hall(journal=first.journal) as second:
        ann2 = await ann.again("Ann", at=second)
        assert ann2.update.view == ann.update.view


class FallsAtTheBeginning(MemoryJournal):
    """From the moment at which a match is kept nothing happens any more before `goes_on`."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = asyncio.Event()

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await super().begin(header, tokens)
        await self.goes_on.wait()


@on_jumping_clock
async def test_no_match_begins_for_some_of_its_players_only() -> None:
    """All seats can be opened as soon as the journal has the match, but for a bot's."""
    journal = FallsAtTheBeginning()
    async with hall(journal=journal) as first:
        await first.table("Ann", "Ben", "Cleo", bots=1)
        (match,) = await journal.current()
        assert set(await journal.tokens(match)) == {0, 1, 2}
    async with hall(journal=journal) as second:
        chairs = only_table(second).seating.chairs
        assert [chair.state for chair in chairs] == [SeatState.DROPPED] * 3 + [SeatState.BOT]


@on_jumping_clock
async def test_a_player_who_left_is_not_waited_for() -> None:
    async with hall() as first:
        ann, ben = await first.table("Ann", "Ben")
        ann.leave()
        await settle()
    async with hall(journal=first.journal) as second:
        info = only_table(second).news.info()
        shown = [(seat.name, seat.away, seat.dropped) for seat in info.seats]
        assert shown == [("Ann", True, False), ("Ben", False, True)]
        ben2 = await ben.again("Ben", at=second)
        assert only_table(second).host == Seat(1)
        with refuses(RefusalCode.BAD_TOKEN):
            await ann.again("Eve", at=second)
        await to_the_end(ben2)


@on_jumping_clock
async def test_who_leaves_before_the_journal_has_the_match_hears_nothing_of_it() -> None:
    """The answer comes when the journal has the match and the leave."""
    journal = FallsAtTheBeginning()
    async with hall(journal=journal) as first:
        ann, ben = await first.table("Ann", "Ben", identities=(b"a", b"b"))
        answered = asyncio.Event()
        table_of(ben).leave(ben, answered.set)
        await settle()
        assert not answered.is_set() and not ann.heard(SeatToken)
        journal.goes_on.set()
        await settle()
        assert answered.is_set() and ann.heard(SeatToken)
        assert not ben.heard(Started) and not ben.heard(SeatToken)
    async with hall(journal=journal) as second:
        with refuses(RefusalCode.MATCH_RUNNING):
            only_table(second).join(Player(second, "Ben", b"b"), 1)


# The match was over ------------------------------------------------------------------------------


def falls_at_the_end() -> FlakyJournal:
    """From the moment at which a match should be noted as over nothing happens any more."""
    journal = FlakyJournal()
    journal.holds = ("finish",)
    return journal


async def last_action(journal: FlakyJournal, *players: Player, between_s: float = 0) -> None:
    """Play until it is acknowledged; nobody has heard the result."""
    rng = Random(3)
    while not journal.asked["finish"]:
        await some_plies(*players, plies=1, rng=rng)
        await asyncio.sleep(between_s)  # a bot plays
    assert not any(player.over for player in players)
    journal.holds = ()


@asynccontextmanager
async def after_a_fall() -> AsyncIterator[tuple[Hall, Player, Player]]:
    """The next server, and two players who have not heard the result."""
    journal = falls_at_the_end()
    async with hall(journal=journal) as first:
        ann, ben = await first.table("Ann", "Ben")
        await last_action(journal, ann, ben)
    async with hall(journal=journal) as second:
        yield second, ann, ben


@on_jumping_clock
async def test_they_can_have_a_rematch_and_only_together() -> None:
    async with after_a_fall() as (at, ann, ben):
        table = only_table(at)
        ann2 = await ann.again("Ann", at=at)
        table.rematch(ann2)
        with refuses(RefusalCode.SEAT_TAKEN):
            table.set_bot(ann2, 1, "easy")
        assert table.news.info().phase != TablePhase.PLAYING
        ben2 = await ben.again("Ben", at=at)
        table.rematch(ben2)
        await settle()
        assert table.phase is TablePhase.PLAYING
        await some_plies(ann2, ben2, plies=3, rng=Random(4))
        assert ann2.update.match == ann2.token.match != ann.token.match
        assert await at.journal.current() == [ann2.token.match]


@pytest.mark.parametrize("comes", [True, False])
@on_jumping_clock
async def test_a_player_who_does_not_come_for_the_result_is_not_waited_for_for_ever(
    comes: bool,
) -> None:
    async with after_a_fall() as (at, ann, _ben):
        if comes:
            ann2 = await ann.again("Ann", at=at)
            await asyncio.sleep(GRACE_S + 1)
            kinds = [seat.kind for seat in only_table(at).news.info().seats]
            assert kinds == [SeatKind.HUMAN, SeatKind.FREE]
            ann2.leave()
        else:
            await asyncio.sleep(STANDSTILL_S + 1)
        await settle()
        assert [one for one in at.left_over() if not comes] == []
        assert at.lobby.tables == {} and await at.journal.current() == []


@on_jumping_clock
async def test_a_newcomer_at_a_table_of_absent_players_is_not_sent_away_with_them() -> None:
    journal = falls_at_the_end()
    async with hall(journal=journal) as first:
        ann, ben, cleo = await first.table("Ann", "Ben", "Cleo")
        cleo.leave()
        await last_action(journal, ann, ben, between_s=1)
    async with hall(journal=journal) as second:
        table, dan = only_table(second), Player(second, "Dan")
        table.join(dan, None)
        await asyncio.sleep(STANDSTILL_S + 1)
        assert dan.at_table() is table
        assert table.seating.guests() == [dan] and not table.seating.awaits()


@on_jumping_clock
async def test_a_player_kicked_before_coming_for_the_result_leaves_a_free_seat() -> None:
    """There is no match any more in which a bot could play on, and nobody has the name."""
    async with after_a_fall() as (at, ann, ben):
        ann2 = await ann.again("Ann", at=at)
        table = only_table(at)
        table.presence.kick(ann2, "Ben")
        await settle()
        assert table.news.info().seats[1].kind is SeatKind.FREE
        assert ann2.notices[-1] == (NoticeCode.KICKED, "Ben")
        with refuses(RefusalCode.KICKED):
            await ben.again("Ben", at=at)
        await asyncio.sleep(GRACE_S + 1)
        assert Player(at, "Ben").name == "Ben"
        table.join(cleo := Player(at, "Cleo"), 1)
        assert cleo.seat == 1


@on_jumping_clock
async def test_a_table_that_went_on_to_a_rematch_is_restored_with_the_newer_match() -> None:
    """The server was killed after the new match began and before the old was forgotten."""

    class NeverForgets(MemoryJournal):
        async def forget(self, match: MatchId) -> None:
            pass

    journal = NeverForgets()
    async with hall(journal=journal) as first:
        ann, ben = await first.table("Ann", "Ben")
        await to_the_end(ann, ben)
        table = only_table(first)
        table.rematch(ann)
        table.rematch(ben)
        await settle()
        assert len(await journal.current()) == 2
        token = ann.token
    async with hall(journal=journal) as second:
        match = only_table(second).match
        assert match is not None and match.id == token.match
        await ann.again("Ann", at=second)
        assert only_table(second).matches == 2


# What cannot be restored -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how",
    [
        {"rules_version": 999},
        {"game": "quoits"},
        {"table": b""},
        {"options": b"\xc1"},
        {"seats": 77},
    ],
    ids=lambda how: next(iter(how)),
)
@on_jumping_clock
async def test_a_match_that_cannot_go_on_is_left_alone_and_harms_no_other(
    how: dict[str, Any],
) -> None:
    async with hall() as first:
        (ann,) = await first.table("Ann", bots=1)
        (eve,) = await first.table("Eve", bots=1)
        kept = first.journal._matches[MatchId(eve.token.match)]
        kept.header = msgspec.structs.replace(kept.header, **how)
    with capture_logs() as logs:
        async with hall(journal=first.journal) as second:
            words = [log["match"] for log in logs if "left alone" in log["event"]]
            assert words == [eve.token.match]
            with pytest.raises(Impossible):
                await eve.again("Eve", at=second)
            ann2 = await ann.again("Ann", at=second)
            assert ann2.name == "Ann"
            assert second.names.claim("Eve") == "Eve"
    assert eve.token.match in await first.journal.current()
    assert await first.journal.tokens(MatchId(eve.token.match))


@on_jumping_clock
async def test_an_entry_that_makes_no_sense_leaves_the_match_alone() -> None:
    async with hall() as first:
        (ann,) = await first.table("Ann", bots=1)
        match = MatchId(ann.token.match)
        version = Version(len((await first.journal.load(match))[1]) + 1)
    await first.journal.append(match, version, entry(0, b"nonsense", 0, b"\xc1"))
    with capture_logs() as logs:
        async with hall(journal=first.journal) as second:
            assert second.lobby.tables == {}
            assert second.names.claim("Ann") == "Ann", "no table holds it"
    assert [log["match"] for log in logs if "left alone" in log["event"]] == [match]


class Elsewhere(MemoryJournal):
    """Another node has what begins here: the first try was kept without a word, and let go of."""

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        raise Claimed(header.match)


async def test_people_of_a_match_that_has_begun_elsewhere_dial_again() -> None:
    async with house(journal=Elsewhere()) as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        code = await ann.create()
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        ann.send(START)
        for peer in (ann, ben):
            assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        assert not at.server.lobby.tables
