"""Who finds a table, and who comes to it."""

from typing import Final

from msgspec import Struct


class Access(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`hidden`: only those who know its code find it. `lock`: the argon2id hash of its password, ""
    = it has none. `watchable`: people who do not play may watch."""

    hidden: bool = False
    lock: str = ""
    watchable: bool = True


OPEN: Final = Access()
