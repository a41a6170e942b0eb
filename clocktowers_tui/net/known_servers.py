"""By what the player knows each server: a file with a line for each, HOST:PORT and a word
(`Trust.on_disk`). Players may read it, and delete lines.

Without a disk each first time is the first: then a changed key is noticed only as long as the
program runs.
"""

from pathlib import Path
from typing import Final

import platformdirs

from clocktowers_tui.config.files import locked, write
from clocktowers_tui.config.log_file import note
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.identity import server_name
from clocktowers_tui.net.trust import FIRST_USE, Trust, from_disk

MOST_SERVERS: Final = 1000
"""Beyond, the server that was not met for longest is forgotten."""

_met: dict[str, Trust] = {}
"""Since this program began."""


def known_server(address: Address) -> Trust:
    """By what this server is known; `FIRST_USE` for one that is not."""
    name = server_name(address)
    return _met.get(name) or _read_servers().get(name, FIRST_USE)


def keep_known(address: Address, trust: Trust) -> None:
    """From now on the server there is known by this."""
    name = server_name(address)
    if known_server(address) == trust:
        return
    _met[name] = trust
    try:
        with locked(_servers_file()):
            servers = _read_servers()
            servers.pop(name, None)
            newest = [*servers.items(), (name, trust)][-MOST_SERVERS:]
            lines = (f"{name} {trust.on_disk()}\n" for name, trust in newest)
            write(_servers_file(), "".join(lines).encode())
    except OSError as error:
        note(f"the key of {name} is not kept: {_servers_file()}: {error.strerror}")


def _servers_file() -> Path:
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "known-servers"


def _read_servers() -> dict[str, Trust]:
    try:
        lines = _servers_file().read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    found = (line.partition(" ") for line in lines)
    read = {name: from_disk(word.strip()) for name, _blank, word in found}
    return {name: trust for name, trust in read.items() if not trust.is_open}
