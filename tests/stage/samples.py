"""One message of every kind, all fields set, as its golden frame has it.

python -m tests.stage.samples client 'client.Ping(n=7)'    writes the golden of a message
python -m tests.stage.samples wild_wild_pattern_shoot '…'   and of a game's own words in one
"""

import sys
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from protocol import from_client as client, from_server as server
from protocol.codec import Reader, encode_frame, from_server, read_as, read_whole
from protocol.games.registry import GAMES

GOLDENS: Final = Path(__file__).parents[1] / "protocol" / "goldens"
READ: Final = {"client": Reader(*client.FROM_CLIENT).read, "server": from_server}


def golden(name: str) -> bytes:
    """The frame of this name."""
    return bytes.fromhex((GOLDENS / f"{name}.hex").read_text())


def golden_frames(side: str) -> list[bytes]:
    """All golden frames from one side, in the order of their files' names."""
    return [golden(path.stem) for path in sorted(GOLDENS.glob(f"{side}_*.hex"))]


def _all(side: str, kinds: tuple[type[Struct], ...]) -> tuple[Struct, ...]:
    return tuple(READ[side](golden(f"{side}_{kind.__struct_config__.tag}")[4:]) for kind in kinds)


FROM_CLIENT: Final = _all("client", client.FROM_CLIENT)
FROM_SERVER: Final = _all("server", server.FROM_SERVER)
OF_GAMES: Final = [
    (game, path.stem) for game in GAMES for path in sorted(GOLDENS.glob(f"{game}_*.hex"))
]
"""Messages with the words of other games than Clocktowers: game, and the name of the golden."""


def in_types(message: Any, game: str) -> Any:
    """The message with what it says of a match in the types of this game."""
    words = GAMES[game]
    match message:
        case client.Act():
            return replace(message, action=read_whole(message.action, words.action))
        case server.Done(action=[*_]):
            action, plan = (read_as(one, words.action) for one in (message.action, message.plan))
            return replace(message, action=action, plan=plan)
        case server.History() | server.Update():
            message = replace(message, events=[read_as(one, words.event) for one in message.events])
            if isinstance(message, server.Update):
                return replace(message, view=read_as(message.view, words.view))
        case server.Ended(aborted=False) | server.Ended(outcome={}):
            return replace(message, outcome=read_as(message.outcome, words.outcome))
    return message


if __name__ == "__main__":
    name, said = sys.argv[1:]
    words = {game: __import__(f"protocol.games.{game}", fromlist=[""]) for game in GAMES}
    message = eval(said, {"client": client, "server": server, **words})
    if name in READ:
        name = f"{name}_{message.__struct_config__.tag}"
    whole = encode_frame(message)
    rows = [whole[start : start + 32].hex() + "\n" for start in range(0, len(whole), 32)]
    (GOLDENS / f"{name}.hex").write_text("".join(rows))
