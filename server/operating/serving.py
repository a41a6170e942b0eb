"""Which function does which command of the operator."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from server.operating import banning, changing, inviting, looking, words
from server.operating.desk import Desk
from server.operating.words import Answer, Asked

Look: TypeAlias = Callable[[Desk, Any], Awaitable[Answer]]
Change: TypeAlias = Callable[[Desk, Any, int], Awaitable[Answer]]
"""It is told the system's number of the user who asks. Both raise CouldNot."""

LOOKS: Final[Mapping[type[Any], Look]] = {
    words.Who: looking.who,
    words.Tables: looking.tables,
    words.Bans: looking.bans,
    words.Status: looking.status,
    words.Invitations: inviting.invitations,
}
CHANGES: Final[Mapping[type[Any], Change]] = {
    words.Say: changing.say,
    words.Kick: changing.kick,
    words.SetBan: banning.ban,
    words.Unban: banning.unban,
    words.Close: changing.close,
    words.Drain: changing.drain,
    words.LogLevel: changing.log_level,
    words.Invite: inviting.invite,
    words.Revoke: inviting.revoke,
}


class Serving:
    """Serves at one desk; changes are made one after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._changing: Final = asyncio.Lock()

    async def __call__(self, asked: Asked, user: int, asked_at: str = "") -> Answer:
        """Do here what was asked by this user, at another node or here. Raises CouldNot."""
        if (look := LOOKS.get(type(asked))) is not None:
            return await look(self._desk, asked)
        desk = replace(self._desk, asked_at=asked_at) if asked_at else self._desk
        async with self._changing:
            return await CHANGES[type(asked)](desk, asked, user)
