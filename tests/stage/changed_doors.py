"""The process of the doors, whose guests get a client with something about it changed:
`python -P -m tests.stage.changed_doors CHANGES SOCKET`, with changes of `changed_client`."""

import sys

from server.guests import clients
from server.guests.__main__ import main

if __name__ == "__main__":
    changes = sys.argv.pop(1)
    program = (sys.executable, "-P", "-m", "tests.stage.changed_client", changes, "guest")
    setattr(clients, "FORKS", False)  # noqa: B010
    setattr(clients, "_ALONE", program)  # noqa: B010
    main()
