"""One peer's many requests do not keep the others waiting: they are served a few a turn."""

import pytest

from protocol.codec import encode_frame
from protocol.from_client import ListTables
from server import server as server_module
from server.net import router, session as session_module
from server.net.service import Service
from tests.stage.house import house

REQUESTS = 1000


async def served_meanwhile(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many of one peer's thousand requests in one write are served before another peer's
    request.

    Both are in the server's buffers before either is read, so a turn of the loop has both.
    """
    served: list[str] = []

    def dispatch(service: Service, session: session_module.Session, message: object) -> None:
        served.append(session.name)
        router.dispatch(service, session, message)

    monkeypatch.setattr(server_module, "dispatch", dispatch)
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        served.clear()
        ann.write(b"".join(encode_frame(ListTables(id=n)) for n in range(REQUESTS)))
        ben.write(encode_frame(ListTables(id=1)))
        await ben.answer(1)
        before = served.index("Ben")
        await ann.answer(REQUESTS - 1)
        assert served.count("Ann") == REQUESTS
    return before


async def test_another_is_served_after_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await served_meanwhile(monkeypatch) <= 4 * session_module.MESSAGES_A_TURN


async def test_a_server_that_serves_all_at_once_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    few = session_module.MESSAGES_A_TURN
    monkeypatch.setattr(session_module, "MESSAGES_A_TURN", REQUESTS)
    assert await served_meanwhile(monkeypatch) > 4 * few
