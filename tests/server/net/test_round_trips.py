"""How long a line takes: by the smallest of the newest answers, and by nothing but answers."""

from hypothesis import given, strategies as st

from server.net.round_trips import KEPT, RoundTrips

CAP_MS = 150


def measured(*took_ms: float) -> RoundTrips:
    trips = RoundTrips(CAP_MS)
    for number, ms in enumerate(took_ms):
        trips.answered(trips.ask(float(number)), number + ms / 1000)
    return trips


def test_it_is_half_the_smallest_of_the_newest() -> None:
    assert RoundTrips(CAP_MS).lag_ms() == 0
    assert measured(240.5).lag_ms() == 120
    assert measured(240.5, 80.5, 500).lag_ms() == 40
    assert measured(80.5, *[200.5] * (KEPT - 1)).lag_ms() == 40
    assert measured(80.5, *[200.5] * KEPT).lag_ms() == 100
    assert measured(2000).lag_ms() == CAP_MS


def test_a_pong_that_answers_nothing_or_again_is_no_measurement() -> None:
    trips = measured(100.5)
    number = trips.ask(10.0)
    for other in (0, 1, number + 1, 2**53 - 1):
        trips.answered(other, 10.001)
    assert trips.lag_ms() == 50
    trips.answered(number, 10.0601)
    trips.answered(number, 10.0)
    assert trips.lag_ms() == 30


def test_what_arrived_before_the_ping_was_sent_is_no_answer_to_it() -> None:
    trips = measured(100.5)
    trips.answered(trips.ask(10.0), 7.0)
    assert trips.lag_ms() == 50


def test_what_was_never_answered_is_given_up() -> None:
    trips = RoundTrips(CAP_MS)
    first = trips.ask(0.0)
    for _ in range(KEPT):
        trips.ask(1.0)
    assert len(trips._sent) == KEPT
    trips.answered(first, 0.02)
    assert trips.lag_ms() == 0


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(-5, 5)), max_size=60))
def test_whatever_is_answered_it_is_from_nothing_to_the_cap(
    answers: list[tuple[int, float]],
) -> None:
    trips = RoundTrips(CAP_MS)
    for number, now_s in answers:
        trips.ask(0.0)
        trips.answered(number, now_s)
        assert 0 <= trips.lag_ms() <= CAP_MS
