"""The server, but that each hello takes 30 ms of its processor's time: `python -P -m
tests.stage.slow_server ARGUMENTS`."""

import sys
import time
from typing import Any, Final

from protocol.from_client import Hello
from server.__main__ import main
from server.net import router

_TAKES_S: Final = 0.03


def slow(*given: Any) -> Any:
    until_s = time.thread_time() + _TAKES_S
    while time.thread_time() < until_s:
        pass
    return _QUICK(*given)


_QUICK: Final[Any] = router.HANDLERS[Hello]

if __name__ == "__main__":
    router.HANDLERS[Hello] = slow
    sys.exit(main())
