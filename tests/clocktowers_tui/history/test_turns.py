"""Where turns begin: before the first ply of each, and for the right player."""

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history.turns import after, before, turns_of
from protocol.replaying import WATCHER
from server.games.registry import GAMES
from server.recording.records import line, read
from server.replaying.reel import Reel
from tests.clocktowers_tui.history.test_matches import played


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
