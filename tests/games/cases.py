"""Every game for the laws."""

from collections.abc import Mapping

from tests.games.architetti_attenti import ARCHITETTI_ATTENTI
from tests.games.case import Case
from tests.games.clocktowers import CLOCKTOWERS

CASES: Mapping[str, Case] = {
    "clocktowers": CLOCKTOWERS,
    "architetti_attenti": ARCHITETTI_ATTENTI,
}
