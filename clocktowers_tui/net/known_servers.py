"""By what each server was known the first time: a file with a line for each, HOST:PORT and a word
(`trust.on_disk`). Players may read it, and delete lines.

Laws: the file is its owner's alone, and is whole or the one before. Without a disk each first time
is the first: then a changed key is noticed only as long as the program runs.
"""

from pathlib import Path
from typing import Final

import platformdirs

from clocktowers_tui.config.log_file import note
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.identity import locked, server_name, write
from clocktowers_tui.net.trust import FIRST_USE, Trust, from_disk

MOST: Final = 1000
"""Beyond, the server that was not met for longest is forgotten."""

_met: dict[str, Trust] = {}
"""Since this program began."""


def known(address: Address) -> Trust:
    """By what this server is known; `FIRST_USE` for one that is not."""
    name = server_name(address)
    return _met.get(name) or _read().get(name, FIRST_USE)


def keep(address: Address, trust: Trust) -> None:
    """From now on the server there is known by this."""
    name = server_name(address)
    if known(address) == trust:
        return
    _met[name] = trust
    try:
        with locked(_file()):
            servers = _read()
            servers.pop(name, None)
            newest = [*servers.items(), (name, trust)][-MOST:]
            lines = (f"{name} {trust.on_disk()}\n" for name, trust in newest)
            write(_file(), "".join(lines).encode())
    except OSError as error:
        note(f"the key of {name} is not kept: {_file()}: {error.strerror}")


def _file() -> Path:
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "known-servers"


def _read() -> dict[str, Trust]:
    try:
        lines = _file().read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    found = (line.partition(" ") for line in lines)
    read = {name: from_disk(word.strip()) for name, _blank, word in found}
    return {name: trust for name, trust in read.items() if not trust.is_open}
