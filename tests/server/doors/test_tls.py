"""TLS: the key is made once and is its owner's alone; a certificate from elsewhere is taken, and
renewed without a stop; handshakes come at a pace, of each address and of all; and who asks for new
keys and says nothing is let go: each costs the server, and none is a message that anything else
would count."""

import asyncio
import shutil
import ssl
import stat
from asyncio import get_running_loop
from collections.abc import MutableMapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from msgspec.structs import replace
from structlog.testing import capture_logs

from bench.attacks.at_doors import Rekeying
from bench.attacks.plan import Report
from protocol.codec import encode_frame
from protocol.from_client import Hello, Ping
from protocol.ids import MAGIC, PROTOCOL_VERSIONS
from server.config import Config, Limits
from server.doors.certificate import Certificate, for_server
from server.doors.tls import MOST, SLICE_BYTES, Encrypted, Handshakes
from server.settings import ConfigError
from server.store.backup import TLS
from tests.stage import jumping_clock
from tests.stage.house import (
    AT_HOME,
    LENIENT,
    House,
    eventually,
    house,
    looks_at_no_key,
    new_folder_with_key,
)
from tests.stage.processes import loaded_by


def own_in(folder: Path) -> Certificate:
    made = for_server(AT_HOME, folder)
    assert made is not None
    return made


def elsewhere(folder: Path) -> Config:
    """Settings that name a certificate and its key, in two files."""
    folder.mkdir(exist_ok=True)
    own_in(folder)
    both = (folder / TLS).read_bytes()
    begin = both.index(b"-----BEGIN CERTIFICATE")
    (folder / "cert.pem").write_bytes(both[begin:])
    (folder / "key.pem").write_bytes(both[:begin])
    (folder / TLS).unlink()
    return replace(AT_HOME, tls_cert=str(folder / "cert.pem"), tls_key=str(folder / "key.pem"))


async def shown(at: House) -> bytes:
    """The hash of the key that a caller is shown."""
    _, writer = await asyncio.open_connection(*at.address, ssl=looks_at_no_key())
    der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    key = x509.load_der_x509_certificate(der).public_key()
    return sha256(key.public_bytes(serialization.Encoding.DER, form)).digest()


async def test_the_key_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    first = own_in(tmp_path).key
    file = tmp_path / TLS
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert own_in(tmp_path).key == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    async with house(folder=tmp_path) as at:
        assert await shown(at) == first
    (tmp_path / "other").mkdir()
    assert own_in(tmp_path / "other").key != first


def test_a_later_start_loads_no_library_for_it(tmp_path: Path) -> None:
    own_in(tmp_path)
    program = "from pathlib import Path; from server.config import Config\n"
    program += "from server.doors.certificate import for_server\n"
    program += f"for_server(Config(), Path({str(tmp_path)!r}))"
    assert "cryptography" not in loaded_by(program)


def test_without_the_door_there_is_no_key(tmp_path: Path) -> None:
    assert for_server(replace(AT_HOME, doors=("plain",)), tmp_path) is None
    assert not any(tmp_path.iterdir())


def test_what_cannot_be_used_is_a_sentence_and_is_left_alone(tmp_path: Path) -> None:
    config, other = elsewhere(tmp_path / "one"), elsewhere(tmp_path / "two")
    locked = tmp_path / "locked.pem"
    key = serialization.load_pem_private_key(Path(config.tls_key).read_bytes(), None)
    kind = serialization.BestAvailableEncryption(b"secret")
    form = serialization.PrivateFormat.PKCS8
    locked.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, kind))
    for changed, told in (
        ({"tls_key": ""}, "tls_cert and tls_key go together"),
        ({"tls_key": str(tmp_path / "none")}, "No such file"),
        ({"tls_key": other.tls_key}, "no certificate and the key that fits it"),
        ({"tls_cert": config.tls_key}, "no certificate and the key that fits it"),
        ({"tls_key": str(locked)}, "its key has a password"),
    ):
        with pytest.raises(ConfigError, match=told):
            for_server(replace(config, **changed), tmp_path)
    (tmp_path / TLS).write_text("torn")
    with pytest.raises(ConfigError, match="move it away for a new key"):
        for_server(AT_HOME, tmp_path)
    assert (tmp_path / TLS).read_text() == "torn"


async def test_a_renewed_certificate_counts_from_the_next_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.doors.certificate.LOOK_EVERY_S", 0.01)
    config, renewed = elsewhere(tmp_path / "one"), elsewhere(tmp_path / "two")
    old, new = (Certificate(Path(one.tls_cert), Path(one.tls_key)).key for one in (config, renewed))
    assert old != new
    async with house(config=config, folder=tmp_path / "one") as at:
        with capture_logs() as logs:
            shutil.copyfile(renewed.tls_key, config.tls_key)
            await eventually(lambda: "the certificate stays the old one" in told(logs))
            assert await shown(at) == old
            shutil.copyfile(renewed.tls_cert, config.tls_cert)
            await eventually(lambda: "certificate renewed" in told(logs))
        assert await shown(at) == new


def told(logs: Sequence[MutableMapping[str, Any]]) -> list[str]:
    return [log["event"] for log in logs]


async def test_nobody_speaks_an_older_tls(tmp_path: Path) -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    async with house(folder=tmp_path) as at:
        with pytest.raises(OSError):  # SSLError, or the connection is reset
            await asyncio.open_connection(*at.address, ssl=old)


# Handshakes ---------------------------------------------------------------------------------------


LIMITS = Limits(handshakes_per_address=3, handshakes_per_address_s=0.001, handshakes_s=5)


def begun(*crowds: list[str]) -> list[list[str]]:
    """Of each of these crowds, one after the other in one moment, who may shake hands at once."""

    async def come(pace: Handshakes, callers: list[str]) -> list[str]:
        turns = {asyncio.ensure_future(pace.turn(at)): at for at in callers}
        for _ in range(10):
            await asyncio.sleep(0)
        for turn in turns:
            turn.cancel()
        done = [at for turn, at in turns.items() if turn.done() and not turn.cancelled()]
        await asyncio.gather(*turns, return_exceptions=True)
        return done

    async def scene() -> list[list[str]]:
        pace = Handshakes(LIMITS)
        return [await come(pace, callers) for callers in crowds]

    return jumping_clock.run(scene())


def test_an_address_waits_and_others_do_not_until_there_are_many() -> None:
    """This machine counts for all only."""
    one, two, *_ = many = [f"192.0.2.{n}" for n in range(9)]
    assert begun([one] * 5, [one, two]) == [[one] * 3, [two]]
    assert begun(many) == [many[:5]]
    assert begun(["127.0.0.1"] * 9) == [["127.0.0.1"] * 5]


def test_who_waits_comes_in_when_it_is_their_turn() -> None:
    async def scene() -> float:
        pace = Handshakes(Limits(handshakes_s=100))
        await asyncio.gather(*(pace.turn("127.0.0.1") for _ in range(150)))
        return asyncio.get_running_loop().time()

    assert jumping_clock.run(scene()) == pytest.approx(0.5)


async def test_few_are_remembered() -> None:
    pace = Handshakes(Limits(handshakes_s=10**6))
    for n in range(MOST + 10):
        await pace.turn(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")
    assert len(pace) == MOST


# New keys -----------------------------------------------------------------------------------------


PATIENT = replace(LENIENT, hello_s=1e6)
FLOOD = 2000


async def test_a_flood_of_new_keys_ends_the_line_and_nobody_else_s_and_a_few_do_not() -> None:
    few, report = Report(), Report()
    async with house(folder=new_folder_with_key(), limits=PATIENT) as at:
        await get_running_loop().create_connection(lambda: Rekeying(few, 10), *at.address)
        await get_running_loop().create_connection(lambda: Rekeying(report, FLOOD), *at.address)
        await eventually(lambda: bool(report.asked))
        await eventually(lambda: not report.open)
        await eventually(lambda: few.asked > 200)
        assert few.open


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
