"""A server that does not look whether its database keeps what it promises: the siege must find it
out.

python -m tests.stage.unsafe_postgres serve …
"""

import sys
from typing import Any, Final

from server.__main__ import main

UNSAFE: Final = (sys.executable, "-P", "-m", "tests.stage.unsafe_postgres")
NOT_YET: Final = ("synchronous_commit = off", "wal_writer_delay = 10s")
"""Settings of a database that acknowledges long before it is safe."""


def _unseen(*_what: Any) -> None:
    """What `server.store.connecting` would check."""


if __name__ == "__main__":
    from server.store import connecting

    connecting._check = _unseen  # type: ignore[assignment]
    sys.exit(main())
