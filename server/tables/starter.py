"""From a table to a match: who is attached to which seat, and what is left afterwards."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from protocol.dealing import SEED_BYTES
from protocol.ids import MatchId, Seat
from server.bots.brains import Brains
from server.bots.driver import BotDriver, Spawn
from server.matches.match import Match
from server.matches.match_time import MatchTime
from server.matches.parts import parts_of
from server.matches.ports import WhenKept
from server.matches.replay import new_header
from server.store.journal import Entry, Header, Journal, JournalError
from server.tables.attending import TableAttendant, next_options
from server.tables.racing import line_of, start_measuring
from server.tables.record import record_of
from server.tables.seat import Bot, Chair, SeatState
from server.tables.table import Table

STAND_IN_LEVEL: Final = "normal"
"""Who plays on for somebody who is gone."""


@dataclass(kw_only=True)
class MatchStarter:
    """`server.tables.house.Starter`; `tasks` are the match tasks that run."""

    journal: Journal
    brains: Brains
    spawn: Spawn
    bot_pace_s: float
    tasks: dict[MatchId, asyncio.Task[None]] = field(default_factory=dict)

    def begin(self, table: Table, answer: WhenKept) -> None:
        """A match with all who sit at the table; seats are filled. `answer` is called when the
        match has begun."""
        self.end_match(table)
        match = self._new_match(table)
        match.when_begun(answer)
        table.match = match
        for seat, chair in enumerate(table.seating.chairs):
            if chair.guest is not None:
                start_measuring(chair.guest)
                line = line_of(chair.guest)
                match.attach(Seat(seat), chair.guest.send, came_with=b"", line=line)
            else:
                self._sit_bot(table, match, Seat(seat), chair)
        for watcher in table.watchers:
            match.attach(None, watcher.show)
        self.tasks[match.id] = self.spawn(match.run())
        log = structlog.get_logger()
        log.info("match begins", match=match.id, table=table.code, game=table.game)

    def restored(
        self,
        table: Table,
        header: Header,
        entries: Sequence[Entry],
        tokens: Mapping[Seat, Sequence[bytes]],
    ) -> Match:
        """A match out of the journal; `go_on` follows."""
        match = self._match(table, header, entries[-1].at_ms if entries else 0)
        match.restore(entries, tokens)
        return match

    def go_on(self, table: Table, match: Match) -> None:
        """A restored match with all who sit at the table; nobody is there yet."""
        table.match = match
        if match.over:
            table.options = next_options(table, match.header)
        else:
            for seat, chair in enumerate(table.seating.chairs):
                if chair.state in (SeatState.BOT, SeatState.GIVEN_UP):
                    self._sit_bot(table, match, Seat(seat), chair)
        self.tasks[match.id] = self.spawn(match.run())

    def _new_match(self, table: Table) -> Match:
        header = new_header(
            table.game,
            table.rules.rules,
            table.options,
            len(table.seating.chairs),
            secrets.token_bytes(SEED_BYTES),
            secrets.token_urlsafe(9),
            record_of(table),
        )
        return self._match(table, header)

    def _match(self, table: Table, header: Header, at_ms: int = 0) -> Match:
        parts = parts_of(
            header,
            table.rules.rules,
            self.journal,
            TableAttendant(table, header, self),
            table=table.code,
            time=MatchTime(asyncio.get_running_loop().time, at_ms),
            clock=table.clock,
        )
        return Match(parts)

    def _sit_bot(self, table: Table, match: Match, seat: Seat, chair: Chair) -> None:
        bot = self._driver(table, match, seat, chair.level or STAND_IN_LEVEL)
        chair.play(bot)
        match.attach(seat, bot.receive)

    def _driver(self, table: Table, match: Match, seat: Seat, level: str) -> BotDriver:
        def pace_s() -> float:
            # With nobody there to follow, nobody need wait.
            return self.bot_pace_s if table.people() else 0.0

        def waits(view: Any) -> bool:
            return table.rules.patience(view, table.seating.of_people())

        reactions = table.rules.reactions
        reaction = reactions[level] if reactions is not None else None
        return BotDriver(match, seat, level, self.brains, self.spawn, pace_s, reaction, waits)

    def take_over(self, table: Table, seat: Seat, *, for_good: bool) -> None:
        """A bot plays this seat under its owner's name, for good or until the owner is back."""
        chair, match = table.seating.chairs[seat], table.match
        assert match is not None  # between matches a player who goes leaves a free seat
        bot: Bot | None = chair.bot
        if bot is None:
            bot = self._driver(table, match, seat, STAND_IN_LEVEL)
            match.attach(seat, bot.receive)
        if for_good:
            chair.give_up(bot)
        else:
            chair.hand_to_bot(bot)

    def stand_in(self, table: Table, seat: Seat) -> None:
        """A bot plays this seat, whose player is there and was too slow."""
        if (match := table.match) is not None:
            bot = self._driver(table, match, seat, STAND_IN_LEVEL)
            table.seating.chairs[seat].stand_in(bot)
            match.stand_in(seat, bot.receive)

    def end_match(self, table: Table) -> None:
        """Let go of the table's match, running or over, if there is one."""
        match, table.match = table.match, None
        if match is None:
            return
        # Nobody who sits here may still be sent something of the old match.
        match.detach_all()
        if (task := self.tasks.pop(match.id, None)) is not None:
            task.cancel()
            self.spawn(self._forget(match, task))

    async def _forget(self, match: Match, task: asyncio.Task[None]) -> None:
        """The task may be the very one that is asking for this, so it is not awaited there."""
        await asyncio.wait([task])
        try:
            if not match.over:
                await self.journal.finish(match.id, b"")
            await self.journal.forget(match.id)
        except JournalError as error:
            structlog.get_logger().error("journal failed", match=match.id, error=str(error))
