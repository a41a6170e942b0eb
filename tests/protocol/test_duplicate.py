"""Tables that played one deal, ranked seat by seat."""

from protocol.duplicate import matchpoints


def test_two_for_each_that_has_less_and_one_for_each_that_has_as_much() -> None:
    assert matchpoints([[9, 3], [7, 5]]) == [[2, 0], [0, 2]]
    assert matchpoints([[9, 3], [9, 3], [4, 8]]) == [[3, 1], [3, 1], [0, 4]]


def test_the_points_of_a_seat_come_to_as_many_as_there_are_pairs_of_tables_twice() -> None:
    scores = [[5, 1, 9], [7, 1, 2], [7, 0, 2], [-3, 4, 2]]
    points = matchpoints(scores)
    assert [sum(seat) for seat in zip(*points, strict=True)] == [12, 12, 12]


def test_one_table_alone_has_nobody_to_beat() -> None:
    assert matchpoints([[5, 8]]) == [[0, 0]]
