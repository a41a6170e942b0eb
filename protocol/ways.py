"""How friends come to the server that a client has started: that server tells its client."""

from typing import TypeAlias

from msgspec import Struct

Where: TypeAlias = tuple[str, int]
"""A host and a port."""


class Ways(Struct, frozen=True):
    """`invitation`: the line, and `page`: the same as a web address; "" = there is none. `ssh`:
    where that door is found, None = it is shut, and `ssh_key`: the fingerprint of its key, as SSH
    clients show it. `nearby`: the server tries to tell the local network of itself."""

    invitation: str = ""
    page: str = ""
    ssh: Where | None = None
    ssh_key: str = ""
    nearby: bool = False
