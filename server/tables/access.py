"""What a request that cannot be fulfilled raises, and who finds a table.

Law: what is refused has changed nothing.
"""

from typing import Final

from msgspec import Struct

from protocol.errors import Param, Refusal, RefusalCode

# Refusals as exceptions, so that a handler reads as what happens when all is well.


class Impossible(Exception):
    """A valid request that cannot be fulfilled now; the match has not changed. The session
    answers it."""

    def __init__(self, code: RefusalCode, **params: Param) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, params)


class Access(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`hidden`: only those who know its code find it. `lock`: the argon2id hash of its password, ""
    = it has none. `watchable`: people who do not play may watch."""

    hidden: bool = False
    lock: str = ""
    watchable: bool = True


OPEN: Final = Access()
