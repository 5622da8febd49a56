"""`htp-lsp`: a language server, so that an editor reads, checks and runs `.mlir` files."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from ...dialects.diagnostics import fail
from ...runtime.tools.flags import PACKAGES, packages_in_use
from ...runtime.tools.tool import Tool
from ...runtime.tools.verbs import ToolParser, add_flags


def _run(argv: Sequence[str]) -> None:
    text = "Answer an editor about .mlir files, on standard input and output."
    parser = ToolParser("htp-lsp", description=text)
    add_flags(parser, PACKAGES, of_program=True)
    arguments = parser.parse_args(argv)
    if find_spec("pygls") is None:
        raise fail("htp-lsp", "pygls is not installed", "pip install 'htp-mlir[lsp]'")
    from .server import make_server

    make_server(packages_in_use(arguments)).start_io()


main = Tool("htp-lsp", _run)
"""The command `htp-lsp`."""
