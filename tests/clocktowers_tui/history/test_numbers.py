"""What finished matches say together, and where turns begin."""

import zlib

from clocktowers_tui.cli.tools import numbers_in_lines
from clocktowers_tui.config.settings import Draft, Settings, filled_in
from clocktowers_tui.deeds.home import finished, offered
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches, review
from clocktowers_tui.history.matches import Kept
from clocktowers_tui.history.numbers import Compared, compared, deals, in_a_row
from clocktowers_tui.history.record import Head, Outcome, Seated, after, before, turns_of
from clocktowers_tui.phrases.numbers import compared_in_words, daily_in_words
from protocol.recording import WATCHER
from server.games.registry import GAMES
from server.recording.records import line, read
from server.recording.reel import Reel
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.reviewed import planted
from tests.stage.seen_again import record

GAME = "clocktowers"


def kept(match: str, mine: int, other: int = 7, day: str = "", **more: object) -> Kept:
    scores = [mine, other]
    winners = [seat for seat, points in enumerate(scores) if points == max(scores)]
    fields = {"game": GAME, "options": {"ladder": "own"}, **more}
    head = Head(
        id=match,
        seats=[Seated("Ann"), Seated("Wren", "hard")],
        outcome=Outcome(scores, winners),
        **fields,  # type: ignore[arg-type]
    )
    return Kept(1000, 0, head, day, 34)


def test_a_match_is_compared_with_those_like_it() -> None:
    this = kept("m1", 47)
    assert compared(this, [this]) is None
    unlike = [
        kept("m2", 90, game="architetti_attenti"),
        kept("m3", 90, options={}),
        kept("m4", 90)._replace(me=None),
    ]
    assert compared(this, [this, *unlike]) is None
    numbers = compared(this, [this, kept("m5", 61), kept("m6", 50), *unlike])
    assert numbers == Compared(this=47, best=61)
    face = FACES[GAME]
    assert compared_in_words(numbers, face) == "Your best 61, this 47."
    assert compared_in_words(Compared(62, 61), face) == "62 is your new best; before it was 61."
    assert "$0.62" in compared_in_words(Compared(62, 61), FACES["wild_wild_pattern"])


def test_what_the_player_got_is_told_of_reviewed_matches() -> None:
    for ended_at, lost in enumerate(({3: 340, 5: 340}, {3: 340}, {})):
        made = record(("Ann", "Bo"), match := f"m{len(lost)}")
        matches.keep(match, zlib.compress(made), 0, ended_at)
        begun, findings = planted(made, 0, lost)
        review.keep(match, begun, findings)
    review.keep("m0", begun, findings[:1])  # it is not whole
    lines = list(numbers_in_lines(matches.newest_first(), [GAME]))
    part = "97\N{NO-BREAK SPACE}%"
    assert f"Accuracy in 2 reviewed matches: {part} of decisions without a mistake" in lines


def test_what_a_bot_finished_is_no_win_and_no_best_of_the_player() -> None:
    this, others = kept("m1", 47), kept("m2", 61)._replace(played_for=True)
    assert compared(this, [this, others]) is None and compared(others, [this, others]) is None
    assert compared(this, [this, kept("m3", 61)]) == Compared(47, 61)  # a control
    said = "\n".join(numbers_in_lines([this, others], [GAME]))
    assert "Clocktowers: 1 match\n" in said and "1 now, 1 at best" in said
    assert "A bot played for you in 1 more match, 1 won: not counted here" in said
    assert list(numbers_in_lines([others], [GAME])) == [
        "Clocktowers: 0 matches",
        "A bot played for you in 1 more match, 1 won: not counted here",
    ]


def test_play_offers_the_next_level_while_the_newest_match_is_won() -> None:
    settings = filled_in(Settings(), GAME, Draft(levels=("random",)), solo=True)
    offers: list[str] = []
    for ended_at, winner in enumerate((1, 0, 1)):
        record = played(f"m{ended_at}")
        record["outcome"]["winners"] = [winner]
        matches.keep(record["id"], packed(record), 0, ended_at)
        offers += offered(settings, FACES[GAME], finished()).levels[:1]
    assert offers == ["random", "learner", "random"]


def test_three_lines_tell_the_points_and_the_days_and_nothing_of_the_cards() -> None:
    won, lost = kept("m1", 47, 38, "2026-11-23"), kept("m2", 3, 9, "2026-11-22")
    older = kept("m3", 9, 9, "2026-11-19")
    other = kept("m4", 9, 3, "2026-11-21", game="architetti_attenti")
    counted = deals([won, kept("m5", 99), lost, other, older], GAME)
    assert sorted(counted) == ["2026-11-19", "2026-11-22", "2026-11-23"]
    assert in_a_row(counted, "2026-11-23") == 2 and in_a_row(counted, "2026-11-24") == 0
    assert daily_in_words(won, counted) == [
        "Clocktowers, deal of 2026-11-23, against hard",
        "Won 47 : 38, 34 turns",
        "2 days in a row · · ● · · ○ ●",
    ]


# Turns --------------------------------------------------------------------------------------------


def reel_of(game: str) -> Reel:
    return Reel(read(line(played("m1", game)), GAMES))


def acted(reel: Reel) -> list[int]:
    return [-1 if ply.seat is None else ply.seat for ply in reel.plies[1:]]


def test_a_turn_is_seen_where_its_player_decides() -> None:
    """In these games one player acts until the other does."""
    for game in ("clocktowers", "architetti_attenti"):
        reel = reel_of(game)
        seats = acted(reel)
        changes = [ply for ply, seat in enumerate(seats) if ply == 0 or seats[ply - 1] != seat]
        turns = turns_of(FACES[game], reel.heard(WATCHER), seats, 1)
        assert set(changes) <= set(turns.starts)
        assert set(turns.own) == {ply for ply in turns.starts if seats[ply] == 1}


def test_in_a_race_a_players_own_is_what_they_did() -> None:
    reel = reel_of("wild_wild_pattern")
    turns = turns_of(FACES["wild_wild_pattern"], reel.heard(WATCHER), acted(reel), 1)
    assert [reel.plies[ply + 1].seat for ply in turns.own] == [1] * len(turns.own) != []
    assert all(reel.plies[ply].state.turn >= 1 for ply in turns.starts)


def test_from_one_to_the_next_and_to_the_ends() -> None:
    assert [after((2, 5), at, 9) for at in (0, 2, 5)] == [2, 5, 9]
    assert [before((2, 5), at) for at in (9, 5, 2)] == [5, 2, 0]
