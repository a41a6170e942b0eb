"""Opening a connection to a server that is the one it should be, and the file of the servers that
the player knows; the operating system's reasons are sorted into ours.

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
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from clocktowers_tui.config.files import locked, note, write
from clocktowers_tui.net import house
from clocktowers_tui.net.address import HOUSE, Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.identity import server_name
from clocktowers_tui.net.trust import (
    CERTIFIED,
    FIRST_USE,
    PLAIN,
    Trust,
    from_disk,
    is_here,
    may_be_certified,
)

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


async def dial(address: Address, trust: Trust = FIRST_USE) -> Dialled:
    """Connect to the server there; the caller sets the time limit. Raises LinkError."""
    if address == HOUSE:
        return Dialled(*await house.dial(), PLAIN)
    if trust.is_open and is_here(address):
        trust = PLAIN._replace(afresh=True)
    before = FIRST_USE if trust.afresh else await asyncio.to_thread(known_server, address)
    if trust.plain:
        if not before.is_open:
            raise _changed(address)
        return Dialled(*await _connect(address), PLAIN)
    expected = before if trust.is_open else trust
    try:
        return await _secured(address, expected)
    except LinkError as error:
        if error.fault is Fault.NO_TLS and not expected.is_open:
            raise _changed(address) from None
        raise


async def _secured(address: Address, expected: Trust) -> Dialled:
    if expected.key or not may_be_certified(address):
        line = await _by_key(address)
        if not expected.certified and line.trust.key.startswith(expected.key):
            return line
        line.writer.transport.abort()
    if may_be_certified(address):
        try:
            return await _by_certificate(address)
        except _NotCertified:
            pass
    if expected.is_open:
        return await _by_key(address)
    raise _changed(address)


def _changed(address: Address) -> LinkError:
    """The server is not the one that it should be, or does not prove it."""
    return LinkError(Fault.KEY_CHANGED, address=str(address))


async def _by_key(address: Address) -> Dialled:
    """A line to the server that answers there, with the hash of its key."""
    streams = await _encrypted(address, _any_key())
    shown = streams[1].get_extra_info("ssl_object").getpeercert(binary_form=True)
    try:
        key = await asyncio.to_thread(hash_of_key, shown)
    except ValueError:
        streams[1].transport.abort()
        raise LinkError(Fault.NOT_OURS, address=str(address)) from None
    return Dialled(*streams, Trust(key))


async def _by_certificate(address: Address) -> Dialled:
    """Raises _NotCertified, too."""
    context = await asyncio.to_thread(ssl.create_default_context)
    return Dialled(*await _encrypted(address, context), CERTIFIED)


async def _encrypted(
    address: Address, context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await _connect(address)
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


async def takes_calls(address: Address) -> bool:
    """Whether somebody listens there."""
    with suppress(LinkError, TimeoutError):
        async with asyncio.timeout(KNOCK_S):
            _reader, writer = await _connect(address)
        writer.transport.abort()
        return True
    return False


async def answering(addresses: Sequence[Address]) -> list[Address]:
    """In which order to dial the addresses of one server: those that take a call first."""
    if len(addresses) == 1:
        return [*addresses]
    quick: list[Address] = []

    async def knock(address: Address) -> None:
        if await takes_calls(address):
            quick.append(address)

    async with asyncio.TaskGroup() as tasks:
        knocking = {tasks.create_task(knock(address)) for address in addresses}
        while not quick and knocking:
            _done, knocking = await asyncio.wait(knocking, return_when=asyncio.FIRST_COMPLETED)
        if knocking:
            await asyncio.wait(knocking, timeout=OTHERS_S)
        for late in knocking:
            late.cancel()
    return [*quick, *(address for address in addresses if address not in quick)]


async def _connect(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = address
    try:
        return await asyncio.open_connection(host, port, happy_eyeballs_delay=HEAD_START_S)
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


def hash_of_key(der: bytes) -> bytes:
    """Of this certificate. Raises ValueError."""
    from cryptography import x509  # slow to load, and a start may not dial
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_der_x509_certificate(der).public_key()
    return sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()


# By what the player knows each server: a file with a line for each, HOST:PORT and a word
# (`Trust.on_disk`). Players may read it, and delete lines.
#
# Without a disk each first time is the first: then a changed key is noticed only as long as the
# program runs.


MOST_SERVERS: Final = 1000
"""Beyond, the server that was not met for longest is forgotten."""

_met: dict[str, Trust] = {}
"""Since this program began."""


def known_server(address: Address) -> Trust:
    """By what this server is known; `FIRST_USE` for one that is not."""
    name = server_name(address)
    return _met.get(name) or _read_servers().get(name, FIRST_USE)


def keep_known(address: Address, trust: Trust) -> None:
    """From now on the server there is known by this."""
    name = server_name(address)
    if known_server(address) == trust:
        return
    _met[name] = trust
    try:
        with locked(_servers_file()):
            servers = _read_servers()
            servers.pop(name, None)
            newest = [*servers.items(), (name, trust)][-MOST_SERVERS:]
            lines = (f"{name} {trust.on_disk()}\n" for name, trust in newest)
            write(_servers_file(), "".join(lines).encode())
    except OSError as error:
        note(f"the key of {name} is not kept: {_servers_file()}: {error.strerror}")


def _servers_file() -> Path:
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "known-servers"


def _read_servers() -> dict[str, Trust]:
    try:
        lines = _servers_file().read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    found = (line.partition(" ") for line in lines)
    read = {name: from_disk(word.strip()) for name, _blank, word in found}
    return {name: trust for name, trust in read.items() if not trust.is_open}
