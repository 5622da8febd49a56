"""A headless browser for tests of pages: Chromium, spoken to through its debugging pipe."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .hooks.needs import program

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")

_ON_PIPES = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Becomes the browser, which reads commands from 3 and answers on 4."""


class Page:
    """An open page. `errors` are the exceptions and console errors so far."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._session: str | None = None
        self._count = 0
        self._rest = b""
        self._events: list[dict[str, Any]] = []
        self.errors: list[str] = []

    def open(self, path: Path, width: int, height: int, dark: bool = False) -> None:
        """Load a file and wait until it is there; a width under 600 is a phone."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._take(self._read())

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def value(self, expression: str) -> Any:
        """What a JavaScript expression is, as JSON has it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise ValueError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"].get("value")

    def point_at(self, selector: str) -> None:
        """Move the mouse to the middle of the first element that a selector finds."""
        self.value(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        box = self.value(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])

    def click(self, selector: str) -> None:
        """Click an element."""
        self.value(f"document.querySelector({selector!r}).click()")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command and give its answer."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._sink, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise ValueError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])
            self._take(answer)

    def _take(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        params = event.get("params", {})
        if event["method"] == "Runtime.exceptionThrown":
            self.errors.append(params["exceptionDetails"]["text"])
        elif event["method"] == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif event["method"] == "Runtime.consoleAPICalled" and params["type"] == "error":
            self.errors.append(str(params["args"]))

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._source, 1 << 16)
            if not part:
                raise EOFError("the browser has ended")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


@contextmanager
def opened(path: Path, width: int = 1280, height: int = 900, dark: bool = False) -> Iterator[Page]:
    """A browser with this file open; it ends with the block."""
    command = program("chromium")
    if command is None:
        raise FileNotFoundError("no Chromium is installed")
    to_browser, sink = map(_high, os.pipe())
    source, from_browser = map(_high, os.pipe())
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", _ON_PIPES, str(to_browser), str(from_browser)),
                *(command, *FLAGS, f"--user-data-dir={profile}"),
            ],
            pass_fds=(to_browser, from_browser),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        try:
            page = Page(source, sink)
            page.open(path, width, height, dark)
            yield page
        finally:
            os.close(sink)
            os.close(source)
            process.terminate()
            process.wait(timeout=20)


def _high(descriptor: int) -> int:
    """The same pipe under a number that is not in the way of 3 and 4."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return high
