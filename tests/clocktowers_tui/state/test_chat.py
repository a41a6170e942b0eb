"""A line gets in once and clean; what has not been read is known, and who is muted is not heard."""

from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.state.store import (
    State,
    audible,
    heard,
    left,
    muted,
    others,
    parted,
    toggled,
    unread,
)
from clocktowers_tui.state.table import MAX_LINES, Chat, Connection, Kind
from protocol.from_server import ChatHistory, Said
from protocol.table import MAX_CHAT_CHARACTERS, TablePhase
from protocol.text import clean
from tests.stage import small_match
from tests.stage.hostile_texts import HOSTILE, harmless


def line(n: int, name: str = "Ben", **what: Any) -> Said:
    return Said(n=n, name=name, seat=1, **(what or {"text": f"line {n}"}))


def with_lines(*numbers: int) -> Chat:
    chat = Chat()
    for n in numbers:
        chat = chat.heard(line(n))
    return chat


def test_a_server_that_began_anew_is_heard_although_it_counts_from_one() -> None:
    chat = with_lines(*range(1, 41)).all_read()
    told = ChatHistory([line(1, text="is everybody back?"), line(2, text="yes")])
    chat = chat.caught_up(told, news=True)
    assert [said.text for said in chat.lines[-2:]] == ["is everybody back?", "yes"]
    assert chat.fresh == 2
    assert chat.heard(line(3)).lines[-1] == line(3), "the same words under the same number"
    lines = chat.heard(line(2, phrase="taken_away")).lines
    assert (lines[1], lines[-1]) == (line(2), line(2, phrase="taken_away"))


def test_a_player_who_comes_back_finds_unread_what_they_had_not_read() -> None:
    told = ChatHistory([line(n) for n in range(1, 5)])
    for read, fresh in ((None, 0), (0, 4), (2, 2), (4, 0)):
        chat = Chat(read=read).caught_up(told, news=False)
        assert (chat.fresh, chat.newest_read) == (fresh, 4 - fresh)


def test_only_so_much_is_kept() -> None:
    chat = with_lines(*range(1, MAX_LINES + 11))
    assert [chat.lines[0].n, len(chat.lines), chat.fresh] == [11, MAX_LINES, MAX_LINES]
    book = chat.heard(Said(n=1, name="Ben", text="x" * 60_000)).lines[-1]
    assert len(book.text) == MAX_CHAT_CHARACTERS


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_server_that_does_not_clean_harms_nobody(text: str) -> None:
    said = heard(State(), Said(n=1, name=text, text=text, phrase=text)).chat.lines[0]
    assert harmless(said.name + said.text + said.phrase)
    assert (said.name, said.text) == (clean(text), clean(text))


# Who is heard -------------------------------------------------------------------------------------


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


def test_lines_said_while_one_was_away_are_news_only_to_who_was_here_before() -> None:
    missed = ChatHistory([Said(n=1, name="Ben", text="hello"), Said(n=2, name="Ben", text="?")])
    newcomer = heard(heard(State(connection=HERE), missed), AT_TABLE)
    assert numbers(audible(newcomer)) == [1, 2] and not unread(newcomer)
    assert numbers(unread(heard(there(), missed))) == [1, 2]
