"""A node of a newer version, which changes the database when it starts; older ones run beside it.

python -m tests.stage.newer_node serve …
"""

import sys
from typing import Final

from server.__main__ import main

NEWER: Final = (sys.executable, "-P", "-m", "tests.stage.newer_node")
_STEP: Final = "ALTER TABLE match ADD COLUMN later TEXT NOT NULL DEFAULT ''"

if __name__ == "__main__":
    from server.store import postgres

    postgres._SCRIPTS = [*postgres._SCRIPTS, _STEP]  # type: ignore[misc]
    sys.exit(main())
