"""Addresses at which players want to be told something: which of them are let in, and how they are
reached, each time by a process of its own (`main`).

Laws: what a player gives is an address and nothing else: never an account, a file or a program of
this machine. Unless the operator lets it, no address in a private network is dialled, whatever a
name resolves to, and none to which an answer leads. The process has `SEND_S`, and nobody waits for
it meanwhile.
"""

import asyncio
import logging
import re
import socket
import ssl
import sys
from asyncio.subprocess import DEVNULL, PIPE, create_subprocess_exec
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final
from urllib.parse import quote, urlsplit

from msgspec import Struct, json
from msgspec.structs import asdict

from protocol.from_server import AddressKind, Unsent
from server.config import Config
from server.settings import ConfigError, own_text

SEND_S: Final = 10.0
AT_ONCE: Final = 8
_PROGRAM: Final = (sys.executable, "-P", "-m", "server.addresses")
_REFUSED: Final = 3
"""Its exit code where somebody said no; another one is that nobody was reached."""
_TITLE: Final = "Clocktowers"
_HOST: Final = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
_FORMS: Final[Mapping[AddressKind, str]] = {
    AddressKind.NTFY: rf"https://{_HOST}/[A-Za-z0-9_-]{{1,64}}",
    AddressKind.MAIL: rf"[A-Za-z0-9._+-]{{1,64}}@{_HOST}\.[A-Za-z]{{2,}}",
    AddressKind.MATRIX: rf"[@!#][A-Za-z0-9._=-]{{1,64}}:{_HOST}",
    AddressKind.NAMED: r"[A-Za-z0-9._@+-]{1,64}",
}
"""None has a character that means something in a header or in a URL of `apprise`."""
_ANY_NTFY: Final = rf"https?://{_HOST}(?::[0-9]{{1,5}})?/[A-Za-z0-9_-]{{1,64}}"
_ACCOUNTS: Final = {"mailto": AddressKind.MAIL, "matrix": AddressKind.MATRIX}
_AROUND: Final = ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96", "fec0::/10")


class NotSent(Exception):
    def __init__(self, why: Unsent, detail: str) -> None:
        super().__init__(f"{why}: {detail}")
        self.why = why


class Letter(Struct, frozen=True):
    """A `text`. The rest is for the operator's program: `code`: the one in it; `turns`: those in
    it, each with `game`, `table`, `name` and `left_s`."""

    text: str
    code: str = ""
    turns: Sequence[Mapping[str, Any]] = ()


class _Errand(Struct):
    """What the process does. `url`: of apprise, if the `headers` are None. `public`: it may lead to
    no private network."""

    url: str
    body: str
    headers: dict[str, str] | None = None
    public: bool = False


class AddressBook:
    """Of one server, as its operator wishes: `kinds` are let in. Raises ConfigError."""

    def __init__(self, config: Config) -> None:
        self._config: Final = config
        self.places: Final = asyncio.Semaphore(AT_ONCE)
        """Who sends holds one."""
        self._accounts: Final[dict[AddressKind, str]] = {}
        file = config.notify_accounts
        for line in own_text(file, "the accounts").split() if file else ():
            scheme = urlsplit(line).scheme.removesuffix("s")
            if scheme not in _ACCOUNTS:
                raise ConfigError(f"{file}: expected URLs as mailtos://… or matrixs://…")
            self._accounts[_ACCOUNTS[scheme]] = line
        if self._accounts and find_spec("apprise") is None:
            raise ConfigError('notify_accounts needs an extra: "clocktowers-tui[notify]"')
        ntfy, named = config.notify_ntfy != "none", bool(config.webhook)
        own = [AddressKind.NTFY] * ntfy, [AddressKind.NAMED] * named
        self.kinds: Final[Sequence[AddressKind]] = (*own[0], *self._accounts, *own[1])
        self._forms: Final = {kind: _FORMS[kind] for kind in self.kinds}
        if config.notify_ntfy == "any":
            self._forms[AddressKind.NTFY] = _ANY_NTFY

    def kind_of(self, address: str) -> AddressKind | None:
        """None: it is not let in."""
        fits = (kind for kind, form in self._forms.items() if re.fullmatch(form, address))
        return next(fits, None)

    def mark(self, address: str) -> str:
        """The same of all addresses that may lead to the same place."""
        return re.sub(r"^https?://|:\d+(?=/)|\+.*(?=@)", "", address.casefold())

    async def send(self, address: str, letter: Letter) -> None:
        """Raises NotSent."""
        errand, said = json.encode(self._errand(address, letter)), b"no answer in time"
        try:
            process = await create_subprocess_exec(
                *_PROGRAM, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
            try:
                with suppress(TimeoutError):  # the process may have been quick, and this one hung
                    async with asyncio.timeout(SEND_S):
                        said, _ = await process.communicate(errand)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        except OSError as error:
            raise NotSent(Unsent.SILENT, str(error)) from None
        if process.returncode:
            why = Unsent.REFUSED if process.returncode == _REFUSED else Unsent.SILENT
            raise NotSent(why, said.decode("utf-8", "replace"))

    def _errand(self, address: str, letter: Letter) -> _Errand:
        match self.kind_of(address):
            case AddressKind.NTFY:
                public = self._config.notify_ntfy == "public"
                return _Errand(address, letter.text, {"Title": _TITLE}, public)
            case AddressKind.NAMED:
                body = json.encode({"to": address, **asdict(letter)}).decode()
                return _Errand(self._config.webhook, body, {"Content-Type": "application/json"})
            case None:
                raise NotSent(Unsent.REFUSED, "the operator does not let it in any more")
            case kind:
                url, _, query = self._accounts[kind].partition("?")
                to = quote(address, safe="")
                if kind is AddressKind.MAIL:
                    return _Errand(f"{url}?{query}&to={to}", letter.text)
                return _Errand(f"{url.rstrip('/')}/{to}" + f"?{query}" * bool(query), letter.text)


# The process --------------------------------------------------------------------------------------


def main() -> None:
    """Do the errand on stdin; say on stdout why not."""
    from http.client import HTTPException  # the server itself does without

    errand = json.decode(sys.stdin.buffer.read(), type=_Errand)
    try:
        why = _by_apprise(errand) if errand.headers is None else _posted(errand, errand.headers)
    except (OSError, HTTPException, ValueError) as error:
        print(getattr(error, "reason", None) or error, end="")  # the text of some has the address
        sys.exit(1)
    print(why, end="")
    sys.exit(_REFUSED if why else 0)


def is_public(address: str) -> bool:
    """Whether no machine of the server's own networks can have it, also by a way around."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and (ip.ipv4_mapped or ip.sixtofour or ip.teredo):
        return False
    return ip.is_global and not ip.is_multicast and not any(ip in IPv6Network(n) for n in _AROUND)


def _posted(errand: _Errand, headers: Mapping[str, str]) -> str:
    """Why it was refused, "" = it was not. What was looked at is what is dialled: a second look at
    the name could find another machine."""
    from http.client import HTTPConnection, HTTPException

    parts = urlsplit(errand.url)
    host, safe = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if safe else 80)
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if errand.public and not all(map(is_public, found)):
        # As where nobody is: who asks learns nothing of the operator's names.
        raise ValueError("it is in a private network")
    line = HTTPConnection(host, port, timeout=SEND_S)
    line.sock = socket.create_connection((found[0], port), SEND_S)
    if safe:
        context = ssl.create_default_context()
        line.sock = context.wrap_socket(line.sock, server_hostname=host)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    line.request("POST", path or "/", errand.body.encode(), dict(headers))
    status = line.getresponse().status
    if status >= 500 or status in (408, 425, 429):  # not the address's fault
        raise HTTPException(f"it answers {status}")
    return "" if 200 <= status < 300 else f"it answers {status}"


def _by_apprise(errand: _Errand) -> str:
    logging.disable()  # it names addresses
    from apprise import Apprise

    sender = Apprise()
    if not (sender.add(errand.url) and sender.notify(errand.body, _TITLE, body_format="text")):
        # It does not say whether the account or the addressee is at fault.
        raise OSError("apprise could not send it")
    return ""


if __name__ == "__main__":
    main()
