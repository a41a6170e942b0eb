"""Tables that played one deal, ranked seat by seat."""

from protocol.duplicate import matchpoints


def ranked(scores: list[list[int]]) -> list[list[int]]:
    """Where people sit everywhere."""
    return matchpoints(scores, [[True] * len(own) for own in scores])


def test_two_for_each_that_has_less_and_one_for_each_that_has_as_much() -> None:
    assert ranked([[9, 3], [7, 5]]) == [[2, 0], [0, 2]]
    assert ranked([[9, 3], [9, 3], [4, 8]]) == [[3, 1], [3, 1], [0, 4]]


def test_a_bot_gets_nothing_and_is_beaten_all_the_same() -> None:
    """Else a table would be better where the people's opponent is."""
    mixed = [[True, False], [True, True]]
    assert matchpoints([[9, 7], [9, 3]], [[True, False]] * 2) == [[1, 0], [1, 0]]
    assert matchpoints([[9, 3], [7, 5]], mixed) == [[2, 0], [0, 2]]


def test_the_points_of_a_seat_come_to_as_many_as_there_are_pairs_of_tables_twice() -> None:
    scores = [[5, 1, 9], [7, 1, 2], [7, 0, 2], [-3, 4, 2]]
    points = ranked(scores)
    assert [sum(seat) for seat in zip(*points, strict=True)] == [12, 12, 12]


def test_one_table_alone_has_nobody_to_beat() -> None:
    assert ranked([[5, 8]]) == [[0, 0]]
