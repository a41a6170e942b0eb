"""A muted player's lines are neither shown nor counted, at this table and until the program
ends."""

from msgspec.structs import replace

from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.hearing import (
    audible,
    in_company,
    muted,
    others,
    toggled,
    unread,
    you,
)
from clocktowers_tui.state.store import State, heard, left, parted
from protocol.from_server import ChatHistory, Said
from protocol.listing import TablePhase
from tests.stage import small_match

HERE = Connection(kind=Kind.VISIT, address="here:7777", name="Ann")
AT_TABLE = small_match.at_table("Ann", "Ben", phase=TablePhase.WAITING)


def there(*names: str) -> State:
    """At the table, where these have said something since."""
    state = heard(State(connection=HERE), AT_TABLE)
    for n, name in enumerate(names, start=1):
        state = heard(state, Said(n=n, name=name, text=f"line {n}"))
    return state


def numbers(lines: tuple[Said, ...]) -> list[int]:
    return [line.n for line in lines]


def test_ones_own_lines_are_no_news() -> None:
    state = there("Ann", "Ben", "Ann", "Wim")
    assert (you(state), numbers(unread(state))) == ("Ann", [2, 4])
    assert numbers(audible(state)) == [1, 2, 3, 4]


def test_who_is_muted_is_neither_shown_nor_counted_and_can_be_heard_again() -> None:
    state = toggled(there("Ben", "Wim", "Ben"), "Ben")
    assert muted(state) == {"Ben"}
    assert numbers(audible(state)) == numbers(unread(state)) == [2]
    again = toggled(state, "Ben")
    assert numbers(audible(again)) == [1, 2, 3] and not muted(again)


def test_muting_lasts_for_this_table_and_until_the_program_ends() -> None:
    state = toggled(there("Ben"), "Ben")
    for away in (left(state), parted(state)):
        assert away.chat.lines == () and away.table is None
        back = heard(replace(away, connection=HERE), AT_TABLE)
        assert muted(back) == {"Ben"}
        info = replace(AT_TABLE.info, table="WXYZ")
        assert not muted(heard(back, replace(AT_TABLE, info=info)))


def test_those_who_can_be_muted_are_the_muted_and_the_newest_voices() -> None:
    state = toggled(there("Ben", "Wim", "Ann", "Eve", "Wim"), "Ben")
    assert others(state) == ("Ben", "Wim", "Eve")
    assert others(there("Ann")) == ()


def test_there_is_a_chat_where_there_are_people() -> None:
    state = there()
    assert in_company(state)
    assert not in_company(replace(state, table=None))
    assert not in_company(replace(state, connection=replace(HERE, kind=Kind.SOLO)))
    assert not in_company(State())


def test_lines_said_while_one_was_away_are_news_only_to_who_was_here_before() -> None:
    missed = ChatHistory([Said(n=1, name="Ben", text="hello"), Said(n=2, name="Ben", text="?")])
    newcomer = heard(heard(State(connection=HERE), missed), AT_TABLE)
    assert numbers(audible(newcomer)) == [1, 2] and not unread(newcomer)
    assert numbers(unread(heard(there(), missed))) == [1, 2]
