"""A player moves to another machine: what goes over, and the two ways that it takes.

The old machine listens for five minutes, with a certificate of its own. The line that it shows
(`protocol.invitation`) has its addresses, the hash of its key and a secret; the new machine looks
at the key before it says the secret. Where one cannot reach the other, a file is sealed with a pass
phrase.

Laws: without the line, or the pass phrase, nobody learns anything. The first right secret uses the
line up, and the third wrong one does. The old machine changes nothing until the new one has said
that it has all on its disk, and the new one until all has come.
"""

import asyncio
import base64
import errno
import hmac
import os
import secrets
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from clocktowers_tui.net import identity
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.dialing import Dialled, answering, dial, hash_of_key
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.seats import Seat, Seats, cleaned
from clocktowers_tui.net.trust import Trust
from clocktowers_tui.net.waiting import line_of
from protocol.from_client import Resume
from protocol.from_server import Refused, SeatToken
from protocol.invitation import (
    KEY_BYTES,
    MOST_ADDRESSES,
    SECRET_BYTES,
    Invitation,
    Place,
    decode,
    encode,
)
from protocol.networks import lan_addresses

OPEN_S: Final = 300.0
"""How long the old machine listens."""
ANSWER_S: Final = 10.0
"""How long a caller may take to say the secret, and a machine or a server to answer."""
MOST_WRONG: Final = 3
MOST_BYTES: Final = 1 << 22
_LENGTH: Final = 4


class Luggage(msgspec.Struct, frozen=True):
    """What goes over. `secret`: the player's, of which each server is shown another value. `stays`:
    the old machine has matches on servers of its own, too."""

    secret: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    name: str
    seats: tuple[Seat, ...]
    stays: bool = False


def packed(name: str) -> Luggage:
    """That of this machine. Raises OSError."""
    found = Seats().all()
    goes = tuple(seat for seat in found if not seat.at_home)
    return Luggage(identity.secret(), name, goes, len(goes) < len(found))


async def unpack(what: Luggage) -> Path | None:
    """Let this be the player's machine. A seat that is here already stays as it is, unless the
    moved one was used later. Returns where the identity is kept that was here. Raises OSError."""
    seats = Seats()
    here = {(seat.address, seat.asked_for): seat.kept_at for seat in seats.all()}
    for seat in what.seats:
        if seat.kept_at > here.get((seat.address, seat.asked_for), 0.0):
            await seats.keep(replace(seat, folder=0))
    await seats.let_go()
    if not {seat.asked_for for seat in what.seats} <= {seat.asked_for for seat in seats.all()}:
        raise OSError(errno.EIO, os.strerror(errno.EIO))
    return await asyncio.to_thread(identity.take_over, what.secret)


# The old machine.


class MoveEnd(Enum):
    """How it ended: the new machine has said one of the first two, or not that it has it all."""

    TAKEN = b"T"
    SHUT = b"S"
    NOTHING = b""


class OldMachine:
    """Answers callers until it is `over`. One has said the secret when it has no `tries`."""

    def __init__(self, what: Luggage) -> None:
        self.secret: Final = secrets.token_bytes(SECRET_BYTES)
        self.over: Final[asyncio.Future[MoveEnd]] = asyncio.get_running_loop().create_future()
        self._what: Final = what
        self._tries = MOST_WRONG

    def end(self, how: MoveEnd) -> None:
        if not self.over.done():
            self.over.set_result(how)

    async def call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Somebody has come."""
        try:
            async with asyncio.timeout(ANSWER_S):
                said = await reader.readexactly(SECRET_BYTES)
            if self._is_right(said):
                await self._hand_over(reader, writer)
        except (OSError, EOFError, TimeoutError, ValueError):
            pass  # ValueError: it says another byte
        finally:
            writer.close()

    def _is_right(self, said: bytes) -> bool:
        waits = self._tries > 0 and not self.over.done()
        right = waits and hmac.compare_digest(said, self.secret)
        self._tries = 0 if right else self._tries - 1
        if not right and not self._tries:
            self.end(MoveEnd.NOTHING)
        return right

    async def _hand_over(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        how = MoveEnd.NOTHING
        try:
            content = msgspec.json.encode(self._what)
            writer.write(len(content).to_bytes(_LENGTH, "big") + content)
            said = await reader.read(1)
            if not self.over.done():
                how = MoveEnd(said)
            if how is MoveEnd.SHUT:
                await asyncio.to_thread(Seats().give_up, self._what.seats)
                await asyncio.to_thread(identity.give_up)
        finally:
            self.end(how)


@asynccontextmanager
async def moving_out(what: Luggage) -> AsyncIterator[tuple[str, "asyncio.Future[MoveEnd]"]]:
    """Listen, and hand over the line and how it will have ended. Raises OSError."""
    context, key = await asyncio.to_thread(_certificate)
    old = OldMachine(what)
    server = await asyncio.start_server(
        old.call, "0.0.0.0", 0, ssl=context, ssl_handshake_timeout=ANSWER_S
    )
    late = asyncio.get_running_loop().call_later(OPEN_S, old.end, MoveEnd.NOTHING)
    try:
        port = server.sockets[0].getsockname()[1]
        places = [Place(ip, port) for ip in lan_addresses() or ["127.0.0.1"]][:MOST_ADDRESSES]
        yield encode(Invitation(tuple(places), old.secret, key[:KEY_BYTES], moves=True)), old.over
    finally:
        old.end(MoveEnd.NOTHING)
        late.cancel()
        server.close()


def _certificate() -> tuple[ssl.SSLContext, bytes]:
    """One for these minutes, and the hash of its key."""
    from cryptography import x509  # slow to load, and players seldom move
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, begin = ec.generate_private_key(ec.SECP256R1()), datetime(2000, 1, 1, tzinfo=UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "clocktowers")])
    public, number, until = key.public_key(), x509.random_serial_number(), begin.replace(year=9999)
    unsigned = x509.CertificateBuilder(name, name, public, number, begin, until)
    certificate = unsigned.sign(key, hashes.SHA256())
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with NamedTemporaryFile() as held:  # the only way that Python has; nobody else may read it
        held.write(key.private_bytes(pem, form, serialization.NoEncryption()))
        held.write(certificate.public_bytes(pem))
        held.flush()
        context.load_cert_chain(held.name)
    return context, hash_of_key(certificate.public_bytes(serialization.Encoding.DER))


# The new machine.


@asynccontextmanager
async def moving_in(line: str) -> AsyncIterator[tuple[Luggage, Dialled]]:
    """Fetch what the old machine has; it waits on this line to be told the `MoveEnd`. Raises
    BadInvitation for no such line, and LinkError."""
    invitation = decode(line)
    came = await _dialled(invitation)
    try:
        yield await _told(came, invitation.secret), came
    finally:
        came.writer.close()


async def _dialled(invitation: Invitation) -> Dialled:
    places = [Address(*place) for place in invitation.places]
    for address in await answering(places) if invitation.moves and invitation.key else ():
        with suppress(LinkError, TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                return await dial(address, Trust(invitation.key))
    raise LinkError(Fault.UNREACHABLE)


async def _told(line: Dialled, secret: bytes) -> Luggage:
    try:
        async with asyncio.timeout(ANSWER_S):
            line.writer.write(secret)
            length = int.from_bytes(await line.reader.readexactly(_LENGTH), "big")
            content = await line.reader.readexactly(min(length, MOST_BYTES))
            return msgspec.json.decode(content, type=Luggage)
    except (OSError, EOFError, TimeoutError, ValueError):
        raise LinkError(Fault.HUNG_UP) from None


# A file.


LEAST_PHRASE: Final = 8
_HEAD: Final = b"clocktowers moves 1\n"
_SALT_BYTES: Final = 16


def sealed(what: Luggage, phrase: str) -> bytes:
    from cryptography.fernet import Fernet

    salt = secrets.token_bytes(_SALT_BYTES)
    return _HEAD + salt + Fernet(_key(phrase, salt)).encrypt(msgspec.json.encode(what))


def unsealed(content: bytes, phrase: str) -> Luggage:
    """Raises ValueError where the pass phrase is another, or this is no such file."""
    from cryptography.fernet import Fernet, InvalidToken

    salt, token = content[len(_HEAD) :][:_SALT_BYTES], content[len(_HEAD) + _SALT_BYTES :]
    try:
        opened = Fernet(_key(phrase, salt)).decrypt(token)
    except InvalidToken:
        raise ValueError from None
    return msgspec.json.decode(opened, type=Luggage)


def _key(phrase: str, salt: bytes) -> bytes:
    """It takes 64 MiB, so that nobody can try many."""
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return base64.urlsafe_b64encode(Scrypt(salt, 32, 1 << 16, 8, 1).derive(phrase.encode()))


# Shutting the old machine out.


async def shut_out(seats: Sequence[Seat]) -> list[Seat]:
    """Let no token open these but those that this machine has. Returns the seats whose servers did
    not do it."""
    playing = [seat for seat in seats if seat.token]
    done = await asyncio.gather(*map(_renewed, playing))
    return [cleaned(seat) for seat, is_done in zip(playing, done, strict=True) if not is_done]


async def _renewed(seat: Seat) -> bool:
    """A server forgets a token when the next one is used: the seat is taken twice."""
    seats, came = Seats(), asyncio.Event()

    async def keep(token: SeatToken) -> None:
        nonlocal seat
        seat = replace(seat, token=token.token.hex())
        await seats.keep(seat)
        came.set()

    try:
        for _time in range(2):
            came.clear()
            async with asyncio.timeout(ANSWER_S), line_of(seat, keep) as link:
                wish = Resume(id=0, match=seat.match, token=bytes.fromhex(seat.token))
                if isinstance(await link.request(wish), Refused):
                    return False
                await came.wait()
    except (LinkError, TimeoutError):
        return False
    finally:
        await seats.let_go()
    return True
