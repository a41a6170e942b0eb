"""How people and places stand in the log, and how a flood about one place is kept short."""

from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

MARK_DIGITS: Final = 12
BLOCKS: Final = {4: 24, 6: 48}
"""How much of an address its block has, in bits: about the town and the provider."""


def identity_mark(identity: bytes) -> str:
    """12 hexadecimal digits by which log lines about the same player are found; "" for none.

    `identity`: as in `Guest`. It cannot be found from its mark, nor shown in its place.
    """
    return sha256(b"log" + identity).hexdigest()[:MARK_DIGITS] if identity else ""


def block_of(address: str) -> str:
    """The /24 or /48 that the address is in; what is no address is left as it is."""
    try:
        ip: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return str(ip_network(f"{ip}/{BLOCKS[ip.version]}", strict=False))
