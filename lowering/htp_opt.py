"""`htp-opt`: xDSL's optimiser driver with our passes, frontends and short errors."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import IO, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.xdsl_opt_main import xDSLOptMain

from ..dialects.diagnostics import fail


class HtpOpt(xDSLOptMain):
    """The driver: every flag of xdsl-opt, and `--dim`, `--elide-constants`, `--debug`."""

    version_format: ClassVar[str] = "htp-opt built from xdsl version {xdsl_version}"

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.add_argument(
            "--dim",
            action="append",
            default=[],
            metavar="NAME=SIZE",
            help="Fix a symbolic dim of the model; may be given several times",
        )
        arg_parser.add_argument(
            "--elide-constants",
            type=int,
            metavar="N",
            help="Print constants of more than N elements as a handle; for reading only",
        )
        arg_parser.add_argument(
            "--debug", action="store_true", help="Show the traceback of an error"
        )

    def register_all_frontends(self) -> None:
        super().register_all_frontends()
        from ..runtime.loading import frontends

        for suffix in frontends():
            self.available_frontends[suffix] = self._load_model

    def _load_model(self, io: IO[bytes]) -> ModuleOp:
        from ..runtime.loading import load_with_frontend

        if self.args.input_file is None:
            raise fail("htp-opt", "a model is read from a file, not from standard input")
        suffix = self.args.frontend or Path(self.args.input_file).suffix.lstrip(".")
        return load_with_frontend(
            suffix, Path(self.args.input_file), dims=parse_dims(self.args.dim)
        )
