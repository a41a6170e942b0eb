"""What a server keeps in its folder. Without a folder its bans and invitations end with it, and it
has neither TLS nor guests."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.admission.gate import ServerPassword
from server.config import Config
from server.doors.certificate import Certificate, for_server
from server.doors.entrance import Doors
from server.guests.inside import inside
from server.guests.keeping import KINDS, Keeping, opens
from server.net.caller import Caller
from server.store.bans import Ban, load_bans
from server.store.invitations import Kept, load_invitations


@dataclass(frozen=True)
class Belongings:
    """`certificate`: what it shows inside TLS; `guests`: the process of their doors; None = it has
    none. `shut`: the doors for guests that stay shut."""

    folder: Path | None = None
    bans: Sequence[Ban] = ()
    invitations: Sequence[Kept] = ()
    certificate: Certificate | None = None
    guests: Keeping | None = None
    shut: frozenset[str] = frozenset(KINDS)

    def doors(self, session: Callable[[Caller], asyncio.Protocol]) -> Doors:
        """`session`: how to speak with players."""
        doors = Doors(session, certificate=self.certificate)
        if self.guests is None:
            return doors
        return doors._replace(ssh=self.guests.ssh, pages=self.guests.web)

    def chores(
        self, session: Callable[[Caller], asyncio.Protocol]
    ) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs beside the server, as long as it does: the guests' socket, and a watch on the
        certificate's files."""
        if self.folder is not None and self.guests is not None:
            yield inside(self.folder, session)
        if self.certificate is not None:
            yield self.certificate.watch()

    def close(self) -> None:
        if self.guests is not None:
            self.guests.close()


def kept_in(folder: Path, config: Config, word: ServerPassword) -> Belongings:
    """Those in this folder, which are made where there are none. `word`: as in `Admission`. Raises
    ConfigError and Unusable."""
    open_ = {kind for kind in KINDS if opens(kind, config)}
    return Belongings(
        folder,
        load_bans(folder),
        load_invitations(folder),
        for_server(config, folder),
        Keeping(config, folder, word) if open_ else None,
        shut=frozenset(KINDS) - open_,
    )
