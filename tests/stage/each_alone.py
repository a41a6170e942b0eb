"""A node whose watchers each have a line of their own to the node of their table, as players have:
what it saves that they share one is measured, and tested, beside this.

python -m tests.stage.each_alone serve …
"""

import sys
from typing import Final

from server.__main__ import main

EACH_ALONE: Final = (sys.executable, "-P", "-m", "tests.stage.each_alone")

if __name__ == "__main__":
    from server.nodes import splicing

    splicing.watches = lambda request: False
    sys.exit(main())
