"""`htp-lsp`: a language server, so that an editor reads, checks and runs `.mlir` files."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec

from ...dialects.diagnostics import fail
from ...runtime.installed.environment import Environment, environment
from ...runtime.tools.flags import PACKAGES, package_settings
from ...runtime.tools.tool import Tool
from ...runtime.tools.verbs import ToolParser, add_flags


def _run(argv: Sequence[str]) -> None:
    text = "Answer an editor about .mlir files, on standard input and output."
    parser = ToolParser("htp-lsp", description=text)
    add_flags(parser, PACKAGES, of_program=True)
    arguments = parser.parse_args(argv)
    if find_spec("pygls") is None:
        raise fail("htp-lsp", "pygls is not installed", "pip install 'htp-mlir[lsp]'")
    from .server import HtpServer

    @cache
    def with_packages(*more: str) -> Environment:
        # What a package prints must not reach the editor.
        with redirect_stdout(sys.stderr):
            return environment([*arguments.package, *more], **package_settings(arguments))

    with_packages()
    HtpServer(with_packages).start_io()


main = Tool("htp-lsp", _run)
"""The command `htp-lsp`."""
