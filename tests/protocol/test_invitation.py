"""Invitations, and servers nearby: what goes in comes out, and a mistyped line leads nowhere."""

import binascii
import re
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from protocol import invitation
from protocol.dealing import PROOF_BYTES, record_proof
from protocol.invitation import (
    KEY_BYTES,
    MOST_ADDRESSES,
    MOST_ROWS,
    SECRET_BYTES,
    BadInvitation,
    Invitation,
    Place,
    Wrong,
    decode,
    encode,
    from_page,
    is_invitation,
    page_address,
    rows_of,
)
from protocol.nearby import Nearby, from_txt
from protocol.text import MAX_TITLE_CELLS, cells, clean
from tests.stage.document import rows

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SECRET, KEY = bytes(range(SECRET_BYTES)), bytes(range(100, 100 + KEY_BYTES))
MATCH, SEED = "6f1d0a9c35e2b874", bytes(range(32))
LAN = Invitation((Place("192.168.1.5", 7777),), SECRET, KEY, "KX4R")

SHOWN = LAN._replace(table="", match=MATCH, proof=record_proof(MATCH, SEED))

names = st.from_regex(r"[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?\.[a-z]{2,20}", fullmatch=True)
hosts = st.one_of(
    names,
    st.integers(0, 2**32 - 1).map(lambda n: str(IPv4Address(n))),
    st.integers(0, 2**128 - 1).map(lambda n: str(IPv6Address(n))),
)
places = st.builds(Place, hosts, st.integers(1, 65535))
invitations = st.builds(
    Invitation,
    st.lists(places, min_size=1, max_size=MOST_ADDRESSES).map(tuple),
    st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES),
    st.one_of(st.just(b""), st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)),
    st.one_of(st.just(""), st.text("ABCDEFGH23456789", min_size=4, max_size=8)),
    st.just(""),
    st.just(b""),
    st.booleans(),
)
to_matches = st.builds(
    lambda one, match, proof: one._replace(match=match, proof=proof, moves=False),
    invitations,
    st.text("0123456789abcdef", min_size=1, max_size=40),
    st.binary(min_size=PROOF_BYTES, max_size=PROOF_BYTES),
)


@given(invitations | to_matches)
def test_what_goes_in_comes_out_however_it_was_copied(one: Invitation) -> None:
    line = encode(one)
    assert is_invitation(line) and decode(line) == one
    letters = line.removeprefix("ct:")
    spaced = "  CT:" + "-".join(letters[n : n + 5] for n in range(0, len(letters), 5)).lower()
    assert decode(spaced.replace("0", "o").replace("1", "l") + " \n") == one


def test_one_address_and_a_table_take_71_letters() -> None:
    line = encode(LAN)
    assert len(line) == 71
    assert len(encode(LAN._replace(table=""))) == 64


def test_the_line_on_the_page_says_what_the_page_says() -> None:
    page = (Path(invitation.__file__).parent / "PROTOCOL.md").read_text("utf-8")
    (line,) = re.findall(r"^    (ct:\S+)$", page, re.MULTILINE)
    assert decode(line) == LAN
    assert f"Of match `{MATCH}` with the seed 00 01 02 … 1f it is `{SHOWN.proof.hex()}`" in page
    assert f"192.168.1.5:7777, table KX4R, key {KEY.hex()}, secret {SECRET.hex()}" in page


@pytest.mark.parametrize("seed", range(3))
def test_every_mistyped_letter_and_every_exchange_is_found(seed: int) -> None:
    line = encode(LAN._replace(secret=Random(seed).randbytes(SECRET_BYTES)))
    wrong = set()
    for at in range(3, len(line)):
        wrong |= {line[:at] + letter + line[at + 1 :] for letter in LETTERS}
        wrong |= {line[:at] + line[at : at + 2][::-1] + line[at + 2 :]}
        wrong |= {line[:at] + line[at + 1 :]}
    for one in wrong - {line}:
        with pytest.raises(BadInvitation):
            decode(one)


def with_checksum(content: bytes) -> str:
    """A line that is whole, whatever it says."""
    whole = content + binascii.crc_hqx(content, 0).to_bytes(2, "big")
    return "ct:" + invitation._letters_of(whole)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("", Wrong.MISTYPED),
        ("ct:", Wrong.CUT),
        ("ct:!!!", Wrong.MISTYPED),
        ("ct:\u00e4\u00f6\u0660\u0661", Wrong.MISTYPED),
        (encode(LAN)[:-12], Wrong.CUT),
        (encode(LAN)[:20], Wrong.CUT),
        ("ct:" + "0" * 5000, Wrong.MISTYPED),
        (with_checksum(b"\x04" + bytes(60)), Wrong.NEWER),
        (with_checksum(b"\x02" + bytes(60)), Wrong.MISTYPED),
        (encode(SHOWN)[:50], Wrong.CUT),
    ],
)
def test_what_is_none_says_why(line: str, wrong: Wrong) -> None:
    with pytest.raises(BadInvitation) as caught:
        decode(line)
    assert caught.value.wrong is wrong


@given(st.binary(max_size=80))
def test_what_a_line_announces_is_never_believed(content: bytes) -> None:
    for line in (with_checksum(content), with_checksum(b"\x01" + SECRET + content)):
        try:
            assert encode(decode(line))
        except BadInvitation as error:
            assert error.wrong in Wrong


@pytest.mark.parametrize(
    "one",
    [
        LAN._replace(places=()),
        LAN._replace(places=LAN.places * 5),
        LAN._replace(secret=b""),
        LAN._replace(key=b"short"),
        LAN._replace(match="m1"),
        LAN._replace(proof=SHOWN.proof),
        LAN._replace(places=(Place("h\u00f6st", 7777),)),
        LAN._replace(places=(Place("x" * 256, 7777),)),
    ],
)
def test_what_no_line_can_hold_is_not_written(one: Invitation) -> None:
    with pytest.raises(ValueError):
        encode(one)


@pytest.mark.parametrize(
    ("place", "port", "begins"),
    [
        (Place("games.example", 7777), 0, "https://games.example:7777/#"),
        (Place("games.example", 7777), 443, "https://games.example/#"),
        (Place("2001:db8::7", 7777), 0, "https://[2001:db8::7]:7777/#"),
    ],
)
def test_a_browser_has_its_own_address(place: Place, port: int, begins: str) -> None:
    """Its server is told the secret and the table, and the QR code of it fits a terminal."""
    for table in ("", "K7QM"):
        invited = Invitation((place,), bytes(range(SECRET_BYTES)), table=table)
        address = page_address(invited, port)
        assert address.startswith(begins)
        assert from_page(address.removeprefix(begins)) == (invited.secret, table)
        assert from_page(address.removeprefix(begins).lower()) == (invited.secret, table.lower())
        assert 0 < len(rows_of(address)) <= MOST_ROWS


# Servers nearby -----------------------------------------------------------------------------------

TXT = st.dictionaries(
    st.sampled_from([b"name", b"version", b"key", b"password", b"else"]) | st.binary(max_size=9),
    st.none() | st.binary(max_size=255) | st.text(max_size=80).map(str.encode),
)


def test_what_is_said_is_what_is_heard() -> None:
    for said in (
        Nearby(),
        Nearby(name="Città, giovedì", versions=(3, 1), key="ab" * 32, password=True),
    ):
        assert from_txt({key.encode(): value.encode() for key, value in said.txt().items()}) == said


def test_the_document_lists_the_keys() -> None:
    assert [row[0] for row in rows("On the local network")] == ["key", *Nearby().txt()]


def test_a_long_name_still_fits_into_a_record() -> None:
    assert all(
        len(f"{key}={value}".encode()) < 255 for key, value in Nearby(name="é" * 500).txt().items()
    )


@given(TXT)
def test_anything_else_is_fit_to_be_shown(txt: dict[bytes, bytes | None]) -> None:
    heard = from_txt(txt)
    assert heard.name == clean(heard.name) and cells(heard.name) <= MAX_TITLE_CELLS
    assert heard.key == clean(heard.key)


def test_a_program_of_another_version_is_known_as_one() -> None:
    assert from_txt({b"version": b"7,1"}).understood
    assert not from_txt({b"version": b"7"}).understood
    assert not from_txt({}).understood
