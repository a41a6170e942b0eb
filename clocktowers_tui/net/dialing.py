"""Opening a connection to a server that is the one it should be; the operating system's reasons are
sorted into ours.

Law: before a server has proven who it is, nothing is sent that only it may read.
"""

import asyncio
import socket
import ssl
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

from clocktowers_tui.net import house
from clocktowers_tui.net.address import HOUSE, Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.known_servers import known_server
from clocktowers_tui.net.trust import CERTIFIED, FIRST_USE, PLAIN, Trust, is_here, may_be_certified

HANDSHAKE_S: Final = 5.0
KNOCK_S: Final = 3.0
"""How long each of several addresses may take to answer,"""
OTHERS_S: Final = 0.2
"""and how long the others are waited for once one has."""
_NO_RACE: Final = (3, 12) <= sys.version_info < (3, 13, 1)
HEAD_START_S: Final = None if _NO_RACE else 0.25
"""Of each address of a host before the next; None: the next is tried only when it has failed. The
race fails in these Pythons when tasks begin at once, as Textual has them begin."""


class Dialled(NamedTuple):
    """`trust`: by what the server is known, for the next time."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    trust: Trust


class _NotCertified(Exception):
    """No authority vouches for what the server showed."""


async def dial(address: Address, limit_bytes: int, trust: Trust = FIRST_USE) -> Dialled:
    """Connect to the server there; the caller sets the time limit. Raises LinkError."""
    if address == HOUSE:
        return Dialled(*await house.dial(limit_bytes), PLAIN)
    if trust.is_open and is_here(address):
        trust = PLAIN._replace(afresh=True)
    before = FIRST_USE if trust.afresh else await asyncio.to_thread(known_server, address)
    if trust.plain:
        if not before.is_open:
            raise _changed(address)
        return Dialled(*await _connect(address, limit_bytes), PLAIN)
    expected = before if trust.is_open else trust
    try:
        return await _secured(address, limit_bytes, expected)
    except LinkError as error:
        if error.fault is Fault.NO_TLS and not expected.is_open:
            raise _changed(address) from None
        raise


async def _secured(address: Address, limit_bytes: int, expected: Trust) -> Dialled:
    if expected.key or not may_be_certified(address):
        line, shown = await _by_key(address, limit_bytes)
        if not expected.certified and shown.startswith(expected.key):
            return line
        line.writer.transport.abort()
    if may_be_certified(address):
        try:
            return await _by_certificate(address, limit_bytes)
        except _NotCertified:
            pass
    if expected.is_open:
        return (await _by_key(address, limit_bytes))[0]
    raise _changed(address)


def _changed(address: Address) -> LinkError:
    """The server is not the one that it should be, or does not prove it."""
    return LinkError(Fault.KEY_CHANGED, address=str(address))


async def _by_key(address: Address, limit_bytes: int) -> tuple[Dialled, bytes]:
    """A line to the server that answers there, and the hash of its key."""
    streams = await _encrypted(address, limit_bytes, _any_key())
    shown = streams[1].get_extra_info("ssl_object").getpeercert(binary_form=True)
    try:
        key = await asyncio.to_thread(_hash_of_key, shown)
    except ValueError:
        streams[1].transport.abort()
        raise LinkError(Fault.NOT_OURS, address=str(address)) from None
    return Dialled(*streams, Trust(key)), key


async def _by_certificate(address: Address, limit_bytes: int) -> Dialled:
    """Raises _NotCertified, too."""
    context = await asyncio.to_thread(ssl.create_default_context)
    return Dialled(*await _encrypted(address, limit_bytes, context), CERTIFIED)


async def _encrypted(
    address: Address, limit_bytes: int, context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await _connect(address, limit_bytes)
    try:
        async with asyncio.timeout(HANDSHAKE_S):
            await writer.start_tls(context, server_hostname=address.host.rstrip("."))
    except BaseException as error:
        writer.transport.abort()
        if isinstance(error, ssl.SSLCertVerificationError):
            raise _NotCertified from None
        raise _why_not(error, address) from None
    return reader, writer


def _why_not(error: BaseException, address: Address) -> BaseException:
    """Why there is no TLS."""
    match error:
        case ssl.SSLEOFError() | ConnectionError():
            return LinkError(Fault.HUNG_UP, address=str(address))
        case TimeoutError():
            return LinkError(Fault.MUTE, address=str(address))
        case ssl.SSLError():
            return LinkError(Fault.NO_TLS, address=str(address))
        case OSError():
            return LinkError(Fault.LOST, address=str(address))
        case ValueError():
            return LinkError(Fault.UNKNOWN_HOST, host=address.host)
        case _:
            return error


async def answering(addresses: Sequence[Address]) -> list[Address]:
    """In which order to dial the addresses of one server: those that take a call first."""
    if len(addresses) == 1:
        return [*addresses]
    quick: list[Address] = []

    async def knock(address: Address) -> None:
        with suppress(LinkError, TimeoutError):
            async with asyncio.timeout(KNOCK_S):
                _reader, writer = await _connect(address, 1)
            quick.append(address)
            writer.transport.abort()

    async with asyncio.TaskGroup() as tasks:
        knocking = {tasks.create_task(knock(address)) for address in addresses}
        while not quick and knocking:
            _done, knocking = await asyncio.wait(knocking, return_when=asyncio.FIRST_COMPLETED)
        if knocking:
            await asyncio.wait(knocking, timeout=OTHERS_S)
        for late in knocking:
            late.cancel()
    return [*quick, *(address for address in addresses if address not in quick)]


async def _connect(
    address: Address, limit_bytes: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = address
    try:
        return await asyncio.open_connection(
            host, port, limit=limit_bytes, happy_eyeballs_delay=HEAD_START_S
        )
    except (socket.gaierror, UnicodeError):
        raise LinkError(Fault.UNKNOWN_HOST, host=host) from None
    except ConnectionRefusedError:
        raise LinkError(Fault.CLOSED_PORT, address=str(address)) from None
    except OSError as error:
        # A host with several addresses: asyncio joins their errors into one that has no number.
        refused = error.errno is None and "refused" in str(error).lower()
        fault = Fault.CLOSED_PORT if refused else Fault.UNREACHABLE
        raise LinkError(fault, address=str(address)) from None


@cache
def _any_key() -> ssl.SSLContext:
    """A context that accepts every certificate: the caller compares the key in it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _hash_of_key(der: bytes) -> bytes:
    """Raises ValueError."""
    from cryptography import x509  # slow to load, and a start may not dial
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_der_x509_certificate(der).public_key()
    return sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
