"""The keys by which the nodes of a cluster know each other: the cluster has an authority, and each
node makes a key of its own when it starts and has the authority vouch for it.

Law: only a node whose certificate this authority has signed gets a word in, and a node that dials
another speaks with that one alone, wherever its address leads.
"""

import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.store.whole import replace_file

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as Key

AUTHORITY: Final = "nodes.pem"
"""What the authority's key and certificate are called among the files that the nodes share."""
_OWN: Final = "node.pem"
_BEGIN: Final = datetime(2000, 1, 1, tzinfo=UTC)
_END: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def new_authority() -> bytes:
    """A key and its own certificate, as PEM."""
    from cryptography import x509

    key = _new_key()
    ca = (x509.BasicConstraints(ca=True, path_length=0), True)
    return _pem(key, _certificate("clocktowers cluster", key, None, key, [ca]))


def named(node: str) -> str:
    """What a node is called in its certificate; any text can be the name of a node."""
    return f"{sha256(node.encode()).hexdigest()[:40]}.node"


class Keys:
    """Of one node. `serving`: for those that dial it; `calling`: for those that it dials."""

    def __init__(self, authority: bytes, node: str, folder: Path) -> None:
        """`folder`: the node's own. Raises ValueError and OSError."""
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        signer: Any = load_pem_private_key(authority, None)
        root = x509.load_pem_x509_certificate(authority)
        key = _new_key()
        its = (x509.SubjectAlternativeName([x509.DNSName(named(node))]), False)
        own = folder / _OWN
        replace_file(own, _pem(key, _certificate(named(node), key, root, signer, [its])))
        try:
            self.serving: Final = _context(ssl.PROTOCOL_TLS_SERVER, own, root)
            self.calling: Final = _context(ssl.PROTOCOL_TLS_CLIENT, own, root)
        finally:
            own.unlink()  # the next start makes another


def _context(protocol: int, own: Path, root: "x509.Certificate") -> ssl.SSLContext:
    from cryptography.hazmat.primitives.serialization import Encoding

    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=root.public_bytes(Encoding.DER))
    context.load_cert_chain(own)
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0
    return context


def _new_key() -> "Key":
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _certificate(
    name: str,
    key: "Key",
    root: "x509.Certificate | None",
    signer: "Key",
    extensions: Sequence[tuple[Any, bool]],
) -> "x509.Certificate":
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    issuer = subject if root is None else root.subject
    unsigned = x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(), _BEGIN, _END
    )
    for extension, critical in extensions:
        unsigned = unsigned.add_extension(extension, critical)
    return unsigned.sign(signer, hashes.SHA256())


def _pem(key: "Key", certificate: "x509.Certificate") -> bytes:
    from cryptography.hazmat.primitives import serialization

    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(pem, form, serialization.NoEncryption()) + certificate.public_bytes(
        pem
    )
