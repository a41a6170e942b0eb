"""The PROXY protocol, versions 1 and 2: the line or block in front of a connection in which a proxy
says for whom it calls. https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt

Law: not a byte is read that belongs to the caller.
"""

import struct
from ipaddress import ip_address
from typing import Final

from server.net.callers import Caller, without_mapping

SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
SHORTEST_BYTES: Final = 15
"""`PROXY UNKNOWN` and its end of line; a block of version 2 has 16."""
LINE_BYTES: Final = 107
BLOCK_BYTES: Final = 4096
"""What a proxy may add (its certificates' names, say) seldom takes more than some hundred bytes."""

_BLOCK: Final = struct.Struct(">12sBBH")
_LOCAL, _PROXIED = 0x20, 0x21
_ADDRESS_BYTES: Final = {0x11: 4, 0x21: 16}
"""By family and transport: TCP over IPv4, TCP over IPv6."""
_PORTS_BYTES: Final = 4
_TLV: Final = struct.Struct(">BH")
_OVER_TLS: Final = 0x20
_CLIENT_USED_TLS: Final = 1


class NoHeader(Exception):
    """What came is no header of the protocol."""


def missing(came: bytes) -> int:
    """How many more bytes belong to the header for certain; 0 = it is whole. Raises NoHeader."""
    if len(came) < SHORTEST_BYTES:
        return SHORTEST_BYTES - len(came)
    if came.startswith(SIGNATURE):
        if len(came) < _BLOCK.size:
            return _BLOCK.size - len(came)
        length: int = _BLOCK.unpack_from(came)[3]
        if length > BLOCK_BYTES:
            raise NoHeader
        return _BLOCK.size + length - len(came)
    if not came.startswith(b"PROXY ") or len(came) > LINE_BYTES:
        raise NoHeader
    if came.endswith(b"\r\n"):
        return 0
    return 1 if came.endswith(b"\r") else 2


def caller_in(header: bytes) -> Caller | None:
    """Who calls, by a whole header; None: the proxy itself does, as to see whether we are there.
    Raises NoHeader."""
    try:
        return _in_block(header) if header.startswith(SIGNATURE) else _in_line(header)
    except (ValueError, struct.error):
        raise NoHeader from None


def _in_line(header: bytes) -> Caller | None:
    _proxy, kind, *rest = header.decode("ascii").split()
    if kind == "UNKNOWN":
        return None
    address, _ours, _port, _our_port = rest
    if kind not in ("TCP4", "TCP6"):
        raise NoHeader
    return Caller(_plain(address), proxied=True)


def _in_block(header: bytes) -> Caller | None:
    _signature, command, kind, _length = _BLOCK.unpack_from(header)
    if command == _LOCAL:
        return None
    size = _ADDRESS_BYTES.get(kind)
    if command != _PROXIED:
        raise NoHeader
    if size is None:
        return None
    start = _BLOCK.size
    more = start + 2 * size + _PORTS_BYTES
    if len(header) < more:
        raise NoHeader
    address = _plain(header[start : start + size])
    return Caller(address, encrypted=_tells_of_tls(header[more:]), proxied=True)


def _plain(address: str | bytes) -> str:
    return str(without_mapping(ip_address(address)))


def _tells_of_tls(told: bytes) -> bool:
    """Whether the caller speaks TLS with the proxy."""
    while told:
        kind, length = _TLV.unpack_from(told)
        value, told = told[_TLV.size : _TLV.size + length], told[_TLV.size + length :]
        if kind == _OVER_TLS:
            return bool(value) and bool(value[0] & _CLIENT_USED_TLS)
    return False
