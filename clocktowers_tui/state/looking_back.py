"""What the player's history says of a match: of a deal of the day while it is played, of any other
once it has been kept."""

from typing import NamedTuple


class LookedBack(NamedTuple):
    """`match`: its id. `numbers`: how it compares. `deal`: the lines to paste where it was a deal
    of the day that counts; `practice`: it was one that does not; `played_for`: a bot finished it;
    `by_bot`: a bot did some of the player's moves. `banner`: how the line above the board calls it
    meanwhile."""

    match: str
    numbers: str = ""
    deal: tuple[str, ...] = ()
    practice: bool = False
    played_for: bool = False
    by_bot: bool = False
    banner: str = ""
