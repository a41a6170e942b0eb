"""A record that its server has signed, so that nobody else can change it unseen.

    "signed": {"key": "…", "signature": "…"}

The signature is Ed25519 (RFC 8032) over the record without `signed` and what is `BESIDE` it: JSON
in UTF-8, without blanks, the keys of each object in order. RECORDS.md says how far that is RFC
8785.
"""

import json
from typing import Any, Final

SIGNED: Final = "signed"
"""The field of a record that has the key and the signature, both in hex."""
COMMENTS: Final = "comments"
MOST_COMMENT: Final = 100
"""Characters of a comment: two rows of the smallest terminal."""
REVIEW: Final = "review"
BESIDE: Final = (COMMENTS, REVIEW)
"""The fields for what people and bots have said of a match since; anybody may write them."""


def public_key(secret: bytes) -> str:
    """That of a server whose secret key these 32 bytes are, in hex; "" = it has none, b""."""
    if not secret:
        return ""
    # Slow to load, and a start signs nothing.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw().hex()


def signed(record: dict[str, Any], secret: bytes) -> dict[str, Any]:
    """The record with its signature. `secret`: as in `public_key`."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signature = Ed25519PrivateKey.from_private_bytes(secret).sign(_canonical(record))
    return {**record, SIGNED: {"key": public_key(secret), "signature": signature.hex()}}


def signer(record: dict[str, Any]) -> str:
    """The public key of the server that has signed it, in hex; "" = nobody has. Raises ValueError
    where the signature is not one of this record by that key."""
    if SIGNED not in record:
        return ""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key, signature = (bytes.fromhex(record[SIGNED][name]) for name in ("key", "signature"))
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _canonical(record))
    except (InvalidSignature, KeyError, TypeError, ValueError, RecursionError):
        raise ValueError("the record must be as its server signed it, and was changed") from None
    return key.hex()


def signed_part(record: dict[str, Any]) -> dict[str, Any]:
    """The fields of the record that a server signs."""
    return {name: value for name, value in record.items() if name not in (SIGNED, *BESIDE)}


def _canonical(record: dict[str, Any]) -> bytes:
    told = signed_part(record)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode()
