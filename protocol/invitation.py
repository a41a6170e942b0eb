"""An invitation: one line that leads into a server, `ct:` and letters.

    ct:0J3W…   a byte of version and contents, the key's hash, the secret, the table's code,
               the addresses, and a checksum of two bytes, in base 32

A line of version 2 leads to a finished match: its id and the proof that opens its record stand
behind the table's code, and where nobody needs the secret it is zeros. One of version 3 leads to a
player's old machine, which hands the player over to a new one.

The letters are Crockford's: no I, L, O or U, so that a line can be read out and typed; small
letters, blanks and hyphens are read over, and 0 and 1 are understood when O, I or L stand there.
The checksum is a CRC of 16 bits, which finds every line with one wrong letter, with two neighbours
exchanged or up to three wrong letters beside each other.

Of the key the line has 16 of the 32 bytes of the SHA-256 of its public part (SPKI). Somebody who
wants to stand in for the server has to find a key of the same 16 bytes, which takes 2^128 attempts:
the shorter way to two keys of one hash (2^64) is of no use, since the server's key is there first.
"""

import binascii
from collections.abc import Sequence
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from protocol.dealing import PROOF_BYTES
from protocol.ids import DEFAULT_PORT

# An invitation as a QR code, for a server's terminal and a client's screen.


MOST_ROWS: Final = 21
"""Two dots a row: so it fits a terminal of 80 by 24 with words below."""
_QUIET: Final = (4, 2)
"""Light dots around: what the standard wants, and what cameras take."""
_CELLS: Final = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""A dark dot is a blank: a code is read on a light ground, and most terminals are dark."""


def rows_of(text: str) -> list[str]:
    """The code in half blocks; none where it would have more than `MOST_ROWS`. Capitals take less
    room, and an invitation is read in capitals, too."""
    import segno  # seldom used

    code = segno.make(text.upper(), error="l", micro=False)
    for quiet in _QUIET:
        dots = [[*map(bool, row)] for row in code.matrix_iter(border=quiet)]
        if len(dots) <= 2 * MOST_ROWS:
            under = [*dots[1::2], *[[False] * len(dots)] * (len(dots) % 2)]
            pairs = zip(dots[::2], under, strict=True)
            return ["".join(_CELLS[two] for two in zip(*pair, strict=True)) for pair in pairs]
    return []


PREFIX: Final = "ct:"
SECRET_BYTES: Final = 12
"""96 random bits: a server lets nobody guess often, and keeps only a hash."""
NO_SECRET: Final = bytes(SECRET_BYTES)
"""In a line to a match at a server to which everybody may come."""
KEY_BYTES: Final = 16
MOST_ADDRESSES: Final = 4
MOST_LETTERS: Final = 1200
"""Four names of 253 letters fit."""

_HTTPS_PORT: Final = 443
_VERSION: Final = 1
_OF_A_MATCH: Final = 2
_OF_A_MOVE: Final = 3
_HAS_KEY: Final = 0x10
_CHECK_BYTES: Final = 2
_BITS: Final = 5
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ: Final = str.maketrans("OIL", "011", " -\t\r\n")
_NAME, _IPV4, _IPV6 = range(3)
_OWN_PORT: Final = 0x10
"""In the byte before an address: its port follows; else it is the port of the address before, the
first of which is `DEFAULT_PORT`."""


class Place(NamedTuple):
    """`host`: a name, or an IP address."""

    host: str
    port: int


class Invitation(NamedTuple):
    """`places`: where the server may be, the likeliest first. `key`: the first `KEY_BYTES` of the
    SHA-256 of its public key, b"" = it has none. `table`: a code, "" = none. `match`: the id of a
    finished one, "" = none, and `proof`: what opens its record (`record_proof`). `moves`: the
    line leads to no server, but to the client of a player who moves to another machine."""

    places: tuple[Place, ...]
    secret: bytes
    key: bytes = b""
    table: str = ""
    match: str = ""
    proof: bytes = b""
    moves: bool = False


class Wrong(StrEnum):
    """Why a line is no invitation."""

    MISTYPED = "mistyped"
    CUT = "cut"
    NEWER = "newer"


class BadInvitation(Exception):
    """The line leads nowhere; `wrong` says why."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.value)
        self.wrong = wrong


def is_invitation(text: str) -> bool:
    """Whether a text begins as one."""
    return text.strip()[: len(PREFIX)].lower() == PREFIX


def encode(invitation: Invitation) -> str:
    """The line. Raises ValueError for what no line can hold."""
    places = invitation.places
    if not 1 <= len(places) <= MOST_ADDRESSES or len(invitation.secret) != SECRET_BYTES:
        raise ValueError("an invitation has some addresses and one secret")
    if len(invitation.key) not in (0, KEY_BYTES):
        raise ValueError("a key's hash is whole or missing")
    if len(invitation.proof) != PROOF_BYTES * bool(invitation.match):
        raise ValueError("a finished match has a proof, and nothing else has one")
    version = _OF_A_MATCH if invitation.match else _OF_A_MOVE if invitation.moves else _VERSION
    content = bytes((version | _HAS_KEY * bool(invitation.key),))
    content += invitation.key + invitation.secret + _with_length(invitation.table)
    if invitation.match:
        content += _with_length(invitation.match) + invitation.proof
    content += bytes((len(places),)) + _encoded(places)
    whole = content + binascii.crc_hqx(content, 0).to_bytes(_CHECK_BYTES, "big")
    return PREFIX + _letters_of(whole)


def page_address(invitation: Invitation, port: int = 0) -> str:
    """The same for a browser: the address of the page at the first place, with what its server
    does not know behind `#`, which browsers keep to themselves. `port`: the page's, 0 = the
    place's."""
    host, own = invitation.places[0]
    host = f"[{host}]" if ":" in host else host
    port = port or own
    at = host if port == _HTTPS_PORT else f"{host}:{port}"
    table = f"-{invitation.table}" if invitation.table else ""
    return f"https://{at}/#{_letters_of(invitation.secret)}{table}"


def from_page(told: str) -> tuple[bytes, str]:
    """The secret and the table's code that stand behind `#`. Raises BadInvitation."""
    letters, _, table = told.partition("-")
    secret, exact = _bytes_of(letters.upper().translate(_READ)[:MOST_LETTERS])
    if len(secret) < SECRET_BYTES:
        raise BadInvitation(Wrong.CUT)
    if not exact or len(secret) > SECRET_BYTES:
        raise BadInvitation(Wrong.MISTYPED)
    return secret, table


def _encoded(places: Sequence[Place]) -> bytes:
    whole, port = b"", DEFAULT_PORT
    for place in places:
        kind, host = _host(place.host)
        own = _OWN_PORT * (place.port != port)
        port = place.port
        whole += bytes((kind | own,)) + host + port.to_bytes(2, "big") * bool(own)
    return whole


def _host(host: str) -> tuple[int, bytes]:
    try:
        address = ip_address(host)
    except ValueError:
        return _NAME, _with_length(host)
    return (_IPV4 if address.version == 4 else _IPV6), address.packed


def _with_length(text: str) -> bytes:
    whole = text.encode("ascii")
    return bytes((len(whole),)) + whole


def decode(line: str) -> Invitation:
    """What the line says. Raises BadInvitation."""
    letters = line.strip()[len(PREFIX) :].upper().translate(_READ)
    if not is_invitation(line) or len(letters) > MOST_LETTERS:
        raise BadInvitation(Wrong.MISTYPED)
    whole, exact = _bytes_of(letters)
    content, check = whole[:-_CHECK_BYTES], whole[-_CHECK_BYTES:]
    if not exact or binascii.crc_hqx(content, 0) != int.from_bytes(check, "big"):
        raise BadInvitation(_probably(content))
    if content[:1] and content[0] & 0x0F > _OF_A_MOVE:
        raise BadInvitation(Wrong.NEWER)
    return _Reader(content).invitation()


def _letters_of(whole: bytes) -> str:
    """Five bits a letter; the last has zeros to spare."""
    count = -(-8 * len(whole) // _BITS)
    number = int.from_bytes(whole, "big") << (count * _BITS - 8 * len(whole))
    digits = (number >> _BITS * at & 31 for at in reversed(range(count)))
    return "".join(map(_LETTERS.__getitem__, digits))


def _bytes_of(letters: str) -> tuple[bytes, bool]:
    """The whole bytes in the letters, and whether they are just what we would write."""
    if not set(letters) <= set(_LETTERS):
        raise BadInvitation(Wrong.MISTYPED)
    number = 0
    for letter in letters:
        number = number << _BITS | _LETTERS.index(letter)
    count, spare = divmod(_BITS * len(letters), 8)
    exact = spare < _BITS and not number & ((1 << spare) - 1)
    return (number >> spare).to_bytes(count, "big"), exact


def _probably(content: bytes) -> Wrong:
    """Why the checksum does not fit: a line that ends before what it announces was cut."""
    try:
        _Reader(content).invitation()
    except BadInvitation as error:
        return error.wrong
    return Wrong.MISTYPED


class _Reader:
    """Takes bytes off the front; never more than there are."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def invitation(self) -> Invitation:
        first, match, proof = self._number(), "", b""
        if (version := first & 0x0F) not in (_VERSION, _OF_A_MATCH, _OF_A_MOVE):
            raise BadInvitation(Wrong.MISTYPED)
        key = self._take(KEY_BYTES) if first & _HAS_KEY else b""
        secret, table = self._take(SECRET_BYTES), self._text()
        if version == _OF_A_MATCH:
            match, proof = self._text(), self._take(PROOF_BYTES)
            if not match:
                raise BadInvitation(Wrong.MISTYPED)
        count = self._number()
        if not 1 <= count <= MOST_ADDRESSES:
            raise BadInvitation(Wrong.MISTYPED)
        places: list[Place] = []
        for _ in range(count):
            places.append(self._place(places[-1].port if places else DEFAULT_PORT))
        if self._rest:
            raise BadInvitation(Wrong.MISTYPED)
        moves = version == _OF_A_MOVE
        return Invitation(tuple(places), secret, key, table, match, proof, moves)

    def _place(self, port: int) -> Place:
        first = self._number()
        match first & ~_OWN_PORT:
            case 0:
                host = self._text()
            case 1:
                host = str(IPv4Address(self._take(4)))
            case 2:
                host = str(IPv6Address(self._take(16)))
            case _:
                raise BadInvitation(Wrong.MISTYPED)
        if first & _OWN_PORT:
            port = int.from_bytes(self._take(2), "big")
        if not host or not port:
            raise BadInvitation(Wrong.MISTYPED)
        return Place(host, port)

    def _text(self) -> str:
        text = self._take(self._number())
        if not all(0x21 <= letter <= 0x7E for letter in text):
            raise BadInvitation(Wrong.MISTYPED)
        return text.decode("ascii")

    def _number(self) -> int:
        return self._take(1)[0]

    def _take(self, count: int) -> bytes:
        if len(self._rest) < count:
            raise BadInvitation(Wrong.CUT)
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken


# How friends come to the server that a client has started: that server tells its client.


Where: TypeAlias = tuple[str, int]
"""A host and a port."""


class Ways(Struct, frozen=True):
    """`invitation`: the line, and `page`: the same as a web address; "" = there is none. `ssh`:
    where that door is found, None = it is shut, and `ssh_key`: the fingerprint of its key, as SSH
    clients show it. `nearby`: the server tries to tell the local network of itself."""

    invitation: str = ""
    page: str = ""
    ssh: Where | None = None
    ssh_key: str = ""
    nearby: bool = False
