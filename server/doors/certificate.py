"""The keys by which players know the server again: that of the certificate that it shows inside
TLS, of which they keep the hash, and that of SSH.

A server without a certificate from elsewhere makes a key at its first start, and keeps it in its
folder: one file, with the hash in front, so that later starts load no library to tell it.

Laws: nobody but the server's account can read the key. A file that cannot be used stops the start
with a sentence that says what to do, and is never replaced.
"""

import asyncio
import base64
import re
import ssl
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import structlog

from server.config import Config
from server.settings import ConfigError
from server.store import private
from server.store.backup import SSH, TLS
from server.store.private import replace_file

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as Key

LOOK_EVERY_S: Final = 60.0
"""How often it is looked whether the operator has renewed a certificate."""
_BEGIN: Final = datetime(2000, 1, 1, tzinfo=UTC)
_END: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_TOLD: Final = re.compile(rb"^SHA-256 of the public key: ([0-9a-f]{64})\n")


class _Shown(NamedTuple):
    """`seen`: by which it is found out whether the files are still the same."""

    context: ssl.SSLContext
    key: bytes
    seen: list[tuple[int, int]]


class Certificate:
    """Read from files: of the certificate and its key, or of both in one."""

    def __init__(self, *files: Path) -> None:
        """Raises ConfigError."""
        self._files: Final = files
        try:
            self._shown = _read(files)
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot use {_why(error, files)}") from None

    @property
    def context(self) -> ssl.SSLContext:
        """For the next connection."""
        return self._shown.context

    @property
    def key(self) -> bytes:
        """The SHA-256 of the public key (SubjectPublicKeyInfo, DER)."""
        return self._shown.key

    async def watch(self) -> None:
        """Take renewed files, for ever. Those that cannot be used change nothing."""
        log, told = structlog.get_logger(), ""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                if _seen(self._files) != self._shown.seen:
                    self._shown = await asyncio.to_thread(_read, self._files)
                    log.info("certificate renewed", key=self.key.hex())
                told = ""
            except (OSError, ValueError) as error:
                if told != (why := _why(error, self._files)):
                    log.error("the certificate stays the old one", why=why)
                told = why


def for_server(config: Config, folder: Path) -> Certificate | None:
    """The one that the settings name, or the server's own, made if there is none; None where no
    door needs one. Raises ConfigError."""
    if not any(door.partition("=")[0] == "tls" for door in config.doors):
        return None
    if bool(config.tls_cert) != bool(config.tls_key):
        raise ConfigError("tls_cert and tls_key go together: give both, or neither")
    if config.tls_cert:
        return Certificate(Path(config.tls_cert), Path(config.tls_key))
    own = folder / TLS
    try:
        if not own.exists():
            _make(own)
        private.close_file(own)
    except OSError as error:
        raise ConfigError(f"cannot make {_why(error, (own,))}") from None
    return Certificate(own)


def _read(files: tuple[Path, ...]) -> _Shown:
    seen = _seen(files)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # no client comes back with one
    context.load_cert_chain(files[0], files[-1], password=_ask_nobody)
    return _Shown(context, _key_in(files[0].read_bytes()), seen)


def _seen(files: tuple[Path, ...]) -> list[tuple[int, int]]:
    return [(state.st_mtime_ns, state.st_ino) for state in (file.stat() for file in files)]


def _ask_nobody() -> NoReturn:
    raise ValueError("its key has a password: take the password off")


def _why(error: OSError | ValueError, files: tuple[Path, ...]) -> str:
    """Which file cannot be used, why, and what to do."""
    if isinstance(error, ssl.SSLError) or not isinstance(error, OSError):
        why = str(error) if type(error) is ValueError else "no certificate and the key that fits it"
    else:
        why = error.strerror or str(error)
    named = " and ".join(map(str, files))
    return f"{named}: {why}; mend it" + (
        "" if len(files) > 1 else ", or move it away for a new key"
    )


def _key_in(pem: bytes) -> bytes:
    """The hash of the key of the first certificate. Raises ValueError."""
    if (told := _TOLD.search(pem)) is not None:
        return bytes.fromhex(told[1].decode())
    from cryptography import x509

    return _hash_of(x509.load_pem_x509_certificate(pem))


def _make(file: Path) -> None:
    """A key and a certificate for it that ends never: players look at the key alone."""
    key = new_key()
    certificate = certificate_of("clocktowers", key, None, key)
    told = f"SHA-256 of the public key: {_hash_of(certificate).hex()}\n"
    replace_file(file, told.encode() + as_pem(key, certificate))


def _hash_of(certificate: "x509.Certificate") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = certificate.public_key()
    return sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()


def new_key() -> "Key":
    """On P-256."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def certificate_of(
    name: str,
    key: "Key",
    root: "x509.Certificate | None",
    signer: "Key",
    *extensions: tuple[Any, bool],
) -> "x509.Certificate":
    """One for ever, of this key, which `signer` signs, the key of `root`; None = its own. The
    extensions, and whether each is critical."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    issuer, number = subject if root is None else root.subject, x509.random_serial_number()
    public = key.public_key()
    unsigned = x509.CertificateBuilder(issuer, subject, public, number, _BEGIN, _END)
    for extension, critical in extensions:
        unsigned = unsigned.add_extension(extension, critical)
    return unsigned.sign(signer, hashes.SHA256())


def as_pem(key: "Key", certificate: "x509.Certificate") -> bytes:
    from cryptography.hazmat.primitives import serialization

    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    own = key.private_bytes(pem, form, serialization.NoEncryption())
    return own + certificate.public_bytes(pem)


# The key by which callers over SSH know this server again: made once, kept in its folder.


_PRIVATE_KEY, _PUBLIC_KEY = SSH


def ssh_key_file(state: Path) -> Path:
    """The private key, which is made where there is none. Raises OSError."""
    path = state / _PRIVATE_KEY
    if not path.exists():
        _make_ssh_key(path)
    path.chmod(0o600)
    return path


def ssh_fingerprint(state: Path) -> str:
    """As SSH clients show it, `SHA256:…`; "" = there is no key."""
    try:
        _kind, key, *_comment = (state / _PUBLIC_KEY).read_text().split()
        digest = sha256(base64.b64decode(key, validate=True)).digest()
    except (OSError, ValueError):
        return ""
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


def _make_ssh_key(path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    form = serialization.PrivateFormat.OpenSSH
    no_password = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, form, no_password)
    public = key.public_key().public_bytes(
        serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
    )
    replace_file(path.with_name(_PUBLIC_KEY), public + b"\n")
    replace_file(path, private)
