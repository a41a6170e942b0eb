"""A token gives its seat back, and the newer connection has it."""

import asyncio
from random import Random
from typing import Any

import pytest

from protocol.from_server import NoticeCode
from protocol.ids import Seat
from protocol.refusal import RefusalCode
from server.config import Limits
from server.matches.tokens import Tokens
from server.tables.refusals import Impossible
from tests.stage.hall import Hall, Player, run, table_of

GRACE_S = Limits().grace_s


def test_a_player_who_left_does_not_come_back() -> None:
    async def scene(at: Hall) -> None:
        ann, _ben = await at.table("Ann", "Ben")
        ann.leave()
        with pytest.raises(Impossible) as error:
            await ann.again("Ann")
        assert error.value.refusal.code == RefusalCode.BAD_TOKEN

    run(scene)


def test_a_token_opens_no_other_match() -> None:
    async def scene(at: Hall) -> None:
        ann, _ben = await at.table("Ann", "Ben")
        cleo, _dan = await at.table("Cleo", "Dan")
        with pytest.raises(Impossible) as error:
            await ann.again("Ann", token=cleo.token.token)
        assert error.value.refusal.code == RefusalCode.BAD_TOKEN
        assert table_of(ann).seating.chairs[0].guest is ann

    run(scene)


def test_the_newer_connection_has_the_seat_and_the_name() -> None:
    async def scene(at: Hall) -> None:
        ann, ben = await at.table("Ann", "Ben")
        newer = await ann.again("Ann")
        assert (newer.name, newer.seat, ann.gone, ann.table) == ("Ann", 0, True, None)
        assert ("dropped", "Ann") not in ben.notices
        await newer.act(Random(1))
        newest = await newer.again("Ann", since=1)
        assert newest.update.version == 1 and newer.gone
        await asyncio.sleep(GRACE_S * 2)
        assert table_of(newest).seating.chairs[0].guest is newest

    run(scene)


def test_a_player_at_a_table_leaves_it_first() -> None:
    async def scene(at: Hall) -> None:
        ann, ben = await at.table("Ann", "Ben")
        table = table_of(ann)
        with pytest.raises(Impossible) as error:
            table.resume(ben, ann.token.token, -1)
        assert error.value.refusal.code == RefusalCode.ALREADY_AT_TABLE
        assert table.seating.guests() == [ann, ben]

    run(scene)


# Controls ----------------------------------------------------------------------------------------


def takes_over(kind: type[Player]) -> bool:
    """Whether the newer connection keeps its seat when the older closes late."""
    kept: list[bool] = []

    async def scene(at: Hall) -> None:
        ann, _ben = await at.table("Ann", "Ben")
        ann.__class__ = kind
        newer = await ann.again("Ann")
        ann.drop()
        table = newer.at_table()
        kept.append(table is not None and table.seating.chairs[0].guest is newer)

    run(scene)
    return kept[0]


class Clinging(Player):
    """A control: an older connection that still thinks the table is its own."""

    def replaced(self) -> None:
        self.gone = True

    def drop(self) -> None:
        table_of(self).presence._leave_seat(self, Seat(0), NoticeCode.DROPPED)


def test_a_late_close_changes_nothing() -> None:
    assert takes_over(Player)


def test_an_old_close_that_frees_the_seat_is_caught() -> None:
    assert not takes_over(Clinging)


def opened_by_another(monkeypatch: pytest.MonkeyPatch, seat_of: Any) -> Seat | None:
    """The seat that Ben gets with his own token."""
    found: list[Seat] = []

    async def scene(at: Hall) -> None:
        _ann, ben = await at.table("Ann", "Ben")
        monkeypatch.setattr(Tokens, "seat_of", seat_of)
        found.append((await ben.again("Ben")).seat)

    run(scene)
    return found[0]


def test_a_token_opens_its_owners_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened_by_another(monkeypatch, Tokens.seat_of) == 1


def test_a_token_that_opens_another_seat_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened_by_another(monkeypatch, lambda self, token: min(self._hashes)) != 1
