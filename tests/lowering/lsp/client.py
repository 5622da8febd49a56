"""A client of the language server: JSON-RPC to the real one, which runs in a process."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from htp_mlir.dialects.diagnostics import Fault
from htp_mlir.lowering.lsp.live_text import LiveText
from htp_mlir.runtime.installed.environment import environment
from xdsl.context import Context

_TIMEOUT = 120
_START = "from htp_mlir.lowering.lsp import main; main()"


class WholeText(LiveText):
    """A text that is read to its end at each edit."""

    def update(self, text: str) -> Sequence[Fault]:
        """Read a new text; return the faults of all statements, in their order."""
        self.write(text)
        for _ in self.read():
            pass
        return self.faults


@cache
def context() -> Context:
    """Return the context of all texts, as a new one imports all dialects again."""
    return environment([]).context()


def live() -> WholeText:
    """Make an empty text."""
    return WholeText("model.mlir", context())


def faults(text: str) -> list[str]:
    """List the faults of a text as htp-opt prints them."""
    return [f"{fault.where}: {fault.problem}\n  {fault.remedy}" for fault in live().update(text)]


class Client:
    """Speaks with a server about one file; lines and columns count from 0."""

    def __init__(self, path: Path, *flags: str, shows: bool = True) -> None:
        self.path, self.uri = path, path.as_uri()
        self.version, self.number, self.log = 0, 0, ""
        self.messages: Queue[dict[str, Any]] = Queue()
        self.notes: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        Thread(target=self._read, daemon=True).start()
        capabilities = {"window": {"showDocument": {"support": shows}}}
        parameters = {"processId": None, "rootUri": None, "capabilities": capabilities}
        self.capabilities = self.ask("initialize", parameters)["capabilities"]
        self.tell("initialized", {})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        """End the server in its own way; it must have written no traceback."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        _, errors = self.process.communicate(timeout=_TIMEOUT)
        self.log = errors.decode().strip()
        assert "Traceback" not in self.log, self.log

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            size = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self.messages.put(json.loads(stream.read(size)))

    def _write(self, message: dict[str, Any]) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send(self, data: bytes) -> None:
        """Send bytes as the body of a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def tell(self, method: str, parameters: object) -> None:
        """Send a notification."""
        self._write({"method": method, "params": parameters})

    def answer(self, method: str, parameters: object) -> dict[str, Any]:
        """Send a request; return the whole answer, which may be an error."""
        self.number += 1
        self._write({"id": self.number, "method": method, "params": parameters})
        while True:
            message = self.messages.get(timeout=_TIMEOUT)
            if "method" not in message and message.get("id") == self.number:
                return message
            self._take(message)

    def ask(self, method: str, parameters: object) -> Any:
        """Send a request; return the result."""
        answer = self.answer(method, parameters)
        assert "error" not in answer, answer
        return answer["result"]

    def shown(self) -> str:
        """Return the last message that the server had the editor show."""
        shown = (note for note in self.notes if note["method"] == "window/showMessage")
        return str([*shown][-1]["params"]["message"])

    def resident(self) -> float:
        """Return the mebibytes that the server takes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        size = re.search(r"VmRSS:\s+(\d+)", status)
        return int(size[1]) / 1024 if size else 0.0

    def _take(self, message: dict[str, Any]) -> None:
        self.notes.append(message)
        if "id" in message and "method" in message:
            self._write({"id": message["id"], "result": {"success": True}})

    def open(self, text: str) -> list[dict[str, Any]]:
        """Open the file with a text; return the diagnostics."""
        self.path.write_text(text, encoding="utf-8")
        document = {"uri": self.uri, "languageId": "mlir", "version": 0, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.diagnostics()

    def edit(self, line: int, start: int, end: int, text: str) -> list[dict[str, Any]]:
        """Replace a part of a line; return the diagnostics after it."""
        self.type(line, start, end, text)
        return self.diagnostics()

    def type(self, line: int, start: int, end: int, text: str) -> None:
        """Replace a part of a line."""
        self.version += 1
        place = {
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": end},
        }
        self.tell(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": place, "text": text}],
            },
        )

    def diagnostics(self) -> list[dict[str, Any]]:
        """Wait for the next diagnostics."""
        while True:
            message = self.messages.get(timeout=_TIMEOUT)
            if message.get("method") == "textDocument/publishDiagnostics":
                shown: list[dict[str, Any]] = message["params"]["diagnostics"]
                return shown
            self._take(message)

    def about(self, method: str, line: int = 0, column: int = 0, **more: object) -> Any:
        """Ask about a place of the file."""
        return self.ask(f"textDocument/{method}", self.place(line, column, **more))

    def place(self, line: int, column: int, **more: object) -> dict[str, object]:
        """Return the parameters of a request about a place."""
        position = {"line": line, "character": column}
        return {"textDocument": {"uri": self.uri}, "position": position, **more}
