"""What the client says: every code has its sentence, and no parameter can break one."""

import string

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.settings import Draft, Settings
from clocktowers_tui.deeds.table import may_lose
from clocktowers_tui.games.architetti_attenti.face import FACE as TOWNS
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history.review import Reviewed, mistakes, raced
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.net.address import pasted_invitation
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.records import in_words_of
from clocktowers_tui.net.seats import Seat as KeptSeat
from clocktowers_tui.phrases import codes
from clocktowers_tui.phrases.codes import fill
from clocktowers_tui.phrases.friends import doors_in_words, hosting_in_words, printed_in_words
from clocktowers_tui.phrases.home import kept_in_words, waiting_in_words
from clocktowers_tui.phrases.match import log_by_turns, log_lines
from clocktowers_tui.phrases.review import raced_in_words, review_in_words
from clocktowers_tui.phrases.tables import PHRASES, line_of, offer_in_words, rules_of_table
from clocktowers_tui.screens.table import seats_in_rows
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import LineKind, LogLine, Match
from clocktowers_tui.state.table import Connection, Kind, Table
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import languages, speak
from protocol import networks
from protocol.errors import GoodbyeCode, Param, RefusalCode
from protocol.from_server import Notice, NoticeCode, Refused, Said, TableGone
from protocol.games import architetti_attenti as aa, clocktowers as ct
from protocol.ids import Seat
from protocol.invitation import Ways
from protocol.recording import Begun
from protocol.table import Days, Phrase, SeatInfo, SeatKind, TableInfo, TablePhase
from protocol.text import cells
from server.games.registry import GAMES
from server.recording.records import read
from server.recording.reel import Reel, races
from tests.games.wild_wild_pattern.server.test_reviewing import record
from tests.server.test_replaying import recorded, reel_of
from tests.stage import small_match
from tests.stage.hostile_texts import HOSTILE, harmless


def test_no_code_is_forgotten_and_none_invented() -> None:
    assert set(codes.REFUSALS) == set(RefusalCode)
    assert set(codes.GOODBYES) == set(GoodbyeCode)
    assert set(codes.NOTICES) == set(NoticeCode)
    assert set(codes.GONE) == set(TableGone)


SENTENCES = [
    *codes.REFUSALS.values(),
    *codes.GOODBYES.values(),
    *(codes.SERVER_OLDER, codes.WE_ARE_OLDER, codes.BANNED_UNTIL, codes.REASON),
    *codes.NOTICES.values(),
    *codes.YOURS.values(),
    *codes.GONE.values(),
    codes.STOPS_WITHIN,
    codes.AWAY_FOR,
    *(fault.value for fault in Fault),
]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"seat": 1}, "You cannot take that back: Bob has moved since."),
        ({"seat": 0}, "You cannot take that back: your next step has shown something new."),
        ({"seat": 2}, ""),
        ({}, ""),
    ],
)
def test_who_has_moved_since_is_named(params: dict[str, Param], said: str) -> None:
    """As far as the server says it."""
    late = Refused(id=1, code=RefusalCode.TOO_LATE, params=params)
    assert codes.overtaken_in_words(late, ["Ann", "Bob"], 0) == said
    other = Refused(id=1, code=RefusalCode.NOT_YOURS, params=params)
    assert codes.overtaken_in_words(other, ["Ann", "Bob"], 0) == ""


def test_they_are_sentences() -> None:
    for sentence in SENTENCES:
        assert sentence[0].isupper() or sentence[0] in "{“", sentence
        assert sentence.endswith((".", "}")), sentence
        parts = string.Formatter().parse(sentence)
        assert all(name.isidentifier() for _text, name, _spec, _conv in parts if name), sentence


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_parameters_come_out_harmless(name: str) -> None:
    said = [
        codes.notice_in_words("joined", {"name": name}),
        codes.notice_in_words(name, {}),
        codes.notice_in_words("operator_says", {"text": name}),
        codes.gone_in_words("closed", name),
        codes.refused_in_words(Refused(id=0, code=name)),
        codes.goodbye_in_words(name, {name: [name]}),
        codes.goodbye_in_words("banned", {"until": name, "reason": name}),
        codes.fault_in_words(TurnedAway(name, {})),
        codes.fault_in_words(LinkError(Fault.LOCAL_FAILED, reason=name)),
    ]
    assert all(harmless(sentence) and sentence for sentence in said)


def test_the_older_side_is_named_where_the_server_says_what_it_speaks() -> None:
    def said(*versions: int | str) -> str:
        return codes.goodbye_in_words("version", {"versions": list(versions)})

    assert (said(0), said(2, 3)) == (codes.SERVER_OLDER, codes.WE_ARE_OLDER)
    assert "update the older one" in said() == said("x")


def test_who_is_banned_reads_until_when_and_why() -> None:
    said = codes.goodbye_in_words("banned", {"until": 2_000_000_000, "reason": "cheats"})
    assert "until 2033-05-1" in said and said.endswith("Their reason: cheats")
    for for_ever in (0, -(2**62), 2**62, "soon"):
        params = {"until": for_ever, "reason": ""}
        assert codes.goodbye_in_words("banned", params) == codes.GOODBYES["banned"]


def test_a_stop_says_within_how_many_minutes() -> None:
    assert "in 2 min" in codes.notice_in_words("draining", {"within_s": 61})
    assert "in 9 s a bot" in codes.notice_in_words("dropped", {"name": "Ann", "wait_s": 9})
    assert codes.notice_in_words("draining", {}) == codes.NOTICES["draining"]


def test_a_forgotten_parameter_does_not_cost_the_sentence() -> None:
    assert codes.notice_in_words("joined", {}) == "? sat down."
    assert codes.notice_in_words("joined", {"name": "{seat}"}) == "{seat} sat down."
    assert "12, 13" in fill("{versions}", {"versions": [12, 13]})


# A table: who is ready, what is missing, how a free seat is filled --------------------------------


ANN = SeatInfo(kind=SeatKind.HUMAN, name="Ann")
BEN = SeatInfo(kind=SeatKind.HUMAN, name="Ben")
WREN = SeatInfo(kind=SeatKind.BOT, name="Wren", level="hard")
FREE = SeatInfo(kind=SeatKind.FREE)
INFO = TableInfo(
    table="7F3K",
    game="clocktowers",
    title="",
    phase=TablePhase.WAITING,
    seats=[ANN, BEN, WREN, FREE],
    host=0,
)
VISIT = Connection(kind=Kind.VISIT, address="192.168.1.5:7777", name="Ben")


def rows(seat: int | None, info: TableInfo = INFO, width: int = 56) -> list[str]:
    table = Table(info, None if seat is None else Seat(seat))
    return [row.plain for row in seats_in_rows(table, DEFAULT_KEYS, width)]


def test_each_seat_says_what_is_missing() -> None:
    ann, ben, wren, free = rows(1)
    assert ann.startswith("● 1  Ann") and ann.endswith("host")
    assert ben.startswith("○ 2  Ben") and ben.endswith("you, not ready")
    assert wren == "● 3  Wren (bot, hard)"
    assert free.startswith("○ 4  (free)") and free.endswith("waits for a friend")
    there = replace(INFO, seats=[ANN, replace(BEN, ready=True), WREN, FREE])
    assert rows(1, there)[1].startswith("● 2  Ben") and rows(1, there)[1].endswith("you, ready")
    assert rows(0)[3].endswith("Enter: seat a bot") and rows(None)[3].endswith("Enter: sit down")
    away = replace(INFO, seats=[ANN, replace(BEN, dropped=True), WREN, FREE])
    lose = [may_lose(Table(replace(away, clock=clock), Seat(0)), 1) for clock in (None, Days(3))]
    assert lose == [True, False], "at a table of days the seat is kept"
    long = replace(INFO, seats=[replace(ANN, name="W" * 20), BEN, WREN, FREE])
    assert all(cells(row) <= width for width in (36, 44, 56) for row in rows(1, long, width))


def test_the_turn_goes_round_without_a_rule() -> None:
    none, turns = "Rules: standard rules", [(0, "Rules: Who begins: seat 2"), (1, "Seat 2 begins")]
    for first, (ended, says) in (*((1, turn) for turn in turns), (-5, (1, none))):
        info = replace(INFO, options={"first_seat": first}, matches=ended)
        assert rules_of_table(info, FACE)[-1] == says


def test_a_level_that_all_bots_share_is_named_once() -> None:
    same, mixed = Draft(levels=("normal",) * 3), Draft(seats=3, levels=("easy", "normal"))
    for game, draft, said in (
        ("clocktowers", same, "3 bots, normal"),
        ("clocktowers", mixed, "2 bots, easy, normal"),
        ("architetti_attenti", Draft(seats=1), "alone"),
        ("clocktowers", replace(mixed, people=2), "2 people, 1 bot, normal"),
        ("clocktowers", replace(mixed, people=3), "3 people"),
    ):
        assert offer_in_words(draft, Settings(), FACES[game]) == f"Next level: {said}"


def test_a_seat_at_the_own_server_names_the_address_that_friends_dial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(networks, "lan_addresses", lambda: ["10.1.2.3"])
    own = KeptSeat(host="::1", port=1, name="A", table="T", game="clocktowers", trust="ab" * 32)
    assert "10.1.2.3:1" in waiting_in_words(own) and "10.1.2.3:1" in kept_in_words([own], [])[0]
    assert "[::1]:1" in waiting_in_words(replace(own, trust=""))


# What a host reads out to friends: whole on a wide screen, short on a narrow one ------------------


NEAR = ("192.168.1.5:7777", "[fd00::5]:7777")
LINE = "ct:" + "0J3W" * 18
PAGE = "https://192.168.1.5:7777/#" + "0J3W" * 5
KEY = "SHA256:" + "x" * 43
ALL = Ways(LINE, PAGE, ("fd00::5", 7777), KEY, nearby=True)


def told_friends(width: int, ways: Ways = ALL) -> str:
    here = Connection(kind=Kind.HOST, address="here:1", name="Ann", friends=NEAR, ways=ways)
    return hosting_in_words(here, width, "I")


@pytest.mark.parametrize("width", [56, 76, 98, 103, 160])
def test_nothing_that_a_friend_types_is_broken(width: int) -> None:
    lines = told_friends(width).splitlines()
    assert all(cells(line) <= width for line in lines)
    typed = [line for line in lines if line.startswith("Friends type:")]
    assert typed == ["Friends type:  clocktowers join 192.168.1.5"]
    assert "I shows an invitation" in told_friends(width)
    assert "ssh NAME@fd00::5 -p 7777" in told_friends(width)
    assert (f"Answer yes if it is this one:  {KEY}" in told_friends(width)) == (width >= 103)
    assert (PAGE if width > 61 else PAGE.partition("/#")[0]) in told_friends(width)


def test_only_what_is_there_is_told() -> None:
    assert told_friends(80, Ways()).splitlines() == [
        f"Friends type:  clocktowers join {host}" for host in ("192.168.1.5", "[fd00::5]")
    ]
    away = Connection(kind=Kind.VISIT, address="there:1", name="Ann")
    assert hosting_in_words(away, 80, "I") == ""
    assert doors_in_words(Ways(ssh=("h", 1)), 0, "K7QM") == ["With SSH:  ssh -t NAME@h -p 1 K7QM"]


def test_the_terminal_keeps_the_whole_line() -> None:
    short, whole, *doors = printed_in_words(NEAR, ALL).splitlines()
    assert short.endswith("join 192.168.1.5") and pasted_invitation(whole) == LINE
    assert doors[1].endswith(KEY)
    assert len(doors) == 4


# The chat, in the reader's language ---------------------------------------------------------------


def test_every_phrase_has_words_and_a_key_s_worth_of_room() -> None:
    assert list(PHRASES) == list(Phrase)
    for code in ("en", "it"):
        i18n.speak(code)
        for words in PHRASES.values():
            assert cells(i18n._(words)) <= 21, "the list of them would be cut"


def test_each_reads_a_phrase_in_their_own_language() -> None:
    said = Said(n=1, name="Ben", seat=1, phrase="good_luck")
    assert line_of(said, "Ann") == "Ben: Good luck!"
    i18n.speak("it")
    assert line_of(said, "Ann") == "Ben: Buona fortuna!"
    assert line_of(said, "Ben") == "Tu: Buona fortuna!"


def test_a_newer_server_s_phrase_is_shown_as_its_code() -> None:
    assert line_of(Said(n=1, name="Ben", seat=1, phrase="well_met"), "Ann") == "Ben: well_met"


# The log ------------------------------------------------------------------------------------------


def test_what_a_slow_line_left_out_is_said_in_its_place() -> None:
    match = matches.updated(
        matches.started(small_match.started(), ()), small_match.update(0, discards=1)
    )
    for skipped in (1, 3):
        late = replace(small_match.update(4, discards=1), skipped=skipped)
        match = matches.updated(match, late)
    lines = log_lines(match, FACE, ("Ann", "Bob"), None)
    assert lines[1::2] == ["… 1 move", "… 3 moves"]
    assert lines[0] == lines[2] == lines[4]


def logged(*whats: object) -> Match:
    kinds = {True: LineKind.NOTICE, False: LineKind.EVENT}
    log = tuple(LogLine(kinds[isinstance(what, Notice)], what) for what in whats)
    return replace(matches.started(small_match.started(), ()), log=log)


def test_an_empty_line_stands_before_each_turn() -> None:
    """A play and the draw after it are one turn, and so are a roof and what it completes."""
    match = logged(
        ct.Discarded(0),
        ct.YouDiscarded(3),
        ct.Drew(0, 0, 1, 2),
        ct.Played(1, 9, 0, 2),
        ct.Completed(1, 0, 9, 2, 5, 3),
        Notice("took_back", {"name": "Bob", "seat": 1}),
        ct.Drew(1, 0, 1, 2),
        ct.Discarded(0),
        ct.YouDiscarded(3),
    )
    lines = log_by_turns(match, FACE, ("Ann", "Bob"), Seat(0))
    assert [bool(line) for line in lines] == [True, True, False, True, True, True, False, True]
    assert lines[2] == lines[6] == ""


def test_alone_each_purchase_begins_a_turn() -> None:
    turn = (aa.Bought(0, 1, 2, 0, 0), aa.Placed(0, 2, 1, 2))
    lines = log_by_turns(logged(*turn, *turn), TOWNS, ("Ann",), Seat(0))
    assert [bool(line) for line in lines] == [True, True, False, True, True]


def test_a_hint_is_told_to_the_others() -> None:
    match = logged(Notice("asked_for_hint", {"name": "Bob", "seat": 1}))
    assert log_lines(match, FACE, ("Ann", "Bob"), Seat(0)) == ["Bob asked for a hint."]
    assert log_lines(match, FACE, ("Ann", "Bob"), Seat(1)) == []


# Reviews ------------------------------------------------------------------------------------------


RACE = "wild_wild_pattern"


def reviewed_race(seat: int) -> tuple[Reel, Reviewed]:
    reel = Reel(read(record(0, "learner", "learner"), GAMES))
    found = [in_words_of(RACE, one) for one in races(reel, Seat(seat))]
    begun = Begun(RACE, ["Ann", "Bo"], [9, 7], [0], [one.ply for one in found])
    return reel, Reviewed(begun, seat, found)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_race_counts_as_hits_what_was_declared_right(seat: int) -> None:
    """As the log has it; and each of its shots says what came of it."""
    reel, review = reviewed_race(seat)
    told = [
        event for ply in reel.heard(seat) for event in ply if type(event).__name__ == "Declared"
    ]
    own = [event for event in told if event.seat == seat]
    hits = [event for event in own if event.anchors]
    assert 0 < len(hits) < len(own), "a control"
    page = [*review_in_words(FACES[RACE], review, 80)]
    assert f" {len(hits)} of them hit." in page[1].text
    assert [one.came for one in raced(review) if one.came] == own
    wrong = [one for one in raced(review) if one.came and not one.hit]
    for one in wrong:
        *said, least = raced_in_words(FACES[RACE], one)
        assert all("Wrong: " in each for each in said[:2]) and "Wrong: " not in least
    assert {one.ply for one in wrong} <= {line.one.ply for line in page if line.one}
    assert not mistakes(review)


@pytest.mark.parametrize("code", sorted(languages()))
@pytest.mark.parametrize("game", [game for game, face in FACES.items() if face.in_turns])
def test_two_actions_have_two_names(game: str, code: str) -> None:
    speak(code)
    reel, face = reel_of(recorded(game)), FACES[game]
    for ply in reel.plies[:-1]:
        for seat in reel.game.rules.to_act(ply.state):
            view = reel.game.rules.view(ply.state, seat)
            names = [
                face.choice(view, one) for one in reel.game.rules.legal_actions(ply.state, seat)
            ]
            assert len({*names}) == len(names)
