"""Whatever was acknowledged is there after a power cut at any moment; less syncing is found out."""

import asyncio
from random import Random
from typing import Final, NamedTuple

import pytest

from protocol.ids import MatchId, Version
from server.store import settling, wal
from server.store.journal import JournalError
from server.store.migrating import Unusable
from tests.stage.power_cut import Disk, Machine
from tests.stage.stores import entry, header

MATCHES: Final = 6
ACTIONS: Final = 12
CUTS: Final = 200


@pytest.fixture(autouse=True)
def settles_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "LOG_ENTRIES", MATCHES * 2)


class Loss(NamedTuple):
    """What became of one power cut. `entries`: acknowledged ones that are not there."""

    entries: int
    sound: bool
    blamed: bool
    """Whether the -wal is taken for damaged, although it was the power."""


async def play(machine: Machine) -> dict[MatchId, int]:
    """Several matches at once, until all is done or the power goes; what was acknowledged."""
    acknowledged: dict[MatchId, int] = {}
    try:
        journal = machine.journal()
    except Unusable:
        return acknowledged

    async def one_match(match: MatchId) -> None:
        try:
            await journal.begin(header(match))
            acknowledged[match] = 0
            for version in range(1, ACTIONS + 1):
                played = entry(0, b"%d" % version, version, bytes(40))
                await journal.append(match, Version(version), played)
                acknowledged[match] = version
        except JournalError:
            return

    await asyncio.gather(*(one_match(MatchId(f"m{number}")) for number in range(MATCHES)))
    await journal.close()
    return acknowledged


async def cut_at(power: int, number: int, *, careless: bool) -> Loss:
    """Cut the power after so many writes and syncs, and look at what is there afterwards."""
    machine = Machine(Disk(power=power), careless=careless)
    acknowledged = await play(machine)
    files = machine.disk.after_the_cut(Random(number))
    blamed = wal.lost_commits_in(files.get("journal.db-wal", b"")) > 1
    later = Machine(Disk(files))
    journal = later.journal()
    missing = 0
    for match, version in acknowledged.items():
        try:
            _header, entries = await journal.load(match)
        except JournalError:
            missing += version + 1
        else:
            missing += max(0, version - len(entries))
    await journal.close()
    return Loss(missing, later.is_sound(), blamed)


async def cuts(count: int, *, careless: bool = False) -> list[Loss]:
    whole = Machine(Disk(), careless=careless)
    await play(whole)
    random = Random(2004)
    moments = [random.randrange(whole.disk.done) for _ in range(count)]
    return [await cut_at(moment, n, careless=careless) for n, moment in enumerate(moments)]


@pytest.mark.parametrize("count", [CUTS // 4, pytest.param(CUTS, marks=pytest.mark.soak)])
def test_nothing_acknowledged_is_lost_in_a_power_cut(count: int) -> None:
    losses = asyncio.run(cuts(count))
    assert len(losses) == count
    assert [loss for loss in losses if loss.entries or loss.blamed or not loss.sound] == []


def test_a_store_that_syncs_less_is_found_out() -> None:
    losses = asyncio.run(cuts(CUTS // 4, careless=True))
    assert (
        sum(loss.entries > 0 for loss in losses) > len(losses) // 3
    )  # the others came while the file was made


@pytest.mark.parametrize("keeps", [True, False])
def test_the_disk_keeps_what_was_synced_and_only_that(keeps: bool) -> None:
    """Tests the disk itself: without this the two tests above would say nothing."""
    disk = Disk()
    machine = Machine(disk)

    async def write() -> None:
        journal = machine.journal()
        await journal.begin(header("m"))
        await journal.close()

    asyncio.run(write())
    content = disk.files["journal.db"]
    content.write(0, b"x" * 2048)
    if keeps:
        content.sync()
    assert (bytes(content.safe[:1]) == b"x") is keeps
    assert content.after_the_cut(Random(1)).startswith(b"x" * 2048) is keeps
