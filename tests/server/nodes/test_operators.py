"""What an operator asks one node is asked and done at all of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import Join, Resume, Watch
from protocol.from_server import Goodbye, LeftTable, Notice, NoticeCode, SeatToken
from protocol.invitation import decode
from server.__main__ import main
from server.net.listener import bind
from server.nodes import operators
from server.nodes.asking import Asking
from server.nodes.operators import Operators
from server.operating import audit, banning, commands, words
from server.store.journal import JournalError
from tests.server.operating.test_commands import BENS, alike, mark, pair
from tests.server.operating.test_door import ask, sentence
from tests.stage.house import AT_HOME, PATIENCE_S, House, eventually
from tests.stage.nodes import node_on
from tests.stage.postgres import needs_postgres

pytestmark = needs_postgres

Two = tuple[House, House]


@pytest.fixture
async def two(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Two]:
    monkeypatch.setattr(operators, "ANSWER_S", PATIENCE_S)
    async with node_on(url, "a", tmp_path / "a") as a, node_on(url, "b", tmp_path / "b") as b:
        await eventually(lambda: all(len(others(at)) == 1 for at in (a, b)))
        yield a, b


def others(at: House) -> list[str]:
    assert at.server.cluster is not None
    return [node.address for node in at.server.cluster.directory.others if node.address]


async def rows_of(folder: Path, asked: words.Command) -> list[dict[str, Any]]:
    answer = await ask(folder, asked)
    assert answer.done and not answer.said
    return answer.rows or []


async def where(folder: Path) -> list[tuple[str, str, str]]:
    """Who is at which node and table."""
    found = await rows_of(folder, commands.Who())
    return sorted((row["node"], row["name"], row["table"]) for row in found)


async def test_an_operator_sees_the_people_and_tables_of_all_nodes(
    two: Two, tmp_path: Path
) -> None:
    _ann, _ben, code = await pair(*two)
    _cia = await two[1].peer("Cia")
    everybody = [("a", "Ann", code), ("a", "Ben", code), ("b", "Cia", "")]
    for node in "ab":
        folder = tmp_path / node
        assert await where(folder) == everybody
        (table,) = await rows_of(folder, commands.Tables())
        assert (table["node"], table["table"], table["players"]) == ("a", code, ["Ann", "Ben"])
        status = await rows_of(folder, commands.Status())
        assert {row["node"]: (row["people"], row["matches"]) for row in status} == {
            "a": (2, 1),
            "b": (1, 0),
        }
        assert status[0]["node"] == node  # its own comes first


async def test_everybody_is_told_once(two: Two, tmp_path: Path) -> None:
    ann, ben, _code = await pair(*two)
    cia = await two[1].peer("Cia")
    answer = await ask(tmp_path / "b", commands.TellAll(text="We stop at ten."))
    assert answer.done and answer.said == "b: 1 were told; a: 2 were told"
    for peer in (ann, ben, cia):
        await peer.until(Notice, lambda one: one.code == NoticeCode.OPERATOR_SAYS)
        await peer.answered()
        told = [one for one in peer.seen if isinstance(one, Notice)]
        assert [one.code for one in told].count(NoticeCode.OPERATOR_SAYS) == 1


async def test_who_is_kicked_at_one_node_comes_back_to_the_table_by_none(
    two: Two, tmp_path: Path
) -> None:
    ann, ben, code = await pair(*two)
    token = await ben.until(SeatToken)
    answer = await ask(tmp_path / "b", commands.SendAway(person="Ben", reason="rude"))
    assert answer.said == f"a: Ben ({mark(BENS)}) is gone, and kept from {code}"
    assert await ben.goodbye() == Goodbye("expelled", {"reason": "rude"})
    await ann.until(Notice, lambda one: one.code == NoticeCode.EXPELLED)
    resume = Resume(id=0, match=token.match, token=token.token)
    for at in two:
        again = await at.peer("Somebody", identity=BENS)
        for wish in (Watch(id=0, table=code), Join(id=0, table=code), resume):
            assert (await again.refused(wish)).code == RefusalCode.KICKED
    (deed,) = audit.kept(tmp_path / "a")
    assert (deed.node, deed.command, deed.reason) == ("b", "kick", "rude")
    assert deed.whom == f"Ben ({mark(BENS)})" and not list(audit.kept(tmp_path / "b"))


async def test_a_mark_that_may_mean_people_of_two_nodes_means_nobody(
    two: Two, tmp_path: Path
) -> None:
    anns, bens = alike()
    ann, ben = await two[0].peer("Ann", identity=anns), await two[1].peer("Ben", identity=bens)
    kick = commands.SendAway(person=mark(anns)[:4])
    said = await sentence(tmp_path / "a", kick)
    assert "may be any of 2" in said and mark(anns) in said and mark(bens) in said
    for peer in (ann, ben):
        await peer.answered()


async def test_somebody_at_another_node_is_banned_by_name_and_address(
    two: Two, tmp_path: Path
) -> None:
    ben = await two[1].peer("Ben", identity=BENS)
    answer = await ask(tmp_path / "a", banning.SetBan(whom="Ben", address=True))
    assert answer.said.startswith(f"b: banned for ever: {mark(BENS)} Ben, 127.0.0.1/32 Ben")
    assert (await ben.goodbye()).code == GoodbyeCode.BANNED
    await eventually(lambda: len(two[0].server.peers.banned.all()) == 2)
    assert "nobody here has the name" in await sentence(tmp_path / "a", banning.SetBan(whom="Cia"))
    assert (await ask(tmp_path / "a", banning.SetBan(whom="0123456789ab"))).done  # out of the log


async def test_a_table_is_closed_from_any_node(two: Two, tmp_path: Path) -> None:
    _ann, ben, code = await pair(*two)
    answer = await ask(tmp_path / "b", commands.Close(table=code, reason="late"))
    assert answer.said == f"a: the table {code} is closed"
    await ben.until(LeftTable)
    said = await sentence(tmp_path / "b", commands.Close(table=code))
    assert said == f"there is no table {code!r}; `tables` lists them all"


async def test_an_invitation_leads_to_a_table_of_another_node(two: Two, tmp_path: Path) -> None:
    ann = await two[0].peer("Ann")
    code = await ann.create(seats=2, hidden=True)
    values = (await ask(tmp_path / "b", commands.Issue(table=code.lower()))).values
    assert values is not None and values["table"] == code
    line = decode(values["invitation"])
    assert line.table == code and [deed.node for deed in audit.kept(tmp_path / "a")] == ["b"]
    said = await sentence(tmp_path / "b", commands.Issue(table="ZZZZ"))
    assert said == "there is no table 'ZZZZ'; `tables` lists them all"


async def test_who_came_by_an_invitation_is_sent_away_at_every_node(
    two: Two, tmp_path: Path
) -> None:
    values = (await ask(tmp_path / "a", commands.Issue(name="Cleo"))).values
    assert values is not None
    secret = decode(values["invitation"]).secret
    await eventually(lambda: len(two[1].server.admission.invitations.all()) == 1)
    came = [await at.peer("Cleo", invitation=secret) for at in two]
    for node in "ab":
        (row,) = await rows_of(tmp_path / node, commands.Issued())
        assert (row["name"], row["here"]) == ("Cleo", 2)
    answer = await ask(tmp_path / "b", commands.Revoke(name="Cleo", kick=True))
    assert answer.said == "b: revoked: Cleo; sent away: Cleo 2; a: revoked: Cleo; sent away: Cleo"
    for peer in came:
        assert (await peer.goodbye()).code == GoodbyeCode.INVITATION_REVOKED


async def typed(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What a command prints on stdout and stderr."""
    capsys.readouterr()
    assert await asyncio.to_thread(main, [command, "--state", str(folder)]) == 0
    out, err = capsys.readouterr()
    return out, err


@contextmanager
def deaf(at: House) -> Iterator[str]:
    """Where somebody listens and says nothing."""
    (bound,) = bind(AT_HOME)
    with bound.sock:
        yield str(bound.address)


async def test_a_node_that_does_not_answer_is_named_and_the_others_are_heard(
    two: Two,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asks = Operators.ask

    async def impatient_with_c(self: Operators, node: str, *asked: Any) -> Any:
        monkeypatch.setattr(operators, "ANSWER_S", 0.05 if node == "c" else PATIENCE_S)
        return await asks(self, node, *asked)

    monkeypatch.setattr(Operators, "ask", impatient_with_c)
    _ann, ben, code = await pair(*two)
    async with node_on(url, "c", tmp_path / "c") as c:
        assert c.server.cluster is not None
        with deaf(c) as address:
            await c.server.cluster.directory.announce(address, "")
            await eventually(lambda: all(address in others(at) for at in two))
            answer = await ask(tmp_path / "b", commands.Who())
            assert answer.done and answer.said == "c does not answer"
            assert [row["name"] for row in answer.rows or []] == ["Ann", "Ben"]
            out, err = await typed("who", tmp_path / "b", capsys)
            assert err == "clocktowers-server: c does not answer\n"
            assert [line.split()[:2] for line in out.splitlines()] == [
                ["node", "name"],
                ["a", "Ann"],
                ["a", "Ben"],
            ]
            out, _ = await typed("status", tmp_path / "b", capsys)  # a column for each node
            assert out.splitlines()[0].split() == ["node", "b", "a"]
            assert ["people", "0", "2"] in [line.split() for line in out.splitlines()]
            answer = await ask(tmp_path / "b", commands.TellAll(text="hello"))
            assert answer.said == "b: 0 were told; a: 2 were told; c does not answer"
            said = await sentence(tmp_path / "b", commands.SendAway(person="Dan"))
            assert "nobody here has the name" in said and said.endswith("; c does not answer")
            answer = await ask(tmp_path / "b", commands.SendAway(person="Ben"))
            assert answer.done and answer.said.endswith("; c does not answer")
            assert (await ben.goodbye()).code == GoodbyeCode.EXPELLED
            assert (await ask(tmp_path / "b", commands.Close(table=code))).done


async def test_operators_reach_all_nodes_while_the_database_is_away(
    two: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ann, ben, code = await pair(*two)

    async def away(*_: Any) -> Any:
        raise JournalError("the database is away")

    monkeypatch.setattr(Asking, "use", away)
    assert await where(tmp_path / "b") == [("a", "Ann", code), ("a", "Ben", code)]
    assert (await ask(tmp_path / "b", commands.SendAway(person="Ben"))).done
    assert (await ben.goodbye()).code == GoodbyeCode.EXPELLED


async def test_two_operators_who_act_at_once_do_not_wait_for_each_other(
    two: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each node asks the other when both are about to: one that kept the other's changes waiting
    meanwhile would get no answer."""
    asks, both_ask = Operators.ask, asyncio.Barrier(2)

    async def at_once(self: Operators, *asked: Any) -> Any:
        await both_ask.wait()
        return await asks(self, *asked)

    monkeypatch.setattr(Operators, "ask", at_once)
    say = commands.TellAll(text="hello")
    said = await asyncio.gather(*(ask(tmp_path / node, say) for node in "ab"))
    assert [one.said for one in said] == [
        "a: 0 were told; b: 0 were told",
        "b: 0 were told; a: 0 were told",
    ]
