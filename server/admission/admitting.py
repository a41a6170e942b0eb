"""What a server asks of callers: at its door, by an invitation, at a table with a password."""

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Final

from server.admission.gate import Gate, ServerPassword
from server.admission.hashing import Hashing
from server.admission.invitations import Invitations
from server.admission.locks import Locks
from server.admission.tries import Tries
from server.config import Config


class Admission:
    """Of one server. `gate`: what each `hello` must show; `locks`: of tables; `invitations`: of
    this server; `tries`: of its password and these; `hosts_invite`: whether the host of a table may
    ask for one. `awaits`, `hits`: as in `Gate`."""

    def __init__(
        self,
        config: Config,
        word: ServerPassword,
        invitations: Invitations,
        awaits: Callable[[bytes], bool],
        hits: Counter[str],
    ) -> None:
        in_clear, self._hashing = config.password_in_clear, Hashing()
        self.invitations: Final = invitations
        self.tries: Final = Tries(config.limits, monotonic)
        self.hosts_invite: Final = config.hosts_invite
        self.gate: Final = Gate(
            word,
            invitations=invitations,
            awaits=awaits,
            in_clear=in_clear,
            tries=self.tries,
            hashing=self._hashing,
            hits=hits,
        )
        self.locks: Final = Locks(Tries(config.limits, monotonic), self._hashing, in_clear=in_clear)

    def close(self) -> None:
        """Work out no more passwords."""
        self._hashing.close()
