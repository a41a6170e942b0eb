"""What another player writes does not act on a guest's terminal, over SSH or as frames of a
WebSocket."""

import sys
from contextlib import AsyncExitStack
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol import text
from protocol.from_client import Say
from protocol.from_server import Done
from server.guests import keeping
from tests.clocktowers_tui.test_hostile_text import PAYLOADS, foreign
from tests.stage.at_doors import DoorTerminal, frames, sits_down, still
from tests.stage.changed_client import open_gate, uncleaned
from tests.stage.changed_server import changed
from tests.stage.guests import SshServer, needs_ssh
from tests.stage.house import AT_HOME, LENIENT, eventually, house, new_folder_with_key
from tests.stage.processes import needs_proc

pytestmark = [needs_ssh, needs_proc]

LONG: Final = 4096
TITLE: Final = "Q\x1b]52;c;eA==\x07\u202e[@click=app.quit]x"
SAID: Final = (
    *PAYLOADS.values(),
    "\u202eQlong\u200b" * (LONG // 7),
    "\x1b]52;c;cHduZWQ=\x07\x1b]8;;http://evil.example\x07Qend\x1b]8;;\x07",
)

_SCREEN: Final = b"\x1b[?1049h"
"""Before it a guest without a name is asked for one, line by line."""


@pytest.fixture
def server_uncleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    clean = text.clean
    for module in [*sys.modules.values()]:
        if getattr(module, "clean", None) is clean:
            monkeypatch.setattr(module, "clean", lambda typed: typed)


@pytest.fixture
def guests_uncleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = ",".join(one.__name__ for one in (uncleaned, open_gate))
    monkeypatch.setattr(keeping, "_PROGRAM", (*changed("doors"), changes))


async def heard(title: str = TITLE) -> dict[str, list[str]]:
    """By door, what came to a guest's terminal there and is neither to be read nor the client's
    own, while somebody of bad will has made the table, and talks."""
    folder = new_folder_with_key()
    config = replace(AT_HOME, doors=("plain", "ssh", "web"))
    limits = replace(LENIENT, grace_s=600, chat_burst=100)
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(house(folder=folder, config=config, limits=limits))
        server = SshServer(folder, folder, at.address.port, None)  # type: ignore[arg-type]
        foe = await stack.enter_async_context(await at.peer("Q\u200bfoe[/]"))
        code = await foe.create(seats=3, title=title)
        ends: dict[str, Any] = {
            "ssh": DoorTerminal(await stack.enter_async_context(server.dial("Sara", "sara"))),
            "web": await stack.enter_async_context(frames(server.port)),
        }
        await ends["web"].sees("Your name")
        await ends["web"].press(*"Wanda", "Enter")

        for end in ends.values():
            await end.sees("New table")

            await sits_down(end, code)
            await end.press("/")
            await end.sees("Say: ")
        taken = [isinstance(await foe.request(Say(id=0, text=line)), Done) for line in SAID]
        assert taken[-1]
        for end in ends.values():
            await eventually(lambda end=end: b"Qend" in end.painted)  # type: ignore[misc]
            await still(end)
        shown = {door: end.painted.partition(_SCREEN)[2] for door, end in ends.items()}
        return {door: foreign(painted) for door, painted in shown.items()}


@pytest.mark.usefixtures("server_uncleaned")
@pytest.mark.soak
async def test_nothing_comes_out_even_where_the_server_lets_everything_through() -> None:
    assert await heard() == {"ssh": [], "web": []}


@pytest.mark.usefixtures("server_uncleaned", "guests_uncleaned")
@pytest.mark.soak
async def test_without_any_cleaning_it_comes_out_at_both_doors() -> None:
    found = await heard(title="Evening")  # the list of tables can be read
    assert found["ssh"] and found["web"]
