"""Chromium without a window, driven through its own protocol (DevTools)."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed here: on Debian, apt-get install chromium"
)
PATIENCE_S: Final = 60.0
_LOOK_S: Final = 0.02
_FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--disable-extensions", "--remote-debugging-port=0"),
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)
_SCREEN: Final = """(() => {
  const rows = term.buffer.active, text = [];
  for (let row = 0; row < term.rows; row++) text.push(rows.getLine(row).translateToString(true));
  return text.join("\\n");
})()"""
_KEYS: Final = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "PageDown": ("PageDown", 34, ""),
    "Tab": ("Tab", 9, ""),
}


class Tab:
    """A tab of the browser. `asked`: the addresses of everything that its pages have asked for."""

    def __init__(self, browser: "Browser", session: str) -> None:
        self._browser: Final = browser
        self._session: Final = session
        self.asked: Final[list[str]] = []

    async def do(self, method: str, **params: Any) -> Any:
        """A command of the protocol, and its result."""
        return await self._browser.do(method, self._session, **params)

    async def open(self, address: str) -> None:
        failed = (await self.do("Page.navigate", url=address)).get("errorText")
        assert not failed, failed

    async def js(self, expression: str) -> Any:
        """What the page works out; a promise is waited for."""
        done = await self.do(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    async def reload(self) -> None:
        """What is asked and seen from here on is the new page's."""
        await self.js("globalThis.old = true")
        await self.do("Page.reload")
        async with asyncio.timeout(PATIENCE_S):
            while await self._look("globalThis.old || 'new'") != "new":  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_S)

    async def text(self) -> str:
        """What the terminal in the page shows; "" while there is none."""
        return str(await self._look(_SCREEN) or "")

    async def _look(self, expression: str) -> Any:
        """What the page works out; None while it comes or goes."""
        done = await self.do("Runtime.evaluate", expression=expression, returnByValue=True)
        return None if "exceptionDetails" in done else done.get("result", {}).get("value")

    async def sees(self, *words: str) -> str:
        """Wait until all of that is on the screen."""
        shown = ""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not all(word in shown for word in words) or not shown:
                    await asyncio.sleep(_LOOK_S)
                    shown = await self.text()
        except TimeoutError:
            raise AssertionError(f"{words} not in\n{shown}") from None
        return shown

    async def press(self, *keys: str) -> None:
        """Letters, or names such as ArrowUp."""
        for key in keys:
            name, code, text = _KEYS.get(key, (key, ord(key[0].upper()), key))
            told = {"key": name, "windowsVirtualKeyCode": code, "text": text}
            if key == "Ctrl+C":
                told = {"key": "c", "windowsVirtualKeyCode": 67, "modifiers": 2}
            await self.do("Input.dispatchKeyEvent", type="keyDown", **told)
            await self.do("Input.dispatchKeyEvent", type="keyUp", key=name)

    async def tap(self, selector: str) -> None:
        """With a finger, on this element."""
        place = f"document.querySelector('{selector}').getBoundingClientRect()"
        x, y = await self.js(f"(({{x, y, width, height}}) => [x + width/2, y + height/2])({place})")
        point = [{"x": x, "y": y}]
        await self.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=point)
        await self.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """In pixels."""
        await self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        await self.do("Emulation.setTouchEmulationEnabled", enabled=phone)

    async def close(self) -> None:
        await self.do("Page.close")


class Browser:
    """Made by `chromium`."""

    def __init__(self, line: ClientWebSocketResponse) -> None:
        self._line: Final = line
        self._number = 0
        self._waiting: Final[dict[int, asyncio.Future[Any]]] = {}
        self._tabs: Final[dict[str, Tab]] = {}
        self._hearing: Final = asyncio.ensure_future(self._hear())

    async def do(self, method: str, session: str = "", **params: Any) -> Any:
        self._number += 1
        answer = self._waiting[self._number] = asyncio.get_running_loop().create_future()
        told = {"id": self._number, "method": method, "params": params}
        await self._line.send_json({**told, **({"sessionId": session} if session else {})})
        async with asyncio.timeout(PATIENCE_S):
            return await answer

    async def _hear(self) -> None:
        async for message in self._line:
            if message.type is not WSMsgType.TEXT:
                continue
            told = json.loads(message.data)
            if (answer := self._waiting.pop(told.get("id", 0), None)) is not None:
                if not answer.done():
                    answer.set_result(told.get("result", told.get("error")))
            elif told.get("method") == "Network.requestWillBeSent":
                self._tabs[told["sessionId"]].asked.append(told["params"]["request"]["url"])
            elif told.get("method") == "Network.webSocketCreated":
                self._tabs[told["sessionId"]].asked.append(told["params"]["url"])

    async def tab(self, address: str = "", *, strangers: bool = False) -> Tab:
        """A new one. `strangers`: with no cookies of the others."""
        own = (
            (await self.do("Target.createBrowserContext"))["browserContextId"] if strangers else ""
        )
        context = {"browserContextId": own} if own else {}
        made = await self.do("Target.createTarget", url="about:blank", **context)
        told = await self.do("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        tab = self._tabs[told["sessionId"]] = Tab(self, told["sessionId"])
        for domain in ("Network", "Page", "Runtime"):
            await tab.do(f"{domain}.enable")
        if address:
            await tab.open(address)
        return tab


def _started(command: Sequence[str], folder: Path) -> "subprocess.Popen[bytes]":
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


@asynccontextmanager
async def chromium(folder: Path, *flags: str) -> AsyncIterator[Browser]:
    """Until the block is left. `folder`: for its profile."""
    assert CHROMIUM is not None
    own = f"--user-data-dir={folder}"
    process = _started([CHROMIUM, *_FLAGS, own, *flags, "about:blank"], folder)
    try:
        async with asyncio.timeout(PATIENCE_S):
            told = folder / "DevToolsActivePort"
            while not told.exists() or len(told.read_text().split()) < 2:
                assert process.poll() is None, (folder / "log").read_text()
                await asyncio.sleep(_LOOK_S)
        port, path = told.read_text().split()
        async with (
            ClientSession() as session,
            session.ws_connect(f"ws://127.0.0.1:{port}{path}", max_msg_size=0) as line,
        ):
            yield Browser(line)
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait, PATIENCE_S)
