"""Coming to a table: the lobby, the list of servers, passwords."""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Protocol
from unittest.mock import Mock

import pytest
from msgspec.structs import replace
from textual.events import Paste
from textual.widgets import Input

from clocktowers_tui.config.settings import been_at
from clocktowers_tui.history import matches
from clocktowers_tui.net import nearby, trust
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.nearby import Deaf, Neighbour
from clocktowers_tui.net.trust import Ticket
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.phrases.tables import lobby_in_words
from clocktowers_tui.screens.connect import ConnectScreen
from clocktowers_tui.screens.lobby import LobbyScreen
from clocktowers_tui.state.table import Lobby
from clocktowers_tui.widgets.field import recompose
from clocktowers_tui.widgets.menu import BoundedMenu, Menu
from protocol.dealing import record_proof
from protocol.errors import GoodbyeCode
from protocol.from_client import BotSeat, CreateTable, Join, Kick, ListTables, Start
from protocol.from_server import Done, Ended, Goodbye, Listing, LobbyChanged, Notice
from protocol.ids import MatchId, Seat
from protocol.invitation import NO_SECRET, Invitation, Place, encode
from protocol.nearby import Nearby
from protocol.table import Filter, SeatInfo, SeatKind, TableInfo, TablePhase
from server.config import Limits
from tests.stage.house import house, seated_pair
from tests.stage.pilot import SMALL, Playing, keep_seat, playing, press, seen, sees, until
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.typist import typing

# Finding a table: by what is typed, by what it waits for, by its code -----------------------------


RUSSIAN = {"turn_order": "draw-play"}


@asynccontextmanager
async def online(address: Address, name: str) -> AsyncIterator[Link]:
    """Somebody else, without a screen."""
    link = await Link.open(address, name)
    listening = asyncio.create_task(link.run(lambda message: None))
    try:
        yield link
    finally:
        await link.close()
        await listening


async def open_table(link: Link, title: str, bots: int, **options: object) -> str:
    """A table of theirs; its code."""
    taken = [BotSeat(seat, "random") for seat in range(1, bots + 1)]
    wish = CreateTable(id=0, game="clocktowers", seats=3, title=title, options=options, bots=taken)
    answer = await link.request(wish)
    assert isinstance(answer, Done)
    return answer.table


def line_of(player: Playing, text: str) -> str:
    return next(line for line in seen(player[0]).splitlines() if text in line)


async def test_a_line_to_a_finished_match_shows_it_and_leads_nowhere_else() -> None:
    """It is pasted where a server is asked for. A wrong one is a sentence."""
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        ended = [message for message in ann.seen if isinstance(message, Ended)][-1]
        proof = record_proof(ended.match, bytes.fromhex(ended.seed))
        said = zlib.compress(b'{"comments": {"0": "A poor deal."}}')
        await at.runner.journal.keep_said(MatchId(ended.match), Seat(1), said)
        here = Place(*at.address[:2])
        to = Invitation((here,), NO_SECRET, match=ended.match, proof=proof)
        async with playing(shows="Join a table") as player:
            await press(player, "c", shows="Paste an invitation")
            field = player[0].screen.query_one("#server", Input)
            field.value = encode(to._replace(match="m1"))
            await press(player, "enter", shows="its server has forgotten it")
            field.value = encode(to)
            await press(player, "enter", shows=("Replay: move 0 of", "Ben: A poor deal."))
            assert player[0].state.connection is None
            await press(player, "escape", shows="Paste an invitation")
    (one,) = matches.newest_first()
    assert (one.head.id, one.me) == (ended.match, None)


async def test_an_empty_lobby_tells_what_to_do_not_of_other_seats(address: Address) -> None:
    await keep_seat(Address(address.host, 1), "Bo")
    async with playing(Visit(address), size=SMALL) as player:
        await sees(player, "0 tables", "There is no table yet.", "n  New table")
        assert "You have a seat here" not in seen(player[0])
        for key, name in (("w", "w"), ("p", "p"), ("slash", "/")):
            await press(player, key, shows=f"{name} does nothing here")
        line = player[0].state.connection
        assert line is not None and len(lobby_in_words(line, Lobby())) == 1, "nothing is told yet"
        await press(player, "enter", shows="Create the table")


async def test_a_seat_there_is_one_of_the_tables_to_choose_from(address: Address) -> None:
    await keep_seat(address, "Ann")
    async with online(address, "Bo") as host, playing(shows="Join a table") as player:
        table = await open_table(host, "", 1)
        player[0].keep(been_at(player[0].settings, str(address)))
        await press(player, "c", "enter", shows=("ABCD: Clocktowers", f"{table}: Clocktowers"))
        await press(player, "escape", shows="Paste an invitation")
        await press(player, "enter", shows="Which table?")
        await press(player, "down", "enter", shows=(table, "Bo", "are ready"))


async def test_so_it_is_where_a_command_line_names_no_table(address: Address) -> None:
    await keep_seat(address, "Ann")
    async with online(address, "Bo") as host:
        table = await open_table(host, "", 1)
        async with playing(asked=Visit(address), shows="Which table?") as player:
            await press(player, "down", "enter", shows=(table, "Bo", "are ready"))


async def test_the_filter_is_live_and_the_servers(address: Address) -> None:
    async with (
        online(address, "Björn") as host,
        online(address, "Chiara") as other,
        playing(Visit(address), "Eve", SMALL) as player,
    ):
        fen = await open_table(host, "Fenland evening", 1, **RUSSIAN)
        await sees(player, "1 table", "Fenland")
        await press(player, "slash", *"FEN", shows=("1 table", "Fenland"))
        await open_table(other, "Hills", 0)
        await press(player, "backspace", "backspace", "backspace", shows=("2 tables", "Hills"))
        assert line_of(player, "Code").index("Title") == line_of(player, "1/3").index("Hills")
        await press(player, *"chiara", shows=("1 table", "Hills"))
        assert "Fenland" not in seen(player[0])
        await press(player, "escape", shows="2 tables")
        assert isinstance(player[0].focused, Menu)
        await press(player, "slash", *fen.lower(), "enter", shows=("1 table", "Fenland"))
        assert player[0].state.lobby.filter == Filter(text=fen.lower())
        await sees(player, "Enter: sit down there", "Björn", "Wren (bot, random)")
        await press(player, "enter", shows="are ready")
        await press(
            player,
            "q",
            "down",
            "down",
            "enter",
            shows=("1 table", "Game, title, code or player", "Fenland"),
        )
        await press(player, "escape", shows="2 tables")
        await press(player, "escape", shows="Leave this server?")


async def test_by_phase(address: Address) -> None:
    async with (
        online(address, "Björn") as host,
        online(address, "Chiara") as other,
        playing(Visit(address), "Eve") as player,
    ):
        await host.request(CreateTable(id=0, game="architetti_attenti", seats=3, title="Waits"))
        await open_table(other, "Plays", 2)
        await other.request(Start(id=0))
        await sees(player, "2 tables", "playing")
        for said, title in [
            ("only tables that wait", "Waits"),
            ("only tables that play", "Plays"),
            ("only tables with a free seat", "Waits"),
        ]:
            await press(player, "p", shows=(said, "1 table", title))
        await press(player, "p", shows="2 tables")
        await press(player, "B", shows="You build a town on a meadow")
        await press(player, "escape", shows="Enter: sit down there")
        await press(player, "up", shows=("A match is running.", "watch it"))
        await press(player, "enter", shows=("watching", "Chiara"))
        await other.request(Kick(id=0, name="Eve"))
        await sees(player, "2 tables", "sent you away", "Enter: sit down there")
        await press(player, "up")
        await until(player[1], lambda: seen(player[0]).count("sent you away") == 2)


async def test_a_code_leads_to_its_table_and_a_full_one_can_be_watched(address: Address) -> None:
    async with online(address, "Björn") as host, playing(Visit(address), "Eve") as player:
        code = await open_table(host, "", 2)
        await sees(player, code)
        await press(player, "c", *"nope", "enter")
        await sees(player, "That table is gone, or its code is wrong.")
        await press(player, "c", *"h:1/nope", "enter", shows="That line is for another server")
        await press(player, "c", *code.lower(), "enter", shows=("you can watch it", "Watch it"))
        await press(player, "down", "enter", shows="You are watching")
        await press(player, "q", shows="New table")
        async with typing(Visit(address)) as typist:
            typist.type(f"join {code}", "yes", "leave")  # a watcher would wait for the end
            await typist.hears("You are watching")
        await press(player, "c", shows="The table's code")
        await press(player, "escape", shows="New table")


async def test_a_server_is_typed_or_pasted_with_its_table(address: Address) -> None:
    async with online(address, "Björn") as host, playing() as player:
        code = await open_table(host, "", 1)
        await sees(player, "Join a table")
        await press(player, "c", shows="Table (if known)")
        await press(player, *"no:where:", "enter", shows="is not an address")
        typed = player[0].screen.query_one("#server", Input)
        assert typed.value == "no:where:", "it stays, to be mended"
        await press(player, "tab")
        player[0].post_message(Paste(f"{address}/{code.lower()}"))  # too long for the table's field
        await until(player[1], lambda: typed.value.startswith(str(address)))
        await press(player, "enter", shows=(f"table {code}", "are ready"))
        assert player[0].settings.servers == (str(address),)


def info(code: str) -> TableInfo:
    """A table that waits."""
    seats = [SeatInfo(kind=SeatKind.FREE)]
    phase = TablePhase.WAITING
    return TableInfo(table=code, game="clocktowers", title="", phase=phase, seats=seats)


async def test_a_change_right_behind_the_list_is_not_lost() -> None:
    """Both in one packet: the list must not be taken after the change that follows it."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        asked = await peer.hears()
        assert isinstance(asked, ListTables)
        peer.says(
            Listing(id=asked.id, tables=[info("OLDE")], page=0, total=1),
            LobbyChanged(changed=[info("NEWE")], gone=["OLDE"], total=1),
        )
        await peer.hears()

    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "1 table", "NEWE")
        assert "OLDE" not in seen(player[0])


async def test_a_line_that_breaks_at_each_way_to_a_table_is_said_to_be_lost() -> None:
    """It goes out twice; as the first step, once."""
    joins = 0

    async def script(peer: ScriptedPeer) -> None:
        nonlocal joins
        await peer.welcomes()
        while True:
            match await peer.hears():
                case ListTables(id=number):
                    peer.says(Listing(id=number, tables=[info("OLDE")], page=0, total=1))
                case Join():
                    joins += 1
                    return

    async with scripted(script) as address:
        async with playing(Visit(address), shows="OLDE") as player:
            await press(player, "enter", shows="ask again when it is back")
            assert joins == 2
        async with playing(Visit(address, table="OLDE"), shows="OLDE"):
            assert joins == 3


async def test_what_the_operator_does_is_told_in_the_lobby() -> None:
    """What they say to everybody, and why they end a connection."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        await peer.hears()
        peer.says(Listing(id=1, tables=[], page=0, total=0))
        peer.says(Notice("operator_says", {"text": "supper at eight"}))
        await told.wait()
        peer.says(Goodbye("banned", {"until": 0, "reason": "rude words"}))

    told = asyncio.Event()
    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "supper at eight")
        told.set()
        await sees(player, "has banned you", "rude words")


async def test_another_language_keeps_what_was_typed_and_chosen(address: Address) -> None:
    async with online(address, "Björn") as host, playing(Visit(address)) as player:
        app, pilot = player
        await open_table(host, "Fenland", 0)
        await sees(player, "Fenland")
        app.speak("it")
        await sees(player, "Nuovo tavolo", "Fenland")
        assert not app.screen.query_one("#filter-row").display
        await press(player, "slash", *"zz", shows="0 tavoli")
        app.speak("en")
        await sees(player, "0 tables", "No table has these words", "zz")
        await press(player, "escape", "n", shows="Create the table")
        await press(player, *["tab"] * 2, "left", "left", *["tab"] * 2, "right")
        await sees(player, "< 2 >", "< Italian sheet >", "First tower of a colour: 2 floors")
        app.speak("it")
        await sees(player, "< 2 >", "Foglio italiano")
        await pilot.pause()
        assert "Posto 3" not in seen(app)


async def test_a_list_that_comes_while_the_language_changes_is_shown_after(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def while_nothing_is_there(screen: LobbyScreen) -> None:
        await screen.query(Menu).remove()
        await screen._list(0).wait()
        await recompose(screen)

    monkeypatch.setattr("clocktowers_tui.widgets.field.recompose", while_nothing_is_there)
    async with playing(Visit(address), shows=("0 tables", "New table")) as player:
        player[0].speak("it")
        await sees(player, "0 tavoli", "Nuovo tavolo")


# The list of servers grows while the player looks, and leads there by arrows and Enter ------------


def heard(name: str, address: Address, **more: bool | str | tuple[int, ...]) -> Neighbour:
    return Neighbour(address, Nearby(name=name, **more))  # type: ignore[arg-type]


class Say(Protocol):
    def __call__(self, *lines: list[Neighbour] | Deaf) -> None: ...


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Say:
    """What is heard on the network."""
    monkeypatch.setenv(nearby.VARIABLE, "")

    def say(*lines: list[Neighbour] | Deaf) -> None:
        async def heard() -> AsyncIterator[list[Neighbour]]:
            for line in lines:
                if isinstance(line, Deaf):
                    raise line
                yield line
            await asyncio.Event().wait()

        monkeypatch.setattr(nearby, "heard", heard)

    return say


async def at_the_list(player: Playing) -> None:
    await sees(player, "Join a table")
    await press(player, "c", shows="Table (if known)")


def rows(player: Playing) -> list[str | None]:
    menu = player[0].screen.query_one(Menu)
    return [option.id for option in menu.options]


async def test_arrows_and_enter_lead_to_a_server_that_is_heard(address: Address, says: Say) -> None:
    says([heard("Bert", Address("10.77.0.9", 7777)), heard("Cleo's", address)])
    async with playing() as player:
        await at_the_list(player)
        await sees(player, "Cleo's", "10.77.0.9:7777", "on your network")
        await press(player, "down", "enter", shows="New table")
        assert player[0].settings.servers == (str(address),)


async def test_one_enter_sits_down_at_the_only_table_that_waits(
    address: Address, says: Say
) -> None:
    says([heard("Cleo's", address)])
    async with online(address, "Bo") as host, playing() as player:
        table = await open_table(host, "", 1)
        await at_the_list(player)
        await sees(player, "Cleo's")
        await press(player, "enter", shows=(table, "Bo", "are ready"))


async def test_no_server_is_heard_while_the_list_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    goes = asyncio.Event()

    async def hear() -> AsyncIterator[list[Neighbour]]:
        yield [heard("Ann", Address("10.77.0.1", 7777))]
        await goes.wait()
        yield []

    monkeypatch.setenv(nearby.VARIABLE, "")
    monkeypatch.setattr(nearby, "heard", hear)
    monkeypatch.setattr(BoundedMenu, "on_unmount", lambda _menu: goes.set(), raising=False)
    async with playing() as player:
        await at_the_list(player)
        await sees(player, "Ann")
        await press(player, "escape", shows="Learn it in 5 minutes")
        assert goes.is_set()


async def test_what_is_known_of_a_server_stands_beside_it(says: Say) -> None:
    at = [Address(f"10.77.0.{number}", 7777) for number in range(5)]
    says(
        [
            heard("Me", at[4], key="a1"),
            heard("Ann", at[1]),
            heard("Bo", at[2], password=True),
            heard("Cy", at[3], versions=(9,)),
            heard("Eve", at[1]),  # at the address of another
        ]
    )
    async with playing() as player:
        player[0].keep(been_at(player[0].settings, str(at[0])))
        player[0].keep(replace(player[0].settings, own_key="a1"))
        await at_the_list(player)
        await sees(player, "joined before", "on your network", "asks a password", "another version")
        assert "your server" in line_of(player, "Me")
        assert rows(player) == [str(at[n]) for n in (4, 1, 2, 3, 0)], "the player's own first"
        assert "Eve" not in seen(player[0])
        await press(player, "S", shows="Language")
        player[0].speak("it")
        await sees(player, "Lingua")
        await press(player, "escape", shows=("10.77.0.0:7777", "10.77.0.2:7777"))
        assert "Cerco server" not in seen(player[0])


async def test_a_server_of_several_addresses_keeps_all_of_them(address: Address, says: Say) -> None:
    """The list leads to whichever is there."""
    says([heard("Ann's", address)])
    typed = f"127.0.0.1:1,{address}"  # nobody is at the first
    async with playing() as player:
        player[0].keep(been_at(player[0].settings, str(address)))
        player[0].keep(been_at(player[0].settings, typed))
        assert player[0].settings.servers == (typed,)
        await at_the_list(player)
        await sees(player, "Ann's")
        assert rows(player)[-1] == typed
        await press(player, "down", "enter", shows="New table")
        assert set(player[0].settings.servers[0].split(",")) == set(typed.split(","))


async def test_no_row_moves_and_the_cursor_stays(says: Say) -> None:
    """Those that come together by name, then address; also where the cursor's own has gone."""
    at = (Address("10.77.0.9", 7777), Address("10.77.0.1", 7777), Address("10.77.0.2", 7777))
    one, two, three = map(heard, ("Ann", "Bo", "Bo"), at)
    says()
    async with playing() as player:
        await at_the_list(player)
        servers = player[0].screen
        assert isinstance(servers, ConnectScreen)
        for now, listed in (
            ([two], [two]),
            ([three, one, two], [two, one, three]),
            ([three], [two, three]),
        ):
            servers.hear(now)
            assert rows(player) == [str(each.address) for each in listed]
            assert servers.query_one(Menu).at == str(two.address)
        await press(player, "down")
        servers.hear([three])
        assert rows(player) == [str(three.address)]


async def test_a_player_who_types_goes_on_typing(says: Say) -> None:
    says()
    async with playing() as player:
        await at_the_list(player)
        await press(player, *"10.")
        assert isinstance(player[0].screen, ConnectScreen)
        player[0].screen.hear([heard("Ann", Address("10.77.0.1", 7777))])
        await press(player, "7")
        assert player[0].screen.query_one("#server", Input).value == "10.7"


@pytest.mark.parametrize(
    ("why", "told"),
    [("no network", "network: no network"), ("", "Ask your host for an invitation")],
)
async def test_who_cannot_listen_types_an_address(why: str, told: str, says: Say) -> None:
    says(Deaf(why))
    async with playing(size=(60, 20)) as player:
        await at_the_list(player)
        await sees(player, told)


# A password is typed on the screen, which never shows it ------------------------------------------


WORD = "tower7"


async def types(player: Playing, text: str) -> None:
    await press(player, *text)
    assert not text or text not in seen(player[0])
    await press(player, "enter")


async def test_the_menu_asks_until_it_is_right() -> None:
    async with house(password=WORD) as at, playing() as player:
        await press(player, "c", shows="Server")
        await press(player, *str(Address(*at.address)), "enter")
        await sees(player, "The server asks for a password.")
        await types(player, "bell")
        await sees(player, "The password is wrong")
        await types(player, WORD)
        await until(player[1], lambda: player[0].state.connection is not None)
        assert WORD not in seen(player[0])


async def test_join_on_the_command_line_asks_too_and_esc_goes_to_the_menu() -> None:
    async with house(password=WORD) as at, playing(asked=Visit(Address(*at.address))) as player:
        await sees(player, "The server asks for a password.")
        await press(player, "escape", shows=("Join a table", "The server asks for a password."))


async def test_too_many_tries_are_a_sentence_with_the_wait() -> None:
    limits = Limits(tries_burst=1, tries_s=0.001)
    async with (
        house(password=WORD, limits=limits) as at,
        playing(asked=Visit(Address(*at.address), Ticket("bell"))) as player,
    ):
        await sees(player, "The password is wrong")
        await types(player, WORD)
        await sees(player, "There were too many wrong tries; wait ")
        said = re.search(r"wait (\d+) s and try again", seen(player[0]))
        assert said is not None and 0 < int(said[1]) <= 1000  # since the first try


@pytest.mark.parametrize("takes", [0, 1])
async def test_over_a_line_that_others_read_nothing_goes_without_a_yes(
    takes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    async def script(peer: ScriptedPeer) -> None:
        hello = await peer.hears()
        heard.append(hello.password)  # type: ignore[attr-defined]
        params = {} if heard[-1] else {"in_clear": takes}
        peer.says(Goodbye(GoodbyeCode.PASSWORD, {**params}))

    monkeypatch.setattr("clocktowers_tui.net.link.is_private", lambda line: False)
    async with scripted(script) as address:
        async with playing(asked=Visit(address, Ticket(WORD))) as player:
            if not takes:
                await sees(player, "encrypted connections only", "invitation", "Join a table")
                assert heard == [""]
                return
            await sees(player, "Send a password unencrypted?", "could read it")
            await press(player, "enter")  # the safe answer
            await sees(player, "Join a table")
            assert heard == [""]
        async with playing(asked=Visit(address, Ticket(WORD))) as player:
            await sees(player, "Send a password unencrypted?")
            await press(player, "down", "enter", shows="The password is wrong")
            assert heard == ["", "", WORD]


def line_to(**ends: object) -> Mock:
    """A transport with this far end."""
    return Mock(get_extra_info=ends.get)


@pytest.mark.parametrize(
    ("line", "private"),
    [
        (line_to(peername=("127.0.0.1", 1), sockname=("127.0.0.1", 2)), True),
        (line_to(peername=("192.0.2.1", 1), sockname=("192.0.2.1", 2)), True),
        (line_to(peername=""), True),
        (line_to(peername=("192.0.2.1", 1), sockname=("192.0.2.2", 2)), False),
        (line_to(peername=("fe80::1", 1, 0, 2), sockname=("fe80::2", 1, 0, 2)), False),
        (line_to(peername=("192.0.2.1", 1)), False),
        (line_to(peername=("192.0.2.1", 1), ssl_object=object()), True),
    ],
)
def test_a_private_line_is_within_the_machine_or_encrypted(line: Mock, private: bool) -> None:
    assert trust.is_private(line) is private
