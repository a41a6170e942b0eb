"""A port is read out of a server's own words only when the line has come through whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.stage.listening import port_in, port_of


@pytest.mark.parametrize(
    "said",
    [
        "Listening on 127.0.0.1:40123\n",
        "starting\n2026-01-02 03:04:05 [info] listening host=127.0.0.1 port=40123\n",
        '{"event": "listening", "host": "0.0.0.0", "port": 40123}\n',
        "listening on [::1]:40123 (this machine only)\n",
    ],
)
def test_the_port_is_found(said: str) -> None:
    assert port_in(said) == 40123


@pytest.mark.parametrize("said", ["", "listening on 127.0.0.1:401", "match 127 of 40123\n"])
def test_no_port_is_made_up(said: str) -> None:
    assert port_in(said) is None


def test_a_server_that_ends_at_once_is_not_waited_for(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.touch()
    with subprocess.Popen([sys.executable, "-c", ""]) as server:
        assert port_of(server, log, within_s=3600) is None
