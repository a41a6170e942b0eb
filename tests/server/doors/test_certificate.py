"""The key is made once and is its owner's alone; a certificate from elsewhere is taken, and renewed
without a stop; what cannot be used is a sentence."""

import asyncio
import shutil
import ssl
import stat
import subprocess
import sys
from collections.abc import MutableMapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from msgspec.structs import replace
from structlog.testing import capture_logs

from server.config import Config
from server.doors import certificate
from server.doors.certificate import Certificate, for_server
from server.settings import ConfigError
from server.store.backup import TLS
from tests.stage.house import AT_HOME, House, eventually, house, looks_at_no_key


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


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_the_hash_is_that_of_the_public_key(tmp_path: Path) -> None:
    key = own_in(tmp_path).key
    command = f"openssl x509 -in {tmp_path / TLS} -noout -pubkey | openssl pkey -pubin -outform der"
    assert sha256(subprocess.run(command, shell=True, capture_output=True).stdout).digest() == key


def test_a_later_start_loads_no_library_for_it(tmp_path: Path) -> None:
    own_in(tmp_path)
    program = (
        "import sys; from pathlib import Path; from server.config import Config; "
        "from server.doors.certificate import for_server; "
        f"for_server(Config(), Path({str(tmp_path)!r})); print('cryptography' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


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
    monkeypatch.setattr(certificate, "LOOK_EVERY_S", 0.01)
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
