"""What the player's history says of the match that has just been kept."""

from typing import NamedTuple


class LookedBack(NamedTuple):
    """`match`: its id. `numbers`: how it compares. `deal`: the lines to paste where it was a deal
    of the day that counts; `practice`: it was one that does not."""

    match: str
    numbers: str = ""
    deal: tuple[str, ...] = ()
    practice: bool = False
