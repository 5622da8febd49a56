"""The output target `stream-report`: rates, latencies and states of a model with Buffers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ....dialects.diagnostics import fail
from ....dialects.faults.suggestions import listed
from ...packages.loading import packages_of
from .as_json import as_json
from .stream import Stream, stream_of
from .text import as_text

TARGET = "stream-report"
_WRITERS = {"text": as_text, "json": as_json}


@dataclass(frozen=True)
class StreamReport(Target):
    """Tell of each output when it runs and how long a frame waits for it, as `text` or `json`.

    The module is at the graph level. HtpError for another level or format.
    Example: `htp-opt model.onnx -t stream-report`
    """

    name = TARGET

    format: str = "text"

    def __post_init__(self) -> None:
        if self.format not in _WRITERS:
            known = listed(self.format, tuple(_WRITERS))
            raise fail(TARGET, f"format '{self.format}' is not known", known)

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(self.text(stream_of(module, packages_of(ctx))))

    def text(self, stream: Stream) -> str:
        """Write a report that was made already."""
        return _WRITERS[self.format](stream)
