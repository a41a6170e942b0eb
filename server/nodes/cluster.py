"""A server that is a node: its journal, its place among the others, and what runs for both."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import structlog

from server.config import Config
from server.games.registry import GAMES
from server.nodes.claiming import Claiming
from server.nodes.directory import RENEWALS, Directory
from server.store.connecting import Lasting
from server.store.fenced import FencedJournal
from server.store.journal import JournalError
from server.tables.lobby import Lobby
from server.tables.record import deal_in
from server.tables.restoring import Restoring


class Cluster:
    """`directory`: who else is there."""

    def __init__(self, journal: FencedJournal, directory: Directory, lease_s: float) -> None:
        self.journal: Final = journal
        self.directory: Final = directory
        self._lease_s: Final = lease_s
        self._claiming: Claiming | None = None

    def claims_for(self, restoring: Restoring, lobby: Lobby) -> Claiming:
        """What brings matches into this lobby, once `chores` run."""
        every_s = self._lease_s / RENEWALS
        self._claiming = Claiming(self.journal, self.directory, restoring, lobby, every_s)
        return self._claiming

    def chores(self, stop: Callable[[], None]) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs as long as the server does. `stop`: stops it."""
        self.directory.stop = stop
        yield self.directory.run()
        if self._claiming is not None:
            yield self._claiming.run()

    async def hand_over(self) -> None:
        """Let go of all matches; other nodes go on with them at once."""
        try:
            if self._claiming is not None:
                await self._claiming.release()
        except (JournalError, TimeoutError) as error:
            structlog.get_logger().error("matches are not handed over", why=str(error))


@asynccontextmanager
async def joined(config: Config) -> AsyncIterator[Cluster]:
    """Until the block is left this process is the node that the settings name. Raises Unusable."""
    plays = [(name, game.rules.rules_version) for name, game in GAMES.items()]
    connect = partial(Lasting, config.journal, config.journal_wait_s, config.node)
    journal = FencedJournal(connect, config.journal, deal_in, plays)
    directory = Directory(config.journal, config.node, config.node_lease_s)
    directory.joined = partial(setattr, journal, "owner")
    directory.address = config.node_address
    try:
        await directory.join()
        yield Cluster(journal, directory, config.node_lease_s)
    finally:
        await journal.close()
        await directory.leave()
