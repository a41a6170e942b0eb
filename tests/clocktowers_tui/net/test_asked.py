"""Invitations as players paste them, and where they lead."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from clocktowers_tui.net import dialing
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.arrival import arrive
from clocktowers_tui.net.asked import visit_to
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.seats import Seats
from clocktowers_tui.net.ticket import Ticket
from clocktowers_tui.net.trust import FIRST_USE, Trust
from clocktowers_tui.net.wishes import Return, Visit
from protocol.invitation import Invitation, Place, decode, encode
from server.operating import words
from tests.clocktowers_tui.net.test_seats import SEAT
from tests.server.operating.test_door import ask
from tests.stage.house import house
from tests.stage.scripted_server import Peer, scripted

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
        ("ct:AAECAwQFBgc", Fault.INVITATION_MISTYPED),
        ("ct:", Fault.INVITATION_CUT),
    ],
)
def test_a_wrong_one_is_a_sentence(typed: str, fault: Fault) -> None:
    with pytest.raises(LinkError) as caught:
        visit_to(typed)
    assert caught.value.fault is fault


async def line_from(folder: Path, *addresses: str, table: str = "") -> str:
    asked = words.Invite(addresses=list(addresses), table=table)
    values = (await ask(folder, asked)).values
    assert values is not None
    return str(values["invitation"])


async def test_it_leads_in_without_the_password_by_the_address_that_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialing, "KNOCK_S", 0.2)
    async with house(password="tower", folder=tmp_path) as at:
        port = at.address.port
        line = await line_from(tmp_path, "192.0.2.1:1", "127.0.0.1:1", f"127.0.0.1:{port}")
        arrival = await arrive(visit_to(line), "Ben")
        assert arrival.link.address == Address("127.0.0.1", port)
        key = arrival.link.trust.key
        assert len(key) == 32 and key.startswith(decode(line).key)
        await arrival.end()
        await ask(tmp_path, words.Revoke(name="all"))
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


async def test_a_server_with_another_key_is_sent_nothing(tmp_path: Path) -> None:
    async with house(password="tower", folder=tmp_path) as at:
        line = decode(await line_from(tmp_path))
        other = encode(line._replace(key=KEY))
        with pytest.raises(LinkError) as caught:
            await arrive(visit_to(other), "Ben")
        assert caught.value.fault is Fault.OTHER_SERVER
        assert not at.server.peers.admitted


async def test_a_secret_never_goes_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[object] = []

    async def script(peer: Peer) -> None:
        heard.append(await peer.hears())

    async with scripted(script) as address:
        visit = Visit(address, Ticket(invitation=SECRET))
        for private in (False, True):
            monkeypatch.setattr("clocktowers_tui.net.link.is_private", lambda _, it=private: it)
            with pytest.raises(LinkError):
                await arrive(visit, "Ben")
    assert [hello.invitation for hello in heard] == [None, SECRET]  # type: ignore[attr-defined]
