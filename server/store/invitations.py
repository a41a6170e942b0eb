"""The invitations of a server in a file of their own, beside the bans."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from server.store.whole import load_file

INVITATIONS: Final = "invitations.json"


class Kept(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An invitation. `name`: by which it is listed and revoked; `sha256`: of its secret, in hex.
    `table`: its code, "" = none; `by`: the name of the table's host who asked for it, "" = the
    operator did. `since`, `until`: seconds since 1970."""

    name: str
    sha256: str
    since: int
    until: int
    table: str = ""
    by: str = ""
    revoked: bool = False


class InvitationFile(Struct, frozen=True):
    """What the file holds."""

    invitations: list[Kept]
    version: int = 1


def load_invitations(folder: Path) -> list[Kept]:
    """The invitations of this server's folder. Raises Unusable."""
    found = load_file(folder / INVITATIONS, InvitationFile, "its invitations")
    return [] if found is None else found.invitations
