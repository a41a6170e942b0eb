"""Who asks inside TLS for new keys and says nothing is let go: each costs the server, and none is a
message that anything else would count."""

from asyncio import get_running_loop

import pytest
from msgspec.structs import replace

from bench.attacks.at_doors import Rekeying
from bench.attacks.plan import Report
from protocol.codec import encode_frame
from protocol.from_client import Hello, Ping
from protocol.version import MAGIC, PROTOCOL_VERSIONS
from server.doors.tls import SLICE_BYTES, Encrypted
from tests.stage.house import LENIENT, eventually, house, new_folder_with_key

PATIENT = replace(LENIENT, hello_s=1e6)
FLOOD = 2000


async def test_a_flood_of_new_keys_ends_the_line_and_nobody_else_s() -> None:
    report = Report()
    async with house(folder=new_folder_with_key(), limits=PATIENT) as at:
        ann = await at.peer("Ann")
        await get_running_loop().create_connection(lambda: Rekeying(report, FLOOD), *at.address)
        await eventually(lambda: bool(report.asked))
        await eventually(lambda: not report.open)
        await ann.answered()
        await ann.close()


async def test_a_few_do_not() -> None:
    report = Report()
    async with house(folder=new_folder_with_key(), limits=PATIENT) as at:
        await get_running_loop().create_connection(lambda: Rekeying(report, 10), *at.address)
        await eventually(lambda: report.asked > 200)
        assert report.open


class Talking(Rekeying):
    """Says first more than the server listens to in one turn."""

    def _ask(self) -> None:
        hello = Hello(magic=MAGIC, versions=list(PROTOCOL_VERSIONS), name="Eve")
        words = encode_frame(hello) + b"".join(encode_frame(Ping(n)) for n in range(30))
        first = [self._sealed(words + b"\x17", 0), self._new_keys(after=1)]
        self.transport.write(b"".join(first + [self._new_keys() for _ in range(self._times)]))


async def test_those_who_are_held_up_meanwhile_give_tls_no_more_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[int] = []
    resume = Encrypted.resume_reading

    def watched(line: Encrypted) -> None:
        waits.append(line._came.pending)
        resume(line)

    monkeypatch.setattr(Encrypted, "resume_reading", watched)
    report = Report()
    async with house(folder=new_folder_with_key(), limits=PATIENT) as at:
        await get_running_loop().create_connection(lambda: Talking(report, 9000), *at.address)
        await eventually(lambda: bool(report.served))
        await eventually(lambda: not report.open)
    assert 0 < max(waits) <= SLICE_BYTES
