"""A node that does not find out by itself that a line to another one is dead: the tests of cut
networks must catch it.

python -m tests.stage.deaf_node serve …
"""

import sys
from typing import Final

from server.__main__ import main

DEAF: Final = (sys.executable, "-P", "-m", "tests.stage.deaf_node")

if __name__ == "__main__":
    from server.nodes import ways

    ways._KEEP_ALIVE = ()  # type: ignore[misc, assignment]
    sys.exit(main())
