"""Over real sockets: the connection breaks in the middle of a turn, and the player comes back as if
it had not; nobody but its owner sees the token."""

import asyncio
from random import Random
from typing import Any

import structlog
from msgspec import structs

from protocol.codec import encode
from protocol.errors import GoodbyeCode
from protocol.from_client import Resume, Watch
from protocol.from_server import Done, Ended, SeatToken, Update
from server.config import Limits
from tests.scenarios.test_restarts import back, token_of
from tests.stage.house import House, Peer, eventually, house, read_view, seated_pair, some_act

PATIENT = Limits(grace_s=60)


async def at_turn(ann: Peer, ben: Peer, ply: int) -> tuple[Peer, Update]:
    """Both have played so far; returns who is to act now, and the view for it."""
    updates = await asyncio.gather(ann.play(Random(1), ply), ben.play(Random(2), ply))
    for peer, update in zip((ann, ben), updates, strict=True):
        assert isinstance(update, Update)
        if read_view(update).turn == read_view(update).seat:
            return peer, update
    raise AssertionError("nobody is to act")


async def test_the_older_connection_is_told_and_its_late_close_changes_nothing() -> None:
    async with house(limits=Limits(grace_s=0)) as at:
        ann, ben, code = await seated_pair(at)
        await ann.until(Update)
        newer = await back(at, ann)
        assert newer.name == "Ann"
        assert (await ann.goodbye()).code == GoodbyeCode.TAKEN_OVER
        await ann.close()
        await eventually(lambda: len(at.server.peers.connected) == 2)
        async with await at.peer("Wim") as watcher:
            await watcher.done(Watch(id=0, table=code))
            info = at.table(code).news.info()
            assert [(seat.name, seat.away, seat.dropped) for seat in info.seats] == [
                ("Ann", False, False),
                ("Ben", False, False),
            ]
        await asyncio.gather(newer.play(Random(1)), ben.play(Random(2)))
        for peer in (newer, ben):
            await peer.close()
        await eventually(lambda: not at.server.names._uses)


async def test_what_is_asked_behind_a_resume_is_served_at_the_seat() -> None:
    """Requests need not wait for answers; the server serves them in their order."""
    async with house(limits=PATIENT) as at:
        ann, ben, _code = await seated_pair(at)
        actor, update = await at_turn(ann, ben, 4)
        actor.abort()
        async with await at.peer("Ann") as again:
            token = token_of(actor)
            again.send(Resume(id=71, match=token.match, token=token.token, version=update.version))
            again.send(structs.replace(some_act(update, Random(1000)), id=72))
            answers = [await again.until(Done) for _ in range(2)]
            assert [answer.id for answer in answers] == [71, 72]
            assert answers[1].version == update.version + 1
        for peer in (ann, ben):
            peer.abort()


# Nobody else sees it -----------------------------------------------------------------------------


async def evening(at: House) -> tuple[dict[str, list[bytes]], dict[str, list[bytes]]]:
    """Two players who drop and come back, and a watcher: by name, all the bytes that each was sent,
    and all the tokens."""
    ann, ben, code = await seated_pair(at)
    watcher = await at.peer("Wim")
    await watcher.done(Watch(id=0, table=code))
    await watcher.until(Update)
    lines = {"Ann": [ann], "Ben": [ben], "Wim": [watcher]}
    for round_ in range(3):
        for name in ("Ann", "Ben"):
            old = lines[name][-1]
            await old.play(Random(0), 0)
            if round_ % 2:
                old.abort()
            lines[name].append(await back(at, old))
            await lines[name][-1].play(Random(0), 0)
    ends = (lines["Ann"][-1].play(Random(1)), lines["Ben"][-1].play(Random(2)))
    await asyncio.gather(*ends)
    await watcher.until(Ended)
    seen = {name: [encode(m) for peer in peers for m in peer.seen] for name, peers in lines.items()}
    tokens = {
        name: [m.token for peer in peers for m in peer.seen if isinstance(m, SeatToken)]
        for name, peers in lines.items()
    }
    for peers in lines.values():
        for peer in peers:
            peer.abort()
    return seen, tokens


def leaks(seen: dict[str, list[bytes]], tokens: dict[str, list[bytes]]) -> list[str]:
    """Who was sent whose token."""
    return [
        f"{name} has a token of {owner}"
        for name, messages in seen.items()
        for owner, theirs in tokens.items()
        for token in theirs
        if name != owner and any(token in message for message in messages)
    ]


async def test_a_token_is_sent_to_its_owner_and_never_logged() -> None:
    logged: list[Any] = []

    def keep(_logger: Any, _method: str, event: Any) -> Any:
        logged.append(repr(event))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[keep])
    try:
        async with house(limits=PATIENT) as at:
            seen, tokens = await evening(at)
    finally:
        structlog.configure(**before)
    assert [len(tokens[name]) for name in ("Ann", "Ben", "Wim")] == [4, 4, 0]
    assert len({token for theirs in tokens.values() for token in theirs}) == 8
    assert leaks(seen, tokens) == []
    assert logged
    for token in (token for theirs in tokens.values() for token in theirs):
        for shape in (token.hex(), repr(token)[2:-1]):
            assert not any(shape in line for line in logged)
