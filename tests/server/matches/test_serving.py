"""Refuse → commit → apply → acknowledge → broadcast, seen from outside; and who breaks it is
found out."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.ids import MatchId, Version
from server.matches.inbox import Accepted, Wish
from server.matches.serving import Serving
from server.store.journal import Entry
from server.store.memory import MemoryJournal
from tests.stage.match_stage import RULES, Box, stage, until

Tell = Callable[[str], None]


class WatchedRules:
    """The real rules; tells of the calls that matter."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def __getattr__(self, name: str) -> Any:
        return getattr(RULES, name)

    def refuse(self, *args: Any) -> Any:
        self._tell("refuse")
        return RULES.refuse(*args)

    def apply(self, *args: Any) -> Any:
        self._tell("apply")
        return RULES.apply(*args)


class SlowJournal(MemoryJournal):
    """Tells when an append begins and when it is kept; everybody else has time in between."""

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        self._tell("append")
        await asyncio.sleep(0)
        await self.go_on.wait()
        await super().append(match, version, entry)
        self._tell("kept")


class HastyMatch(Serving):
    """Acknowledges before the journal has the action."""

    async def _carry_out(self, wish: Wish) -> None:
        wish.answer(Accepted(self._course.version + 1))
        await super()._carry_out(replace(wish, answer=lambda answer: None))


class LoudMatch(Serving):
    """Tells the table before the one who acted."""

    async def _carry_out(self, wish: Wish) -> None:
        late: list[Any] = []
        await super()._carry_out(replace(wish, answer=late.append))
        wish.answer(late[0])


class RashMatch(Serving):
    """Applies first, and then keeps it."""

    async def _carry_out(self, wish: Wish) -> None:
        entry = Entry(wish.seat, wish.key, 0, b"\x92\xa7discard\x02")
        change = self._course.play(entry, wish.seat, wish.action)
        await self._journal.append(self._match, self._course.version, entry)
        self._answer(wish, Accepted(self._course.version))
        self._broadcast(change)


async def keeps_the_order(serving: type[Serving]) -> None:
    heard: list[str] = []
    rules: Any = WatchedRules(heard.append)
    journal = SlowJournal(heard.append)
    async with stage(serving=serving, rules=rules, journal=journal, tell=heard.append) as on:
        heard.clear()
        on.wish(on.turn, on.legal())
        await until(lambda: on.boxes[-1].update.version == 1)
        assert heard == [
            "refuse",
            "append",
            "kept",
            "apply",
            "acknowledge",
            "send Update",
            "send Update",
        ]


async def test_the_order_is_kept() -> None:
    await keeps_the_order(Serving)


@pytest.mark.parametrize("serving", [HastyMatch, LoudMatch, RashMatch])
async def test_another_order_is_found_out(serving: type[Serving]) -> None:
    with pytest.raises(AssertionError):
        await keeps_the_order(serving)


async def test_nobody_sees_an_action_that_is_not_kept_yet() -> None:
    """While the journal is at it, a latecomer is let in after it and not in between."""
    heard: list[str] = []
    journal = SlowJournal(heard.append)
    async with stage(journal=journal) as on:
        journal.go_on.clear()
        answer = on.wish(on.turn, on.legal())
        late = Box()
        on.match.attach(None, late)
        await until(lambda: "append" in heard)
        box = on.boxes[0]
        assert "kept" not in heard
        assert not answer.done()
        assert box.update.version == 0
        assert late.sent == []
        journal.go_on.set()
        await on.settle()
        assert box.update.version == late.update.version == 1
