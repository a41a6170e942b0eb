"""A server is the one that it was: by its key, by what an authority says, or in clear by the
player's own wish. To another nothing is sent that only the right one may read."""

import asyncio
import ssl
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from clocktowers_tui.net import dialing
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.identity import derived, secret, shown_to
from clocktowers_tui.net.lasting_link import LastingLink, always, lines
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.seats import OwnSeat, Seat
from clocktowers_tui.net.trust import (
    CERTIFIED,
    FIRST_USE,
    PLAIN,
    Ticket,
    Trust,
    from_disk,
    is_here,
    may_be_certified,
    typed_trust,
)
from protocol.from_client import Hello
from server.admission.gate import Admission, Admittance
from server.doors.certificate import Certificate, for_server
from server.net.session import Session
from tests.stage.house import AT_HOME, House, eventually, house, new_folder_with_key

NAME = "Ann of the tower"
TICKET = Ticket("hunter2", in_clear=True)
TOKEN = bytes(range(32))


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The servers of these tests are on another machine, as far as the client knows."""
    for user in ("dialing", "lasting_link"):
        monkeypatch.setattr(f"clocktowers_tui.net.{user}.is_here", lambda _address: False)
    dialing._met.clear()
    yield
    dialing._met.clear()


async def visit(at: Address, trust: Trust = FIRST_USE) -> Trust:
    """By what the server there is known then."""
    link = await LastingLink.open(at, NAME, TICKET, trust=trust)
    await link.close()
    return link.trust


async def refused(at: Address, trust: Trust = FIRST_USE) -> Fault:
    with pytest.raises(LinkError) as error:
        await visit(at, trust)
    return error.value.fault


def of(at: House) -> Address:
    return Address(*at.address)


class Middle:
    """Somebody in the middle, and what they can read."""

    def __init__(self) -> None:
        self.at = Address("", 0)
        self.heard = bytearray()
        self._begun: list[Any] = []
        self._over: list[Any] = []

    async def serve(
        self, trust: Certificate | None, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """To the caller's end. `trust`: what the answer is; None: in clear."""
        caller = writer.get_extra_info("peername")
        self._begun.append(caller)
        try:
            if trust is not None:
                await writer.start_tls(trust.context)
            while came := await reader.read(1000):
                self.heard.extend(came)
        except OSError:
            pass
        finally:
            self._over.append(caller)
            writer.transport.abort()

    async def is_told_nothing(self) -> None:
        """One more calls behind all others: when that call is over, theirs have been, too."""
        _reader, writer = await asyncio.open_connection(*self.at)
        last = writer.get_extra_info("sockname")
        await eventually(lambda: last in self._begun)
        writer.transport.abort()
        await eventually(lambda: sorted(self._begun) == sorted(self._over))
        assert self.heard == b""


@asynccontextmanager
async def in_the_middle(trust: Certificate | None) -> AsyncIterator[Middle]:
    """Somebody who answers with that certificate, or in clear."""
    middle = Middle()
    server = await asyncio.start_server(partial(middle.serve, trust), "127.0.0.1", 0)
    middle.at = Address("127.0.0.1", server.sockets[0].getsockname()[1])
    try:
        yield middle
    finally:
        server.close()


def new_key() -> Certificate:
    made = for_server(AT_HOME, Path(mkdtemp()))
    assert made is not None
    return made


# First use --------------------------------------------------------------------------------------


async def test_a_server_is_known_by_the_key_that_it_showed_first(home: Path) -> None:
    async with house(folder=new_folder_with_key()) as at:
        found = await visit(of(at))
        assert found == Trust(at.server.key)
        file = dialing._servers_file()
        assert file.is_relative_to(home)
        assert file.read_text() == f"127.0.0.1:{at.address.port} {found.key.hex()}\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        dialing._met.clear()
        assert await visit(of(at)) == found


async def test_one_that_turns_us_away_or_is_no_server_is_not_known() -> None:
    """And hears all that a client says which looks at no key."""
    async with in_the_middle(new_key()) as middle:
        visiting = asyncio.create_task(visit(middle.at))
        await eventually(lambda: NAME.encode() in middle.heard and b"hunter2" in middle.heard)
        visiting.cancel()
        await asyncio.wait([visiting])
        assert dialing.known_server(middle.at) == FIRST_USE


async def test_a_file_that_cannot_be_written_or_read_keeps_nobody_from_playing(home: Path) -> None:
    folder = dialing._servers_file().parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("no folder")
    async with house(folder=new_folder_with_key()) as at:
        assert await visit(of(at)) == Trust(at.server.key)
        assert await visit(of(at)) == Trust(at.server.key)


def test_lines_that_players_spoilt_are_read_over(home: Path) -> None:
    here, there = Address("a.example", 1), Address("b.example", 2)
    dialing.keep_known(here, Trust(bytes(32)))
    dialing.keep_known(there, CERTIFIED)
    file = dialing._servers_file()
    file.write_bytes(b"\xff\n\n x\nc.example:3 beef\n" + file.read_bytes()[:-3])
    dialing._met.clear()
    assert dialing.known_server(here) == Trust(bytes(32))
    assert dialing.known_server(there) == FIRST_USE


# Another key ------------------------------------------------------------------------------------


async def test_another_key_is_refused_before_a_byte_was_sent() -> None:
    """Neither the token of a seat, nor a password, an identity or a name."""
    async with in_the_middle(new_key()) as middle:
        dialing.keep_known(middle.at, Trust(new_key().key))
        assert await refused(middle.at) is Fault.KEY_CHANGED
        assert await refused(middle.at, Trust(new_key().key)) is Fault.KEY_CHANGED
        assert await refused(middle.at, Trust(new_key().key[:16])) is Fault.KEY_CHANGED
        assert await refused(middle.at, CERTIFIED) is Fault.KEY_CHANGED
        assert await refused(middle.at, PLAIN) is Fault.KEY_CHANGED
        await middle.is_told_nothing()


async def test_a_seat_is_taken_again_from_its_own_server_only() -> None:
    async with in_the_middle(new_key()) as middle:
        kept = Seat(
            host=middle.at.host,
            port=middle.at.port,
            name=NAME,
            match="m",
            table="T",
            game="clocktowers",
            token=TOKEN.hex(),
            trust=Trust(new_key().key).on_disk(),
        )
        with pytest.raises(LinkError) as error:
            await LastingLink.open(middle.at, NAME, own=OwnSeat(NAME, seat=kept), trust=kept.trusts)
        assert error.value.fault is Fault.KEY_CHANGED
        await middle.is_told_nothing()


async def test_a_line_that_broke_is_dialled_to_the_same_server_only() -> None:
    async with house(folder=new_folder_with_key()) as at:
        link = await LastingLink.open(of(at), NAME)
        assert (await link._dial()).trust == Trust(at.server.key)
        port = at.address.port
    async with house(folder=Path(mkdtemp()), config=AT_HOME.__replace__(port=port)) as other:
        assert other.address.port == port
        with pytest.raises(LinkError) as error:  # and it does not go on for ever
            await anext(lines(link._dial, print, always, Random(1)))
        assert error.value.fault is Fault.KEY_CHANGED
        await link.hang_up()


async def test_a_new_key_is_taken_when_the_player_says_so() -> None:
    async with house(folder=new_folder_with_key()) as at:
        dialing.keep_known(of(at), Trust(new_key().key))
        assert await refused(of(at)) is Fault.KEY_CHANGED
        assert await visit(of(at), Trust(afresh=True)) == Trust(at.server.key)
        assert await visit(of(at)) == Trust(at.server.key)


# In clear ---------------------------------------------------------------------------------------


async def test_a_server_without_tls_is_spoken_to_in_clear_only_by_wish() -> None:
    async with house() as at:
        assert await refused(of(at)) is Fault.NO_TLS
        assert await visit(of(at), PLAIN) == PLAIN
        assert await refused(of(at)) is Fault.NO_TLS


async def test_a_server_that_encrypted_before_is_not_spoken_to_in_clear() -> None:
    async with in_the_middle(None) as middle:
        dialing.keep_known(middle.at, Trust(new_key().key))
        assert await refused(middle.at, PLAIN) is Fault.KEY_CHANGED
        await middle.is_told_nothing()
    async with house() as plain:
        dialing.keep_known(of(plain), Trust(new_key().key))
        assert await refused(of(plain)) is Fault.KEY_CHANGED
        assert await visit(of(plain), PLAIN._replace(afresh=True)) == PLAIN


async def test_on_this_machine_nothing_needs_to_be_encrypted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    async with house(folder=new_folder_with_key()) as at:
        link = await Link.open(of(at), NAME)
        assert link.trust == PLAIN
        await link.close()


# What an authority says -------------------------------------------------------------------------


def authority(names: list[str]) -> tuple[Certificate, Path]:
    """A certificate for these names, and the authority's own."""
    folder, now = Path(mkdtemp()), datetime.now(UTC)
    pem = serialization.Encoding.PEM

    def signed(who: str, key: Any, by: str, by_key: Any, more: Any) -> Any:
        issuer, subject = (
            x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]) for name in (by, who)
        )
        unsigned = x509.CertificateBuilder(
            issuer, subject, key.public_key(), x509.random_serial_number()
        )
        unsigned = unsigned.not_valid_before(now - timedelta(days=1))
        unsigned = unsigned.not_valid_after(now + timedelta(days=1))
        own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key(by_key.public_key())
        signs = isinstance(more, x509.BasicConstraints)
        use = x509.KeyUsage(not signs, False, False, False, False, signs, signs, False, False)
        unsigned = unsigned.add_extension(more, signs).add_extension(use, critical=True)
        unsigned = unsigned.add_extension(own, critical=False)
        return unsigned.add_extension(above, critical=False).sign(by_key, hashes.SHA256())

    root, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    all_of_it = x509.BasicConstraints(ca=True, path_length=None)
    told = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
    (folder / "root.pem").write_bytes(
        signed("Root", root, "Root", root, all_of_it).public_bytes(pem)
    )
    (folder / "cert.pem").write_bytes(signed(names[0], own, "Root", root, told).public_bytes(pem))
    form, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(own.private_bytes(pem, form, none))
    return Certificate(folder / "cert.pem", folder / "key.pem"), folder / "root.pem"


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> str:
    """A name that leads here."""
    connect = asyncio.open_connection

    async def lead_here(host: str, *args: Any, **more: Any) -> Any:
        return await connect("127.0.0.1", *args, **more)

    monkeypatch.setattr(asyncio, "open_connection", lead_here)
    return "club.example.org"


async def test_who_is_certified_needs_no_key(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, root = authority([club])
    monkeypatch.setattr(
        ssl, "create_default_context", lambda make=ssl.create_default_context: make(cafile=root)
    )
    monkeypatch.setattr("server.server.for_server", lambda *_: certificate)
    async with house(folder=Path(mkdtemp())) as at:
        there = Address(club, at.address.port)
        assert await visit(there) == CERTIFIED
        assert await visit(there, Trust(new_key().key)) == CERTIFIED  # renewed since
        dialing._met.clear()
        assert dialing.known_server(there) == CERTIFIED
        assert await refused(Address("other.example.org", at.address.port), CERTIFIED) is (
            Fault.KEY_CHANGED
        )
    async with in_the_middle(new_key()) as middle:
        dialing.keep_known(there := Address(club, middle.at.port), CERTIFIED)
        assert await refused(there) is Fault.KEY_CHANGED
        await middle.is_told_nothing()


async def test_a_named_server_without_an_authority_is_known_by_its_key(club: str) -> None:
    async with house(folder=new_folder_with_key()) as at:
        there = Address(club, at.address.port)
        assert await visit(there) == await visit(there) == Trust(at.server.key)


# An identity for each key -----------------------------------------------------------------------


async def test_a_server_is_shown_the_same_at_each_of_its_addresses(
    club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Hello] = []
    judge = Admission.judge

    def noted(admission: Admission, session: Session, hello: Hello) -> Admittance | str:
        shown.append(hello)
        return judge(admission, session, hello)

    monkeypatch.setattr(Admission, "judge", noted)
    async with house(folder=new_folder_with_key()) as at:
        for host in ("127.0.0.1", club):
            await visit(Address(host, at.address.port))
        value = derived(secret(), f"key/{at.server.key.hex()}")
    async with house() as plain:
        await visit(of(plain), PLAIN)
    by_address = await shown_to(of(plain))
    assert [hello.identity for hello in shown] == [value, value, by_address]


# Words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trust", [FIRST_USE, PLAIN, CERTIFIED, Trust(bytes(range(32)))])
def test_what_is_kept_is_read_again(trust: Trust) -> None:
    assert from_disk(trust.on_disk()) == trust


@pytest.mark.parametrize(
    ("typed", "rest", "trust"),
    [
        ("club.example", "club.example", FIRST_USE),
        ("club.example --unencrypted", "club.example", PLAIN),
        (
            "club.example:7/KX4R --new-key --unencrypted",
            "club.example:7/KX4R",
            PLAIN._replace(afresh=True),
        ),
        ("clocktowers join a --new-key", "clocktowers join a", Trust(afresh=True)),
        ("club --unencryptedly", "club --unencryptedly", FIRST_USE),
    ],
)
def test_the_player_says_it_behind_the_address(typed: str, rest: str, trust: Trust) -> None:
    assert typed_trust(typed) == (rest, trust)


def test_who_is_here_and_who_may_be_certified() -> None:
    for host in ("127.0.0.1", "127.8.9.1", "::1", "localhost", "LOCALHOST."):
        assert is_here(Address(host, 1)) and not may_be_certified(Address(host, 1))
    for host in ("192.168.1.5", "2001:db8::1", "club", "club.local"):
        assert not is_here(Address(host, 1)) and not may_be_certified(Address(host, 1))
    assert may_be_certified(Address("club.example.org", 1))
