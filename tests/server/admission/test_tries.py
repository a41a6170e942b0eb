"""How often somebody may be wrong."""

from itertools import count

from hypothesis import given, strategies as st

from server.admission import tries
from server.admission.tries import Tries
from server.config import Limits

LIMITS = Limits(tries_s=0.1, tries_burst=3)
ANN, BEN = b"a" * 32, b"b" * 32


class At(Tries):
    """Tries whose clock stands until it is set."""

    def __init__(self) -> None:
        super().__init__(LIMITS, lambda: self.now_s)
        self.now_s = 0.0


def wrong(at: Tries, place: str, identity: bytes = b"") -> bool:
    return at.begin(place, identity) == 0


def test_an_address_waits_under_every_identity_and_others_do_not() -> None:
    at = At()
    assert [wrong(at, "192.0.2.1", bytes([n]) * 32) for n in range(4)] == [True] * 3 + [False]
    assert at.begin("192.0.2.1", b"") == 10
    assert wrong(at, "192.0.2.2")
    at.now_s = 10
    assert wrong(at, "192.0.2.1")


def test_the_first_try_is_allowed_however_slowly_the_machine_goes() -> None:
    seconds = count()
    at = Tries(Limits(tries_s=0.01, tries_burst=1), lambda: float(next(seconds)))
    assert at.begin("192.0.2.1", ANN) == 0


def test_an_identity_waits_at_every_address() -> None:
    at = At()
    assert [wrong(at, f"192.0.2.{n}", ANN) for n in range(4)] == [True] * 3 + [False]
    assert [wrong(at, "192.0.2.3") for _ in range(4)] == [True] * 3 + [False]  # none was taken


def test_nobody_at_the_address_keeps_out_an_identity_that_was_right() -> None:
    at = At()
    assert wrong(at, "192.0.2.1", ANN)
    at.was_right("192.0.2.1", ANN)
    assert [wrong(at, "192.0.2.1", BEN) for _ in range(4)] == [True] * 3 + [False]
    assert [wrong(at, "192.0.2.1", ANN) for _ in range(4)] == [True] * 3 + [False]


@given(st.lists(st.tuples(st.floats(0, 5), st.booleans()), max_size=60))
def test_what_was_wrong_stays_within_burst_and_rate(steps: list[tuple[float, bool]]) -> None:
    at, mistakes = At(), 0
    for passed_s, right in steps:
        at.now_s += passed_s
        if at.begin("192.0.2.1", b"") == 0:
            if right:
                at.give_back("192.0.2.1", b"")
            mistakes += not right
    assert mistakes <= 3 + 0.1 * at.now_s + 1e-6


def test_few_are_remembered() -> None:
    at = At()
    for n in range(tries.MOST + 500):
        at.begin(str(n), n.to_bytes(32, "big"))
        at.was_right(str(n), n.to_bytes(32, "big"))
    assert len(at) == len(at._known) == tries.MOST


def test_others_are_told_of_few() -> None:
    at = At()
    for n in range(tries.MOST_TOLD + 500):
        at.begin(str(n), b"")
    assert len(at.taken) == tries.MOST_TOLD and at.taken[str(tries.MOST_TOLD + 499)] == 1


def test_what_others_have_counted_is_taken_once_and_given_back() -> None:
    """What they had counted before they were first heard is over."""
    at = At()
    at.hear({2: {"192.0.2.1": 9}})
    for _ in range(2):
        at.hear({2: {"192.0.2.1": 11}})
    assert [wrong(at, "192.0.2.1") for _ in range(2)] == [True, False]
    at.hear({2: {"192.0.2.1": 10}})
    assert [wrong(at, "192.0.2.1") for _ in range(2)] == [True, False]
    assert len(at) == 1
