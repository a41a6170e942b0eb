"""What a browser's request says: who asks, by a cookie, from which page, and of what terminal.

A cookie is made when the page first asks to come in, by a POST: the first request of a page that
was opened from elsewhere does not bring it (`SameSite=Strict`).
"""

import re
import secrets
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from protocol.invitation import SECRET_BYTES, BadInvitation, from_page
from server.guests.guest import Size
from server.guests.guests import Arriving

COOKIE: Final = "clocktowers"
INVITATION: Final = "clocktowers-invitation"
COOKIE_S: Final = 400 * 86_400
"""As long as browsers keep one."""
_IDENTITY: Final = re.compile(r"[\w-]{43}", re.ASCII)
_SECRET: Final = re.compile(rf"([0-9a-f]{{2}}){{{SECRET_BYTES}}}")
_MISTYPED: Final = "That invitation is mistyped or cut off; copy all of it, or ask for another."
_TABLE: Final = re.compile(r"[A-Za-z0-9-]{0,40}")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:-([A-Z]{2}))?\b")
_TERMINAL: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def is_ours(request: web.Request, *, secure: bool) -> bool:
    """Whether a page of this server asks, or nobody's. In clear on this machine the server must be
    called by an address: a name may be one of a page that has just been led here."""
    host = urlsplit(f"//{request.host}").hostname or ""
    if not secure and host != "localhost" and not _is_address(host):
        return False
    if request.method == "GET" and request.path != "/terminal":
        return True
    return urlsplit(request.headers.get("Origin", "")).netloc == request.host


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


async def entered(request: web.Request, *, secure: bool) -> web.StreamResponse:
    """Give the caller a cookie who has none, and another for the invitation that they show."""
    cookies, table = {COOKIE: identity_in(request) or secrets.token_urlsafe(32)}, ""
    if said := await request.text():
        try:
            secret, table = from_page(said)
        except BadInvitation:
            raise web.HTTPBadRequest(text=_MISTYPED) from None
        cookies[INVITATION] = secret.hex()
    response = web.json_response({"table": table})
    for name, value in cookies.items():
        response.set_cookie(
            name,
            value,
            max_age=COOKIE_S,
            httponly=True,
            samesite="Strict",
            secure=secure,
        )
    return response


def identity_in(request: web.Request) -> str:
    """ "" = the caller shows none."""
    shown = request.cookies.get(COOKIE, "")
    return shown if _IDENTITY.fullmatch(shown) else ""


def arriving(request: web.Request, address: str, identity: str) -> Arriving:
    asked = request.query
    table, secret = asked.get("table", ""), request.cookies.get(INVITATION, "")
    return Arriving(
        address,
        proof=f"web {identity}",
        environ={**_TERMINAL, "LANG": _language(request.headers.get("Accept-Language", ""))},
        size=Size(_number(asked.get("columns", "")), _number(asked.get("rows", ""))),
        table=table.upper() if _TABLE.fullmatch(table) else "",
        invitation=bytes.fromhex(secret) if _SECRET.fullmatch(secret) else b"",
    )


def _language(accepted: str) -> str:
    """The first that the browser asks for, as programs are told: `it-IT,en;q=0.5` is
    `it_IT.UTF-8`."""
    found = _LANGUAGE.match(accepted)
    if found is None:
        return "C.UTF-8"
    language, country = found.groups()
    return f"{language}_{country}.UTF-8" if country else f"{language}.UTF-8"


def _number(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else 0
