"""What players type to get to a server: addresses, invitations, and which of a neighbour's
addresses is dialled."""

from pathlib import Path

import ifaddr
import pytest
from ifaddr import IP, Adapter
from msgspec.structs import replace

from clocktowers_tui.net.address import Address, parse_address, parse_place
from clocktowers_tui.net.arrival import arrive
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.nearby import best
from clocktowers_tui.net.seats import Seats
from clocktowers_tui.net.trust import FIRST_USE, Ticket, Trust
from clocktowers_tui.net.wishes import Return, Visit, visit_to
from protocol.invitation import Invitation, Place, decode, encode
from server.operating import commands
from tests.clocktowers_tui.net.test_on_disk import SEAT
from tests.server.operating.test_door import ask
from tests.stage.house import house
from tests.stage.scripted_server import ScriptedPeer, scripted


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("example.org", Address("example.org", 7777)),
        (" 192.168.1.5:80 ", Address("192.168.1.5", 80)),
        ("[::1]", Address("::1", 7777)),
        ("[::1]:9000", Address("::1", 9000)),
        ("fe80::1%eth0", Address("fe80::1%eth0", 7777)),
        ("bücher.example:65535", Address("bücher.example", 65535)),
    ],
)
def test_what_is_understood(typed: str, address: Address) -> None:
    assert parse_address(typed) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "typed",
    [
        *("", ":7777", "host:", "host:0", "host:65536", "host:x", "host:-1", "host:٣"),
        *("[::1", "[host]:1", "[::1]7777", "http://host", "a b", "host:1:", "x" * 300, "a\x1b[2Jb"),
    ],
)
def test_what_is_not(typed: str) -> None:
    with pytest.raises(LinkError) as caught:
        parse_address(typed)
    assert caught.value.fault is Fault.BAD_ADDRESS
    assert "\x1b" not in str(caught.value.params["address"])


@pytest.mark.parametrize(
    ("pasted", "code"),
    [
        ("10.0.0.2:80", ""),
        ("10.0.0.2:80/kx4r", "KX4R"),
        ("http://10.0.0.2:80/", ""),
        ("HTTPS://10.0.0.2:80/KX4R/", "KX4R"),
        (" clocktowers join 10.0.0.2:80 ", ""),
        ("clocktowers join 10.0.0.2:80 --table kx4r", "KX4R"),
        ("Friends type:  clocktowers join 10.0.0.2:80 --table KX4R --watch", "KX4R"),
        ("join --table=KX4R 10.0.0.2:80", "KX4R"),
    ],
)
def test_a_place_may_be_pasted_with_what_stands_around_it(pasted: str, code: str) -> None:
    assert parse_place(pasted) == ([Address("10.0.0.2", 80)], code)


def test_a_place_that_is_none_is_said() -> None:
    several = [Address("a", 1), Address("::1", 2), Address("b", 7777)]
    assert parse_place("a:1,[::1]:2, b,a:1/KX4R") == (several, "KX4R")
    assert parse_place("ct:7777/KX4R") == ([Address("ct", 7777)], "KX4R")
    wrong = "ct:AAECAwQFBgc", "clocktowers join", "ftp://host", "/KX4R", "join a b --table KX4R"
    for typed in wrong:
        with pytest.raises(LinkError) as caught:
            parse_place(typed)
        assert caught.value.fault is Fault.BAD_ADDRESS, typed


# Invitations, and where they lead -----------------------------------------------------------------


SECRET, KEY = bytes(range(12)), bytes(range(100, 116))
LAN = Place("192.168.1.5", 7777)
LINE = encode(Invitation((LAN, Place("games.example", 70)), SECRET, KEY, "KX4R"))
LED = Visit(
    Address("192.168.1.5", 7777),
    Ticket(invitation=SECRET),
    "KX4R",
    trust=Trust(KEY),
    others=(Address("games.example", 70),),
)


@pytest.mark.parametrize(
    "typed",
    [LINE, f"  {LINE.upper()}\n", f"clocktowers join {LINE}", f"{LINE[:40]} {LINE[40:].lower()}"],
)
def test_a_pasted_line_leads_to_the_table(typed: str) -> None:
    assert visit_to(typed) == LED
    assert visit_to(typed, "abcd").table == "ABCD"
    bare = encode(Invitation((LAN,), SECRET))
    assert visit_to(bare).trust == FIRST_USE


def test_a_crash_that_shows_all_variables_shows_no_secret() -> None:
    shown = repr(visit_to(LINE, ticket=Ticket("tower7")))
    assert "192.168.1.5" in shown and "tower7" not in shown and repr(SECRET) not in shown


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        (LINE[:-1] + ("A" if LINE[-1] != "A" else "B"), Fault.INVITATION_MISTYPED),
        (LINE[:30], Fault.INVITATION_CUT),
    ],
)
def test_a_wrong_one_is_a_sentence(typed: str, fault: Fault) -> None:
    with pytest.raises(LinkError) as caught:
        visit_to(typed)
    assert caught.value.fault is fault


async def line_from(folder: Path, *addresses: str, table: str = "") -> str:
    asked = commands.Issue(addresses=tuple(addresses), table=table)
    values = (await ask(folder, asked)).values
    assert values is not None
    return str(values["invitation"])


async def test_it_leads_in_without_the_password_by_the_address_that_answers(tmp_path: Path) -> None:
    async with house(password="tower", folder=tmp_path) as at:
        port = at.address.port
        line = await line_from(tmp_path, "192.0.2.1:1", "127.0.0.1:1", f"127.0.0.1:{port}")
        arrival = await arrive(visit_to(line), "Ben")
        assert arrival.link.address == Address("127.0.0.1", port)
        key = arrival.link.trust.key
        assert len(key) == 32 and key.startswith(decode(line).key)
        await arrival.end()
        await ask(tmp_path, commands.Revoke(name="all"))
        with pytest.raises(TurnedAway) as caught:
            await arrive(visit_to(line), "Ben")
        assert caught.value.code == "invitation_revoked"


async def test_a_player_comes_back_to_the_seat_by_the_same_invitation(tmp_path: Path) -> None:
    async with house(password="tower", folder=tmp_path) as at:
        secret = decode(await line_from(tmp_path)).secret
        seat = replace(SEAT, host="127.0.0.1", port=at.address.port, invitation=secret.hex())
        seats = Seats()
        await seats.keep(seat)
        seats.release()
        arrival = await arrive(Return(seat), "Ben")
        assert arrival.link.welcome.name == seat.name
        await arrival.end()


async def test_a_secret_never_goes_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[object] = []

    async def script(peer: ScriptedPeer) -> None:
        heard.append(await peer.hears())

    async with scripted(script) as address:
        visit = Visit(address, Ticket(invitation=SECRET))
        for private in (False, True):
            monkeypatch.setattr("clocktowers_tui.net.link.is_private", lambda _, it=private: it)
            with pytest.raises(LinkError):
                await arrive(visit, "Ben")
    assert [hello.invitation for hello in heard] == [None, SECRET]  # type: ignore[attr-defined]


# A server on the local network --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("addresses", "dialled"),
    [
        (["10.0.0.5", "192.168.1.5"], "192.168.1.5"),  # of our own network
        (["fe80::5%2", "10.0.0.5"], "fe80::5%2"),
        (["fd00::5", "fe80::5%2"], "fd00::5"),
        (["fe80::5"], ""),  # without the zone nobody knows which cable
        (["127.0.0.1", "::1", "0.0.0.0", "224.0.0.1"], ""),  # a neighbour means none of these
        (["203.0.113.9"], "203.0.113.9"),
    ],
)
def test_the_best_address(
    addresses: list[str], dialled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ips = [
        IP("192.168.1.2", 24, "a"),
        IP(("fe80::2", 0, 2), 64, "a"),
        IP(("fd00::2", 0, 0), 64, "a"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [Adapter("eth0", "eth0", ips, index=2)])
    assert best(addresses) == dialled
