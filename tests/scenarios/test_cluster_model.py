"""Two nodes and one match: all orders of claims, appends, drains, splices and faults keep the laws,
and each wrong way to build it is found."""

import pytest

from tests.stage.cluster_model import Fault, search

LOST = "acknowledged, and the journal does not keep it"
SHORTER = "the history became shorter"


def test_every_order_keeps_the_laws() -> None:
    found = search(blows=1, claims=2)
    assert not found.law, found
    assert found.ends > 1000, "the players must come to the end of their moves in many ways"


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        (Fault.NO_EPOCH, SHORTER),
        (Fault.OWN_CLOCK, SHORTER),
        (Fault.EARLY, LOST),
        (Fault.ASYNCHRONOUS, LOST),
        (Fault.READS_FIRST, SHORTER),
    ],
)
def test_a_wrong_way_to_build_it_is_found(fault: Fault, law: str) -> None:
    assert search(blows=1, claims=2, fault=fault).law == law


@pytest.mark.soak
@pytest.mark.parametrize(("blows", "claims"), [(2, 2), (1, 3)])
def test_every_order_of_more_faults_and_claims(blows: int, claims: int) -> None:
    found = search(blows, claims)
    assert not found.law, found
