"""A server that answers `start` before the journal has the match: what must be found out.

python -m tests.stage.early_start serve …
"""

import sys

from server.__main__ import main
from server.matches.match import Match
from server.matches.ports import WhenKept


def at_once(match: Match, answer: WhenKept) -> None:
    answer()


if __name__ == "__main__":
    Match.when_begun = at_once  # type: ignore[assignment,method-assign]
    sys.exit(main())
