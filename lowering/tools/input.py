"""The input of `htp-opt`: text in pieces, or a model that a frontend reads."""

from __future__ import annotations

from codecs import BOM_UTF8
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.xdsl_opt_main import xDSLOptMain

from ...dialects.diagnostics import fail
from ...dialects.faults.op_faults import invalid
from ...dialects.faults.source_lines import STDIN_NAME
from ...runtime.tools.errors import explain
from ...runtime.tools.flags.model_flags import parse_constants, parse_dims
from ...runtime.tools.flags.resource_flags import own_constants
from ...runtime.tools.reading.verifying import verify_outside_in
from .instruments.verification import INVALID
from .pieces import Piece

if TYPE_CHECKING:
    from ...runtime.tools.reading.source import LocatingParser


class InputDriver(xDSLOptMain):
    """xDSL's driver with our parser and frontends, and short errors about what they read."""

    _piece: Piece
    _source: LocatingParser | None = None

    def register_all_frontends(self) -> None:
        from ...runtime.tools.reading.loading import frontends

        self.available_frontends["mlir"] = self._parse_text
        for suffix in frontends():
            self.available_frontends[suffix] = partial(self._load_model, suffix)

    def _parse_text(self, io: IO[bytes]) -> ModuleOp:
        from ...runtime.tools.reading.attaching import attach
        from ...runtime.tools.reading.source import LocatingParser

        arguments, name = self.args, self._input_name()
        kept = (ParseError,) * arguments.parsing_diagnostics
        kept += (VerifyException,) * arguments.verify_diagnostics
        # The driver adds the lines before a piece to errors that it prints itself.
        line = 0 if arguments.parsing_diagnostics else self._piece[1]
        self._source = source = LocatingParser(self.ctx, io.read().decode(), name, line)
        module = source.module(not arguments.no_implicit_module, kept)
        attach(module, source.handles, name, arguments.resources_from)
        return module

    def _load_model(self, suffix: str, io: IO[bytes]) -> ModuleOp:
        from ...runtime.tools.reading.loading import load_with_frontend

        if self.args.input_file is None:
            problem = "a model is read from a file, not from standard input"
            raise fail("htp-opt", problem, "name the file")
        if self.args.resources_from is not None:
            raise own_constants(self.args.resources_from)
        dims, constants = parse_dims(self.args.dim), parse_constants(self.args.const)
        return load_with_frontend(
            suffix,
            self.args.input_file,
            dims=dims,
            constants=constants,
            ctx=self.ctx,
            fallback=self.args.fallback,
        )

    def prepare_input(self) -> tuple[list[Piece], str]:
        return [self._piece], self._suffix()

    def _suffix(self) -> str:
        suffix = Path(self.args.input_file or "-.mlir").suffix[1:].lower()
        return str(self.args.frontend or suffix)

    def _pieces(self) -> list[Piece]:
        """Return the input, or the pieces that `--split-input-file` cuts it into."""
        suffix = self._suffix()
        if suffix not in self.available_frontends:
            from ...runtime.tools.reading.loading import unknown_suffix

            raise unknown_suffix(self.args.input_file, self.available_frontends, "--frontend NAME")
        # The driver goes by the suffix as it is written.
        self.args.frontend = suffix
        return super().prepare_input()[0]

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        if file_extension != "mlir":
            return super().parse_chunk(chunk, file_extension, start_offset)
        from ...runtime.tools.reading.loading import refuse_fixed
        from ...runtime.tools.reading.text_guard import check_text

        refuse_fixed(parse_dims(self.args.dim), parse_constants(self.args.const))
        if self.args.fallback:
            raise fail("--fallback", "text has its ops already", "leave it out")
        name = self._input_name()
        try:
            text = chunk.read().removeprefix(BOM_UTF8)
            check_text(text.decode(), name, start_offset)
            return super().parse_chunk(BytesIO(text), file_extension, start_offset)
        except (UnicodeDecodeError, RecursionError, MemoryError, OverflowError) as error:
            raise explain(error, name) from error

    def _input_name(self) -> str:
        return str(self.args.input_file or STDIN_NAME)

    def _verify_input(self, module: ModuleOp) -> None:
        if self.args.disable_verify or self.args.verify_diagnostics:
            return
        try:
            verify_outside_in(module)
        except VerifyException as error:
            if self._source is not None:
                raise self._source.invalid(error) from error
            raise invalid(error, self._input_name(), INVALID) from error
