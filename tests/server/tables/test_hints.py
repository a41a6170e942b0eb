"""Hints over a real socket: what they are made of, who may ask, how often, and who is told."""

from typing import Any

import pytest
from msgspec import msgpack

from protocol.codec import read_as
from protocol.errors import RefusalCode
from protocol.from_client import Act, Hint, Join, Leave, Watch
from protocol.from_server import AtTable, Done, History, Notice, NoticeCode, Started, Update
from protocol.games.registry import GAMES as VOCABULARIES
from server.bots import brains
from server.config import Limits
from server.games.clocktowers import search
from server.games.clocktowers.search import Effort
from server.games.contract import Decided
from tests.server.tables.test_bots import own_turn
from tests.stage.house import (
    LENIENT,
    READY,
    START,
    GatedBrains,
    HomeBrains,
    House,
    Listening,
    Peer,
    house,
    read_view,
    seated_pair,
)

HINT = Hint(id=0)


@pytest.fixture(autouse=True)
def _never_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is cut off says something else; what is asked here holds for a short one."""
    monkeypatch.setattr(brains, "THINKING_S", 600)
    monkeypatch.setattr(brains, "DECISION_TIMEOUT_S", 600)
    monkeypatch.setattr(search, "EXPERT", Effort(48, 8, 4))


async def alone(at: House, game: str = "clocktowers", **wish: Any) -> Peer:
    """Ann against a bot; the match has begun."""
    ann = await at.peer("Ann")
    ann.game = game
    await ann.create(seats=2, bots="normal", **wish)
    await ann.done(START)
    return ann


def worked_out(peer: Peer, update: Update, planned: Any) -> Any:
    """The hint for this update and its plan, from nothing but what this peer was sent."""
    seat = read_view(update, peer.game).seat
    told = (m for m in peer.seen if isinstance(m, History | Update))
    events = [e for m in told if m.version <= update.version for e in m.events]
    packed = msgpack.encode(update.view), msgpack.encode(events)
    sha256 = next(m.sha256 for m in peer.seen[::-1] if isinstance(m, Started))
    seed = f"{sha256}/{seat}/{len(events)}"
    planned = planned and read_as(planned, VOCABULARIES[peer.game].action)
    return msgpack.decode(brains.decide(peer.game, brains.HINT, *packed, seed, planned))


async def hints_of(peer: Peer, count: int) -> list[tuple[Any, Any]]:
    """Ask at so many turns of this peer and do what is named; each hint with its plan, and what
    they have to be."""
    found: list[tuple[Any, Any]] = []
    planned = None
    while len(found) < count:
        update = await own_turn(peer)
        answer = await peer.done(HINT)
        assert answer.version == update.version
        found.append(([answer.action, answer.plan], worked_out(peer, update, planned)))
        planned = answer.plan
        await act(peer, update, answer.action)
    return found


async def act(peer: Peer, update: Update, action: Any) -> None:
    action, key = read_as(action, VOCABULARIES[peer.game].action), b"%d" % update.version
    await peer.done(Act(id=0, version=update.version, key=key, action=action))


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti"])
async def test_a_hint_is_what_the_strongest_bot_does_or_the_last_one_planned(game: str) -> None:
    """With what the seat was sent; a plan holds only for a player who did what the hint said."""
    listening = Listening()
    async with house(brains=listening) as at:
        ann = await alone(at, game)
        hints = await hints_of(ann, 3)
        for named, known in hints:
            assert named == known
        if game == "clocktowers":  # a play, a draw, a play
            update = await own_turn(ann)
            [_draw, pile] = (await ann.done(HINT)).action
            await act(ann, update, ["draw", (pile + 1) % 3])
            await own_turn(ann)
            await ann.done(HINT)
            planned = read_as(hints[1][0][1], VOCABULARIES[game].action)
            known = [None, None, planned, None, None]
            assert [one[3] for one in listening.asked if one[3:]] == known


async def actor_and_other(at: House, **wish: Any) -> tuple[Peer, Peer]:
    """Two people in a match: whose turn it is, and the other."""
    ann, ben, _code = await seated_pair(at, **wish)
    view = read_view(await ann.until(Update))
    await ben.until(Update)
    return (ann, ben) if view.turn == view.seat else (ben, ann)


def allowed(peer: Peer) -> bool:
    """Whether the newest table that this peer was sent gives hints."""
    return [message for message in peer.seen if isinstance(message, AtTable)][-1].info.hints


@pytest.mark.parametrize("wish", [{"preset": "practice"}, {"hints": True}])
async def test_two_people_have_them_in_the_practice_of_a_race(wish: dict[str, Any]) -> None:
    """As its form says; where they hurry there are none, whatever is wished."""
    async with house() as at:
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        ann.game = ben.game = "wild_wild_pattern"
        table = await ann.create(seats=2, **wish)
        await ben.done(Join(id=0, table=table))
        await ben.done(READY)
        await ann.done(START)
        await ann.until(Update)
        assert allowed(ann) is ("preset" in wish)
        if allowed(ann):
            assert (await ann.done(HINT)).action == ["ready"]
        else:
            assert (await ann.refused(HINT)).code == RefusalCode.NO_HINTS


async def test_two_who_play_each_other_have_them_where_the_host_allows_it_and_all_are_told() -> (
    None
):
    async with house() as at:
        actor, _other = await actor_and_other(at)
        assert (await actor.refused(HINT)).code == RefusalCode.NO_HINTS
        assert not allowed(actor)
        actor, other = await actor_and_other(at, hints=True)
        assert (await actor.done(HINT)).action is not None
        notice = await other.until(Notice, lambda n: n.code == NoticeCode.ASKED_FOR_HINT)
        assert notice.params["name"] == actor.name
        assert (await other.refused(HINT)).code == RefusalCode.NOT_YOUR_TURN
        assert allowed(other)


async def test_alone_the_player_can_forbid_them_and_a_watcher_has_none() -> None:
    async with house() as at:
        ann = await alone(at, hints=False)
        await own_turn(ann)
        assert (await ann.refused(HINT)).code == RefusalCode.NO_HINTS
        wim = await at.peer("Wim")
        await wim.done(Watch(id=0, table=next(iter(at.server.lobby.tables))))
        assert (await wim.refused(HINT)).code == RefusalCode.NOT_SEATED


async def test_a_seat_has_so_many_in_a_minute_where_others_play() -> None:
    async with house(limits=Limits(hints_per_minute=2)) as at:
        ann = await alone(at)
        await own_turn(ann)
        actor, _other = await actor_and_other(at, hints=True)
        for asking in (actor, actor, ann, ann, ann):
            await asking.done(HINT)
        refused = await actor.refused(HINT)
        assert refused.code == RefusalCode.TOO_MANY_HINTS
        assert 0 < refused.params["wait_s"] <= 30  # type: ignore[operator]


class Gated(GatedBrains):
    """A hint is decided only when the gate is open, or never: None."""

    lost = False

    async def choose(self, *question: Any) -> Decided | None:
        if question[1] != brains.HINT:
            return await HomeBrains.choose(self, *question)
        return None if self.lost else await super().choose(*question)


async def test_a_seat_has_one_under_way_and_the_same_question_is_decided_once() -> None:
    brains = Gated()
    async with house(limits=LENIENT, brains=brains) as at:
        ann = await alone(at)
        await own_turn(ann)
        brains.lost = True
        assert (await ann.refused(HINT)).code == RefusalCode.BUSY
        brains.lost = False
        ann.send(Hint(id=900))
        assert (await ann.refused(HINT)).code == RefusalCode.BUSY
        brains.gate.set()
        first = await ann.answer(900)
        brains.lost = True
        assert isinstance(first, Done) and (await ann.done(HINT)).action == first.action


async def test_who_leaves_meanwhile_gets_the_answer_all_the_same() -> None:
    brains = Gated()
    async with house(brains=brains) as at:
        ann = await alone(at)
        await own_turn(ann)
        ann.send(Hint(id=900))
        await ann.done(Leave(id=0))
        brains.gate.set()
        # The match ends with its only player; the answer may have come before that of `leave`.
        while not any(getattr(said, "id", None) == 900 for said in ann.seen):
            await ann.answered()
