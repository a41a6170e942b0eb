"""A player whose line is silent keeps the others waiting no longer than one who has dropped."""

import asyncio
from functools import partial
from random import Random

import pytest

from protocol.from_client import Pong
from protocol.from_server import AtTable, Notice, NoticeCode, Ping, Update
from server.config import Limits
from server.net import peers
from server.net.silence import Silence
from tests.stage.hall import Hall, Player, run, settle, table_of
from tests.stage.house import Peer, house, read_view, seated_pair

LIMITS = Limits()


def pings(silence: Silence, seconds: int, *, due: bool) -> list[int]:
    """When the peer is asked, looked at once a second."""
    asked = []
    for now_s in range(1, seconds + 1):
        if silence.wants_ping(now_s, due=due):
            silence.pinged(now_s)
            asked.append(now_s)
    return asked


def test_whose_action_is_due_is_asked_sooner() -> None:
    assert pings(Silence(LIMITS, 0.0), 20, due=True) == [6, 12, 18]
    assert pings(Silence(LIMITS, 0.0), 50, due=False) == [21, 42]


def test_only_what_is_not_answered_counts() -> None:
    silence = Silence(LIMITS, 0.0)
    assert not silence.keeps_others_waiting(18.0)  # nobody has asked
    silence.pinged(18.0)
    assert not silence.keeps_others_waiting(22.0)
    assert silence.keeps_others_waiting(23.0)
    silence.heard(23.0)
    assert not silence.keeps_others_waiting(60.0)


def has_code(code: NoticeCode, said: Notice) -> bool:
    return said.code == code


async def due_and_other(ann: Peer, ben: Peer) -> tuple[Peer, Peer]:
    view = read_view(await ann.until(Update))
    return (ann, ben) if view.turn == view.seat else (ben, ann)


@pytest.mark.parametrize("answers", [False, True])
async def test_the_others_are_told_a_bot_plays_and_a_word_ends_it(
    answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "SWEEP_S", 0.01)
    limits = Limits(ping_s=60, ping_due_s=0.05, quiet_s=0.2, grace_s=0.1)
    async with house(limits=limits) as at:
        due, other = await due_and_other(*(await seated_pair(at))[:2])
        ping = await due.until(Ping)
        if answers:
            for _turn in range(10):
                due.send(Pong(ping.n))
                ping = await due.until(Ping)
            assert not [
                said for said in other.seen if isinstance(said, Notice) and said.code == "dropped"
            ]
            return
        for code in (NoticeCode.DROPPED, NoticeCode.BOT_TOOK_OVER):
            notice = await other.until(Notice, partial(has_code, code))
            assert notice.params["name"] == due.name
        due.send(Pong(ping.n))
        await other.until(Notice, partial(has_code, NoticeCode.CAME_BACK))
        await due.answered()


async def silent_pair(at: Hall) -> tuple[Player, Player]:
    ann, ben = await at.table("Ann", "Ben")
    due, other = (ann, ben) if ann.may_act() else (ben, ann)
    table_of(due).falls_silent(due)
    return due, other


def codes(player: Player) -> list[str]:
    return [str(notice.code) for notice in player.heard(Notice)]


def test_the_seat_shows_as_dropped_and_the_grace_is_that_of_one_who_dropped() -> None:
    async def scene(at: Hall) -> None:
        due, other = await silent_pair(at)
        await settle()
        seat = due.seat
        assert other.heard(AtTable)[-1].info.seats[seat].dropped
        await asyncio.sleep(LIMITS.grace_s - 1)
        table_of(due).is_heard(due)
        await settle()
        assert codes(other)[-2:] == ["dropped", "came_back"]
        assert not other.heard(AtTable)[-1].info.seats[seat].dropped
        await asyncio.sleep(LIMITS.grace_s * 2)
        assert due.may_act()

    run(scene)


def test_the_cut_that_follows_gives_no_second_grace() -> None:
    async def scene(at: Hall) -> None:
        due, other = await silent_pair(at)
        await asyncio.sleep(LIMITS.grace_s - 5)
        due.drop()
        assert codes(other).count("dropped") == 1
        await asyncio.sleep(6)
        assert "bot_took_over" in codes(other)

    run(scene)


def test_a_bot_that_played_meanwhile_goes_on_after_the_cut_and_the_owner_may_come_back() -> None:
    async def scene(at: Hall) -> None:
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

    run(scene)


def test_nobody_is_silent_where_nobody_waits() -> None:
    async def scene(at: Hall) -> None:
        (alone,) = await at.table("Ann", bots=1)
        table_of(alone).falls_silent(alone)
        ann, ben = await at.table("Cia", "Dan")
        for player in (ann, ben):
            if not player.may_act():
                table_of(player).falls_silent(player)
        await settle()
        assert "dropped" not in [*codes(alone), *codes(ann), *codes(ben)]

    run(scene)
