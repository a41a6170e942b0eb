"""Who has won how many matches at a table: said to those alone who were there from the first."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.phrases.looking_back import evening_in_words
from clocktowers_tui.state.store import State, left
from protocol.from_server import AtTable, Ended
from tests.clocktowers_tui.state.test_store import after
from tests.stage import small_match


def table(matches: int) -> AtTable:
    told = small_match.at_table("Ann", "Bob")
    return replace(told, info=replace(told.info, matches=matches))


def one(n: int, *, winners: Sequence[int] = (0,)) -> list[Struct]:
    match = f"m{n}"
    over = small_match.ended(match)
    over = replace(over, outcome={**over.outcome, "winners": list(winners)})
    return [table(n), small_match.started(match), small_match.update(0, match), over, table(n)]


def test_each_match_is_counted_once_for_its_winners() -> None:
    state = after([*one(1), *one(2), *one(3, winners=[1]), small_match.ended("m3")])
    assert evening_in_words(state) == "Wins at this table: Ann 2, Bob 1"
    assert "Ann 3, Bob 2" in evening_in_words(
        after([*one(1), *one(2), *one(3, winners=[0, 1]), *one(4, winners=[1])])
    )


def test_one_match_is_no_evening() -> None:
    assert evening_in_words(after(one(1))) == ""
    assert evening_in_words(State()) == ""


def test_who_came_later_is_told_nothing() -> None:
    late = after([*one(2), *one(3)])
    assert late.evening.matches == 2 and evening_in_words(late) == ""


def test_a_match_that_was_broken_off_is_won_by_nobody() -> None:
    broken: list[Struct] = [table(2), small_match.started("m2"), small_match.update(0, "m2")]
    stillborn: list[Struct] = [table(2), small_match.started("m2")]
    for beginning in (broken, stillborn):
        state = after([*one(1), *beginning, Ended(match="m2", aborted=True), *one(3)])
        assert evening_in_words(state) == "Wins at this table: Ann 2, Bob 0"


def test_another_table_counts_from_nothing() -> None:
    assert left(after([*one(1), *one(2)])).evening.matches == 0
