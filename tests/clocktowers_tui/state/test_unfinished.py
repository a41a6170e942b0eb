"""A match that waits is a row at home, and the same match when the player is back."""

from msgspec.structs import replace

from clocktowers_tui.state import match as matches
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.store import Place, State, heard, left, place, set_aside, taken_up
from clocktowers_tui.state.unfinished import unfinished
from protocol.listing import SeatInfo, SeatKind
from tests.stage import small_match


def at_match() -> State:
    state = State(connection=Connection(kind=Kind.SOLO, address="x", name="Ann"))
    table = small_match.at_table("Ann", "Wren", "Bob")
    seats = [*table.info.seats]
    seats[1] = SeatInfo(kind=SeatKind.BOT, name="Wren", level="easy")
    state = heard(state, replace(table, info=replace(table.info, seats=seats)))
    return heard(heard(state, small_match.started()), small_match.update(1))


def test_it_waits_at_home_and_goes_on() -> None:
    state = at_match()
    assert (place(state), unfinished(state)) == (Place.MATCH, ())
    aside = set_aside(state)
    assert place(aside) is Place.HOME
    (waits,) = unfinished(aside)
    assert (waits.match, waits.game, waits.people, waits.bots) == ("m1", "clocktowers", ("Bob",), 1)
    back = taken_up(aside)
    assert (place(back), back.match, unfinished(back)) == (Place.MATCH, state.match, ())


def test_what_happens_meanwhile_is_heard() -> None:
    aside = heard(set_aside(at_match()), small_match.update(7))
    assert aside.match is not None and aside.match.version == 7
    assert unfinished(aside)[0].view == aside.match.view
    over = heard(aside, small_match.ended())
    assert place(over) is Place.HOME
    assert unfinished(over)[0].over


def test_nothing_is_waited_for_any_more_when_one_is_back() -> None:
    """The screen that would have taken the answer is gone."""
    state = at_match()
    assert state.match is not None
    state = replace(state, match=matches.sent(state.match, b"k"))
    back = taken_up(set_aside(state))
    assert back.match is not None and back.match.pending is None


def test_whoever_left_has_nothing_to_continue() -> None:
    assert unfinished(left(set_aside(at_match()))) == ()
    assert unfinished(State()) == ()
