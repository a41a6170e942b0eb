"""A journal that has lost what players have seen: they are told, and the host's log says it."""

import asyncio
from pathlib import Path
from random import Random

from structlog.testing import capture_logs

from protocol.from_client import Resume
from protocol.from_server import Notice, NoticeCode, Refused, SeatToken
from protocol.refusal import RefusalCode
from server.store.sqlite import FILE_NAME, connect_to, journal_in
from tests.stage.house import House, Peer, house, seated_pair

LOST = "DELETE FROM log WHERE version > 2"
"""As a server does that begins on an old copy."""
CHANGED = "UPDATE log SET action = x'00' WHERE version = 2"


async def played(folder: Path) -> tuple[Peer, Peer]:
    async with journal_in(folder) as journal, house(journal=journal) as at:
        ann, ben, _code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 6), ben.play(Random(2), 6))
        await ann.answered()
        return ann, ben


def token_of(peer: Peer) -> SeatToken:
    return [message for message in peer.seen if isinstance(message, SeatToken)][-1]


async def back(at: House, peer: Peer, version: int) -> list[Notice]:
    again, token = await at.peer("Somebody"), token_of(peer)
    await again.done(Resume(id=0, match=token.match, token=token.token, version=version))
    await again.answered()
    return [message for message in again.seen if isinstance(message, Notice)]


def damaged(folder: Path, statement: str) -> None:
    connection = connect_to(folder / FILE_NAME)
    assert connection.execute(statement).rowcount
    connection.close()


async def test_who_has_seen_more_than_the_journal_has_is_told(tmp_path: Path) -> None:
    ann, ben = await played(tmp_path)
    damaged(tmp_path, LOST)
    with capture_logs() as logs:
        async with journal_in(tmp_path) as journal, house(journal=journal) as at:
            told = [notice for notice in await back(at, ann, 5) if notice.code == "went_back"]
            assert told == [Notice(NoticeCode.WENT_BACK, {"version": 2, "seen": 5})]
            assert not [n for n in await back(at, ben, 2) if n.code == NoticeCode.WENT_BACK]
    (log,) = [log for log in logs if log["event"] == "match went back"]
    assert (log["version"], log["seen"], log["name"]) == (2, 5, "Ann")


async def test_a_match_that_was_changed_is_named_and_not_played(tmp_path: Path) -> None:
    ann, _ben = await played(tmp_path)
    damaged(tmp_path, CHANGED)
    with capture_logs() as logs:
        async with journal_in(tmp_path) as journal, house(journal=journal) as at:
            token = token_of(ann)
            peer = await at.peer("Somebody")
            answer = await peer.request(Resume(id=0, match=token.match, token=token.token))
            assert isinstance(answer, Refused) and answer.code == RefusalCode.NO_SUCH_MATCH
            await seated_pair(at)
    (log,) = [log for log in logs if "left alone" in log["event"]]
    assert log["match"] == token.match
    assert "version 2 is not what was written" in log["why"]
