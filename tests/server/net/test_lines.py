"""The line of each peer: how long it takes, whose is measured and how often; and a player whose
line is silent keeps the others waiting no longer than one who has dropped."""

import asyncio
from random import Random

import pytest
from hypothesis import given, strategies as st

from protocol.codec import encode_frame
from protocol.from_client import Act, BotSeat, CreateTable, Leave, Pong, SetBot, Start
from protocol.from_server import AtTable, Done, Notice, NoticeCode, ServerPing, Update
from protocol.games.registry import GAMES as VOCABULARIES
from server.config import Limits
from server.games.registry import GAMES
from server.net.session import ROUND_TRIPS, Session
from tests.server.net.test_pace import BURST, SlowTransport, lists, one_session, swept
from tests.server.recording.test_bot_matches import COUNTDOWN
from tests.stage import jumping_clock
from tests.stage.countdown_game import VOCABULARY, Press
from tests.stage.hall import Hall, Player, in_a_hall, settle, table_of
from tests.stage.house import HomeBrains, Peer, house, read_view, seated_pair
from tests.stage.jumping_clock import on_jumping_clock

# How long it takes -------------------------------------------------------------------------------

LAG_MS = 130
"""A server's own cap; by default it is 150."""


async def trips(session: Session, *took_ms: float) -> int:
    """The lag after these round trips."""
    for ms in took_ms:
        session.measure()
        await asyncio.sleep(ms / 1000)
        session.data_received(encode_frame(Pong(session._number)))
        await asyncio.sleep(1)  # within the pace
    return session.lag_ms()


@pytest.mark.parametrize(
    ("took_ms", "lag_ms"),
    [
        ([], 0),
        ([240.5], 120),
        ([240.5, 80.5, 500], 40),
        ([80.5, *[200.5] * (ROUND_TRIPS - 1)], 40),
        ([80.5, *[200.5] * ROUND_TRIPS], 100),
        ([2000], LAG_MS),
    ],
)
@on_jumping_clock
async def test_it_is_half_the_smallest_of_the_newest(took_ms: list[float], lag_ms: int) -> None:
    async with one_session(Limits(lag_ms=LAG_MS)) as on:
        assert await trips(on.session, *took_ms) == lag_ms


@on_jumping_clock
async def test_a_pong_that_answers_nothing_or_again_is_no_measurement() -> None:
    async with one_session() as on:
        assert await trips(on.session, 100.5) == 50
        on.session.measure()
        await asyncio.sleep(0.001)
        for other in (0, 1, 3, 2**53 - 1):
            on.session.data_received(encode_frame(Pong(other)))
        assert on.session.lag_ms() == 50
        await asyncio.sleep(0.0595)
        for _ in range(2):
            on.session.data_received(encode_frame(Pong(2)))
        assert on.session.lag_ms() == 30


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(0, 5)), max_size=20))
def test_whatever_is_answered_it_is_from_nothing_to_the_most(
    answers: list[tuple[int, float]],
) -> None:
    async def asked() -> None:
        async with one_session(Limits(lag_ms=LAG_MS)) as on:
            for number, after_s in answers:
                on.session.measure()
                await asyncio.sleep(after_s)
                on.session.data_received(encode_frame(Pong(number)))
                assert 0 <= on.session.lag_ms() <= LAG_MS
                assert len(on.session._pings or ()) <= ROUND_TRIPS

    jumping_clock.run(asked())


# Whose line is measured --------------------------------------------------------------------------

RACE = "wild_wild_pattern"


def sits_down(session: Session, game: str = RACE) -> None:
    session.data_received(encode_frame(CreateTable(id=0, game=game, seats=2)))


def pings_of(line: SlowTransport) -> list[int]:
    return [message.n for message in line.heard if isinstance(message, ServerPing)]


@on_jumping_clock
async def test_a_player_of_a_race_is_pinged_every_second_and_nobody_else() -> None:
    async with one_session() as on:
        sits_down(on.session, "clocktowers")
        await swept(on.session, 15)
        on.session.data_received(encode_frame(Leave(id=1)))
        await swept(on.session, 1)
        assert pings_of(on.line) == []
        sits_down(on.session)
        await swept(on.session, 5)
        await asyncio.sleep(0)  # written at the end of a turn
        assert pings_of(on.line) == [1, 2, 3, 4, 5]
        on.session.data_received(encode_frame(Leave(id=1)))
        await swept(on.session, 5)
        assert len(pings_of(on.line)) == 5


@on_jumping_clock
async def test_whether_somebody_is_measured_can_be_asked_without_measuring() -> None:
    async with one_session() as on:
        sits_down(on.session)
        table = on.session.at_table()
        assert table is not None and table.measures(on.session)
        await asyncio.sleep(0.1)
        assert pings_of(on.line) == []
        on.session.data_received(encode_frame(SetBot(id=1, seat=1, level="easy")))
        on.session.data_received(encode_frame(Start(id=2)))
        await asyncio.sleep(0.1)
        assert pings_of(on.line) == [1], "the match asks at once"


@on_jumping_clock
async def test_an_answer_is_timed_when_it_arrives_however_long_it_waits() -> None:
    async with one_session() as on:
        on.session.measure()
        await asyncio.sleep(0.0605)
        # More than a burst before the pong: it is served seconds later.
        on.session.data_received(lists(1, 80) + encode_frame(Pong(1)))
        assert on.session.lag_ms() == 0
        await asyncio.sleep(10)
        assert on.session.lag_ms() == 30


@on_jumping_clock
async def test_an_answer_to_a_ping_that_was_not_sent_does_not_count() -> None:
    """The numbers of pings_of are easily guessed, and what comes too fast waits here."""
    async with one_session() as on:
        on.session.data_received(lists(1, 80) + encode_frame(Pong(1)))
        await asyncio.sleep(1)
        on.session.measure()
        await asyncio.sleep(10)
        assert on.session.lag_ms() == 0


@on_jumping_clock
async def test_an_action_that_knows_not_the_newest_version_is_not_held_in_a_race(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others have acted since, and a seat is told of what concerns it and of nothing else."""
    monkeypatch.setitem(VOCABULARIES, COUNTDOWN.rules.id, VOCABULARY)
    monkeypatch.setitem(GAMES, COUNTDOWN.rules.id, COUNTDOWN)

    async with one_session() as (session, line, server):
        server.runner.brains = HomeBrains()
        table = CreateTable(
            id=0,
            game=COUNTDOWN.rules.id,
            seats=2,
            bots=[BotSeat(1, "numb")],
            options={"light_ms": 5000},
        )
        session.data_received(encode_frame(table) + encode_frame(Start(id=1)))
        await asyncio.sleep(6)
        at_table = session.at_table()
        assert at_table is not None and at_table.match is not None
        assert at_table.match.version == 1, "a light is on"
        for first in range(10, 10 + BURST, 8):  # everything that it may ask for at once
            session.data_received(lists(first, first + 7))
            await asyncio.sleep(0)
        assert len(line.answers()) == BURST
        press = Act(id=99, version=0, key=b"k", action=Press())
        session.data_received(encode_frame(press))
        for _ in range(10):
            await asyncio.sleep(0)  # no time goes by
        assert [m.version for m in line.heard if isinstance(m, Done) and m.id == 99] == [2]


# Silence -----------------------------------------------------------------------------------------

LIMITS = Limits()


async def due_and_other(ann: Peer, ben: Peer) -> tuple[Peer, Peer]:
    view = read_view(await ann.until(Update))
    return (ann, ben) if view.turn == view.seat else (ben, ann)


@pytest.mark.parametrize("answers", [False, True])
async def test_the_others_are_told_a_bot_plays_and_a_word_ends_it(answers: bool) -> None:
    async with house() as at:
        due, other = await due_and_other(*(await seated_pair(at))[:2])
        there = at.session(due.name)
        now_s = there.loop.time()
        there.check(now_s + LIMITS.ping_due_s + 1)
        ping = await due.until(ServerPing)
        if answers:
            due.send(Pong(ping.n))
            await due.answered()
        there.check(now_s + LIMITS.quiet_s + LIMITS.ping_due_s + 1)
        if answers:
            await due.until(ServerPing)
            await other.answered()
            heard = [said.code for said in other.seen if isinstance(said, Notice)]
            assert NoticeCode.DROPPED not in heard
            return
        for code in (NoticeCode.DROPPED, NoticeCode.BOT_TOOK_OVER, NoticeCode.CAME_BACK):
            if code == NoticeCode.CAME_BACK:
                due.send(Pong(ping.n))
            notice = await other.until(Notice, lambda notice, code=code: notice.code == code)  # type: ignore[misc]
            assert notice.params["name"] == due.name


async def silent_pair(at: Hall) -> tuple[Player, Player]:
    ann, ben = await at.table("Ann", "Ben")
    due, other = (ann, ben) if ann.may_act() else (ben, ann)
    table_of(due).presence.falls_silent(due)
    return due, other


def codes(player: Player) -> list[str]:
    return [str(notice.code) for notice in player.heard(Notice)]


@in_a_hall()
async def test_the_seat_shows_as_dropped_and_the_grace_is_that_of_one_who_dropped(at: Hall) -> None:
    due, other = await silent_pair(at)
    await settle()
    seat = due.seat
    assert other.heard(AtTable)[-1].info.seats[seat].dropped
    await asyncio.sleep(LIMITS.grace_s - 1)
    table_of(due).presence.is_heard(due)
    await settle()
    assert codes(other)[-2:] == ["dropped", "came_back"]
    assert not other.heard(AtTable)[-1].info.seats[seat].dropped
    await asyncio.sleep(LIMITS.grace_s * 2)
    assert due.may_act()


@in_a_hall()
async def test_the_cut_that_follows_gives_no_second_grace(at: Hall) -> None:
    due, other = await silent_pair(at)
    await asyncio.sleep(LIMITS.grace_s - 5)
    due.drop()
    assert codes(other).count("dropped") == 1
    await asyncio.sleep(6)
    assert "bot_took_over" in codes(other)


@in_a_hall()
async def test_a_bot_that_played_meanwhile_goes_on_after_the_cut_and_the_owner_may_come_back(
    at: Hall,
) -> None:
    due, other = await silent_pair(at)
    await asyncio.sleep(LIMITS.grace_s + 5)
    due.drop()
    assert codes(other).count("bot_took_over") == 1
    rng = Random(1)
    await settle()
    while not other.may_act():  # noqa: ASYNC110  (the clock jumps)
        await asyncio.sleep(1)
    await other.act(rng)
    back = await due.again("Ann")
    assert table_of(back).seating.chairs[back.seat].guest is back
    assert codes(other)[-1] == "came_back"


@in_a_hall()
async def test_nobody_is_silent_where_nobody_waits(at: Hall) -> None:
    (alone,) = await at.table("Ann", bots=1)
    table_of(alone).presence.falls_silent(alone)
    ann, ben = await at.table("Cia", "Dan")
    for player in (ann, ben):
        if not player.may_act():
            table_of(player).presence.falls_silent(player)
    await settle()
    assert "dropped" not in [*codes(alone), *codes(ann), *codes(ben)]
