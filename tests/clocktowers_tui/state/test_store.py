"""Where the player is, after which messages: home, the list of tables, a table and its evening, a
match; and what is asked for on a new line."""

from collections.abc import Sequence
from time import localtime, strftime, time

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from clocktowers_tui.phrases.codes import notice_in_words
from clocktowers_tui.phrases.numbers import evening_in_words
from clocktowers_tui.state.match import LineKind
from clocktowers_tui.state.store import (
    Place,
    State,
    Store,
    heard,
    left,
    match_called,
    place,
    seen_version,
    stands_still,
    way_to_lobby,
)
from clocktowers_tui.state.table import Connection, Kind, Lobby, changed, filtered, listed
from protocol.from_client import ListTables
from protocol.from_server import AtTable, Ended, History, Listing, LobbyChanged, Notice
from protocol.games.clocktowers import Discarded
from protocol.table import PAGE_TABLES, Filter, SeatInfo, SeatKind, TableInfo, TablePhase
from tests.stage import small_match

HERE = Connection(kind=Kind.VISIT, address="host:7777", name="Ann")


def after(messages: Sequence[Struct], kind: Kind = Kind.VISIT) -> State:
    state = State(connection=replace(HERE, kind=kind))
    for message in messages:
        state = heard(state, message)
    return state


TABLE = small_match.at_table("Ann", "Bob")
RUNNING = (TABLE, small_match.started(), small_match.update(0))


def test_a_match_is_no_place_before_its_first_view() -> None:
    assert place(after([TABLE, small_match.started()])) is Place.TABLE
    assert place(after([TABLE, small_match.started()], Kind.SOLO)) is Place.HOME


def test_the_result_stays_until_it_is_put_away() -> None:
    over = after([*RUNNING, small_match.ended()])
    assert place(over) is Place.MATCH
    assert place(replace(over, result_seen=True)) is Place.TABLE


def test_a_rematch_takes_over_with_its_first_view() -> None:
    over = after([*RUNNING, small_match.ended()])
    begun = heard(over, small_match.started("m2"))
    assert begun.match is not None and begun.match.id == "m1"
    told = heard(begun, small_match.update(0, "m2"))
    assert told.match is not None and (told.match.id, told.match.over) == ("m2", False)
    assert told.coming is None


def test_a_rematch_broken_off_leaves_the_match_before_it() -> None:
    over = after([*RUNNING, small_match.ended(), small_match.started("m2")])
    state = heard(over, Ended(match="m2", aborted=True))
    assert (state.coming, state.match, state.stillborn) == (None, over.match, True)


def test_another_matchs_messages_change_nothing() -> None:
    state = after(RUNNING)
    assert heard(state, small_match.update(9, "m0")).match == state.match
    assert heard(state, small_match.ended("m0")).match == state.match


def test_names_are_those_who_played() -> None:
    state = after([*RUNNING, small_match.at_table("Ann", "Bob 2")])
    assert state.match is not None and state.match.names == ("Ann", "Bob 2")
    gone = small_match.at_table("Ann", "", phase=TablePhase.ENDED)
    for message in (small_match.ended(), gone):
        state = heard(state, message)
    assert state.match is not None and state.match.names == ("Ann", "Bob 2")


def test_what_everybody_is_told_is_kept_until_told_and_stands_in_the_log() -> None:
    words = Notice("operator_says", {"text": "supper at eight"})
    assert heard(State(), words).told == words
    state = heard(after(RUNNING), words)
    assert state.told == words
    assert state.match is not None and state.match.log[-1].what == words
    assert heard(state, Notice("joined", {"name": "Bob", "seat": 1})).told == words


def test_a_seat_that_the_table_does_not_have_is_none() -> None:
    state = after([small_match.at_table("Ann", "Bob", seat=7)])
    assert state.table is not None and state.table.seat is None


def test_its_listener_is_told_of_changes_only() -> None:
    told = []
    store = Store(lambda: told.append(store.state))
    store.hear(Notice("joined"))
    assert told == []
    store.change(State(connection=HERE))
    store.hear(TABLE)
    assert len(told) == 2


def test_match_time_is_that_of_the_newest_update_as_it_came() -> None:
    """A view's deadlines can be drawn on this machine's clock; what else comes changes nothing."""
    now_s = [50.0]
    store = Store(lambda: None, now_s=lambda: now_s[0])
    store.change(after([TABLE, small_match.started()]))
    for at_ms, came_s in ((0, 50.0), (2_500, 52.6), (4_000, 59.0)):
        now_s[0] = came_s
        store.hear(replace(small_match.update(1), at_ms=at_ms))
        now_s[0] += 5
        store.hear(Notice("joined", {"name": "Eve"}))
        assert store.state.match is not None
        assert store.state.match.began_s == came_s - at_ms / 1000


def test_a_match_stands_still_when_all_its_players_have_lost_the_line() -> None:
    def at_table(*seats: SeatInfo) -> State:
        return after([replace(TABLE, info=replace(TABLE.info, seats=list(seats)))])

    here, dropped = (SeatInfo(kind=SeatKind.HUMAN, dropped=gone) for gone in (False, True))
    bot, left_for_good = (SeatInfo(kind=SeatKind.BOT, away=gone) for gone in (False, True))
    assert stands_still(at_table(dropped, bot)) and stands_still(at_table(dropped, left_for_good))
    assert not stands_still(at_table(dropped, here)) and not stands_still(State())
    assert not stands_still(at_table(left_for_good, bot)), "bots play such a match to its end"


def told_of_absence(*messages: Struct) -> list[str]:
    """What the log says beside the game, after these messages."""
    store = Store(lambda: None)
    for message in messages:
        store.hear(message)
    match = store.state.match
    assert match is not None
    notices = [line.what for line in match.log if line.kind is LineKind.NOTICE]
    return [notice_in_words(one.code, one.params, mine=True) for one in notices]


def test_after_an_absence_the_log_says_since_when() -> None:
    """Both for a client that was there all the time, and for one that has just been started, which
    hears of it before the match. Its newest line counts what a bot did in the meantime."""
    back = Notice("came_back", {"name": "Ann", "seat": 0, "away_s": 3600}), Notice("host", {})
    since = strftime("%H:", localtime(time() - 3600))
    absence, hosts = told_of_absence(*RUNNING, *back)
    assert f"since {since}" in absence and hosts == "You are the host now."
    turns = [to_builtins(Discarded(seat)) for seat in (0, 0, 0, 1, 0, 0, 1, 0)]
    for by_bot, said in (
        ([], "You are back"),
        ([0, 2, 4, 5, 7], "You play again: a bot"),
    ):
        missed = History(match="m1", version=0, events=turns, by_bot=by_bot)
        seen = Notice("watching", {"name": "*"})
        hosts, absence = told_of_absence(TABLE, *back, seen, RUNNING[1], missed, RUNNING[2])
        assert absence.startswith(said) and f"since {since}" in absence
        assert hosts == "You are the host now."
    waits = small_match.at_table("Ann", "Bob", phase=TablePhase.WAITING)
    assert told_of_absence(waits, *back, waits, *RUNNING) == [], "they came back to the table"
    for params in ({}, {"away_s": 0}, {"away_s": -5}, {"away_s": "long"}, {"away_s": 10**30}):
        vague = Notice("came_back", {"seat": 0, "since": "1066", "moves": 7, **params})
        assert told_of_absence(*RUNNING, vague) == ["You are back."]


# The list of tables -------------------------------------------------------------------------------


def info(code: str, title: str = "") -> TableInfo:
    return TableInfo(
        table=code, game="clocktowers", title=title, phase=TablePhase.WAITING, seats=[]
    )


def lobby_of(*tables: TableInfo, page: int = 0, total: int = 1) -> Lobby:
    return listed(Lobby(), Listing(id=1, tables=list(tables), page=page, total=total))


def codes_of(lobby: Lobby) -> list[str]:
    return [table.table for table in lobby.tables]


def test_a_listing_names_each_code_once_whatever_the_server_says() -> None:
    lobby = lobby_of(info("A"), info("B"), info("A", "again"), page=1, total=102)
    assert codes_of(lobby) == ["A", "B"] and lobby.tables[0].title == "again"
    assert (lobby.page, lobby.pages, Lobby().pages) == (1, 2, 1)


def test_changes_keep_the_order_and_what_is_gone_and_back_again_is_there() -> None:
    lobby = lobby_of(info("A"), info("B"), info("C"))
    news = [info("D"), info("A", "new")]
    lobby = changed(lobby, LobbyChanged(changed=news, gone=["A", "B"], total=3))
    assert codes_of(lobby) == ["A", "C", "D"]
    assert lobby.tables[0].title == "new"


def test_a_page_does_not_grow() -> None:
    lobby = lobby_of(*(info(str(n)) for n in range(PAGE_TABLES)), total=PAGE_TABLES)
    lobby = changed(lobby, LobbyChanged(changed=[info("X")], gone=[], total=PAGE_TABLES + 1))
    assert len(lobby.tables) == PAGE_TABLES
    assert lobby.pages == 2


def test_what_was_asked_for_is_kept_and_begins_with_the_first_page() -> None:
    lobby = lobby_of(info("A"), page=1, total=101)
    lobby = filtered(lobby, Filter(text="fen"))
    assert (lobby.filter, lobby.page, codes_of(lobby)) == (Filter(text="fen"), 0, ["A"])
    lobby = listed(lobby, Listing(id=2, tables=[info("B")], page=0, total=1))
    lobby = changed(lobby, LobbyChanged(changed=[info("C")], gone=[], total=2))
    assert (lobby.filter, codes_of(lobby)) == (Filter(text="fen"), ["B", "C"])


# Wins at a table, told to those alone who were there from the first ------------------------------


def table_after(matches: int) -> AtTable:
    told = small_match.at_table("Ann", "Bob")
    return replace(told, info=replace(told.info, matches=matches))


def a_match(n: int, *, winners: Sequence[int] = (0,)) -> list[Struct]:
    match = f"m{n}"
    over = small_match.ended(match)
    over = replace(over, outcome={**over.outcome, "winners": list(winners)})
    return [
        table_after(n),
        small_match.started(match),
        small_match.update(0, match),
        over,
        table_after(n),
    ]


def test_each_match_is_counted_once_for_its_winners() -> None:
    state = after([*a_match(1), *a_match(2), *a_match(3, winners=[1]), small_match.ended("m3")])
    assert evening_in_words(state) == "Wins at this table: Ann 2, Bob 1"
    assert "Ann 3, Bob 2" in evening_in_words(
        after([*a_match(1), *a_match(2), *a_match(3, winners=[0, 1]), *a_match(4, winners=[1])])
    )


def test_nothing_is_told_of_one_match_nor_to_who_came_later_nor_of_another_table() -> None:
    assert evening_in_words(after(a_match(1))) == evening_in_words(State()) == ""
    late = after([*a_match(2), *a_match(3)])
    assert late.evening.matches == 2 and evening_in_words(late) == ""
    assert left(after([*a_match(1), *a_match(2)])).evening.matches == 0


def test_a_match_that_was_broken_off_is_won_by_nobody() -> None:
    broken: list[Struct] = [table_after(2), small_match.started("m2"), small_match.update(0, "m2")]
    stillborn: list[Struct] = [table_after(2), small_match.started("m2")]
    for beginning in (broken, stillborn):
        state = after([*a_match(1), *beginning, Ended(match="m2", aborted=True), *a_match(3)])
        assert evening_in_words(state) == "Wins at this table: Ann 2, Bob 0"


# What is asked for on a new line ------------------------------------------------------------------


THERE = after([])
AT_TABLE = after([TABLE])
PLAYING = after([TABLE, small_match.started(), small_match.update(3)])


def test_a_match_of_which_nothing_was_told_has_no_version() -> None:
    begun = heard(AT_TABLE, small_match.started())
    assert match_called(begun, "m1") is begun.coming is not None
    assert seen_version(begun, "m1") is None and seen_version(begun, "m2") is None
    assert seen_version(PLAYING, "m1") == 3
    assert seen_version(heard(begun, small_match.update(0)), "m1") == 0


def test_a_page_of_history_is_not_lost_with_the_line() -> None:
    """Before the first view, too: the server goes on behind the version that it is told."""
    page = History(match="m1", version=7, events=small_match.update(0, discards=3).events)
    begun = heard(heard(AT_TABLE, small_match.started()), page)
    assert seen_version(begun, "m1") == 7
    again = heard(begun, small_match.started())
    assert again.coming is not None
    assert len(again.coming.events) == 3 and seen_version(again, "m1") == 7


def test_the_page_that_is_looked_at_is_listed_again() -> None:
    wanted = Filter(text="cleo")
    lobby = replace(THERE.lobby, filter=wanted)
    deep: list[object] = []
    for _level in range(5000):  # a server may nest options as deep as a message is read
        deep = [deep]
    odd = Listing(id=1, tables=[replace(info("A"), options=deep)], page=2, total=300)
    listed = heard(replace(THERE, lobby=lobby), odd)
    assert way_to_lobby(listed) == ListTables(id=0, page=2, filter=wanted)
    assert way_to_lobby(AT_TABLE) is None and way_to_lobby(State()) is None
