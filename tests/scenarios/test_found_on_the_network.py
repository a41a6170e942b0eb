"""A friend without an address: `clocktowers join`, arrows and Enter, on a network of its own."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.pseudo_terminal import PseudoTerminal, environment
from tests.stage.network import cable, needs_networks
from tests.stage.processes import PROGRAM, started

JOIN: Sequence[str] = (PROGRAM[0], "-P", "-m", "clocktowers_tui", "join", "--name", "Björn")


@needs_networks
@pytest.mark.parametrize(
    "ipv4",
    [False, pytest.param(True, marks=pytest.mark.soak)],
    ids=["IPv6 alone", "IPv4 too"],
)
async def test_a_friend_finds_the_server_and_is_in_its_lobby(tmp_path: Path, ipv4: bool) -> None:
    with cable(ipv4=ipv4) as (home, friend):
        flags = ("--host", "0.0.0.0", "--host", "::", "--announce", "--server-name", "Thursdays")
        program = (*home.enter, *PROGRAM)
        async with started(tmp_path / "server", "serve", *flags, program=program) as server:
            await server.listens()
            environ = environment(str(tmp_path)) | {"CLOCKTOWERS_NEARBY": ""}
            command = (*friend.enter, *JOIN)
            async with PseudoTerminal.run_program(command, environ) as terminal:
                await terminal.sees("Thursdays", "on your network")
                terminal.press("\r")
                await terminal.sees("as Björn", "New table")
            again = (*friend.enter, *JOIN)
            async with PseudoTerminal.run_program(again, environment(str(tmp_path))) as terminal:
                await terminal.sees("joined before", f":{server.port}")
