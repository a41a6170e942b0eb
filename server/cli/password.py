"""Where an operator's password comes from: a file that only its owner may read, or a variable. What
stays of it in the server is a hash."""

import os
import stat
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

from protocol.text import clean
from server.admission.hashing import hash_now
from server.config import Config
from server.settings import PASSWORD_VARIABLE, ConfigError
from server.store import private

_MOST_BYTES: Final = 8192

MOST: Final = 128
"""Characters; a hello has room for four times as many."""


def kept_password(config: Config, env: MutableMapping[str, str] = os.environ) -> str | None:
    """The hash of the password that everybody must give; None = none is asked for. The variable is
    removed, so that no process of the server inherits it. Raises ConfigError."""
    given = env.pop(PASSWORD_VARIABLE, "")
    if config.password_file:
        return hash_now(_checked(_in_file(config.password_file), config.password_file))
    return hash_now(_checked(given, PASSWORD_VARIABLE)) if given else None


def _in_file(name: str) -> str:
    try:
        path = Path(name).expanduser()
        with private.opened(path) as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_IMODE(mode) & 0o077:
                raise ConfigError(f"others can read {path}: run chmod 600 on it")
            text = file.read(_MOST_BYTES).decode()
    except UnicodeDecodeError:
        raise ConfigError(f"{name} is no text: write the password into it, in UTF-8") from None
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read the password in {name}: {why}") from None
    return text.removesuffix("\n").removesuffix("\r")


def _checked(password: str, where: str) -> str:
    if not password:
        raise ConfigError(f"{where} holds no password")
    if len(password) > MOST:
        raise ConfigError(f"the password in {where} is longer than {MOST} characters")
    if clean(password) != password:
        raise ConfigError(
            f"the password in {where} cannot be typed as it is: write one line of visible "
            "characters, without blanks at its ends"
        )
    return password
