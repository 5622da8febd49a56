"""The input of `htp-opt`: text in pieces, or a model that a frontend reads."""

from argparse import Namespace
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

from ...dialects.diagnostics import HtpError, fail, listed
from ...dialects.faults.op_faults import STDIN_NAME, invalid
from ...runtime.files.budget import read_bytes
from ...runtime.tools.errors import explain
from ...runtime.tools.flags import own_constants, parse_constants, parse_dims, refuse_overwriting
from ...runtime.tools.loading import (
    TEXT,
    attach,
    frontends,
    load_with_frontend,
    refuse_fixed,
    unknown_suffix,
)
from ...runtime.tools.source import LocatingParser, check_text, verify_outside_in
from .instruments.printing import INVALID

_CUT = b"// -----"
SEPARATOR = "// -----\n"
"""The line between the outputs of two pieces."""


@dataclass(frozen=True)
class InputPiece:
    """A piece of the input: its text, the lines before it, its number from 1 on and their count.

    A model that a frontend reads is one piece without text.
    """

    data: bytes = b""
    line: int = 0
    number: int = 1
    count: int = 1

    @property
    def place(self) -> int:
        """The number of the piece; 0 where the input is whole."""
        return self.number if self.count > 1 else 0

    def fault(self, error: HtpError) -> HtpError:
        """Say in each fault of an error in which piece it is, and where that begins."""
        # A piece begins behind the separator, and its text on the next line.
        begin = self.line + 2 if self.number > 1 else 1
        piece = f"(piece {self.number} of {self.count}, from line {begin} on)"
        said = (replace(fault, problem=f"{fault.problem} {piece}") for fault in error.faults)
        return HtpError(*said)


@dataclass(frozen=True)
class Read:
    """A module that was read, and the parser that knows the places of its ops, of text."""

    module: ModuleOp
    source: LocatingParser | None = None


def name_of(flags: Namespace) -> str:
    """Return the name of the input in errors."""
    return str(flags.input_file or STDIN_NAME)


def suffix_of(flags: Namespace) -> str:
    """Return the suffix that the input is read by; HtpError where nothing reads such files."""
    known = [TEXT, *frontends()]
    if flags.frontend and flags.frontend not in known:
        problem = f"argument -f/--frontend: invalid choice: '{flags.frontend}'"
        raise fail("htp-opt", problem, listed(flags.frontend, known))
    suffix = flags.frontend or Path(flags.input_file or f"-.{TEXT}").suffix[1:].lower()
    if suffix not in known:
        raise unknown_suffix(flags.input_file, known, "--frontend NAME")
    return str(suffix)


def pieces_of(flags: Namespace) -> Sequence[InputPiece]:
    """Return the input, or the pieces that `--split-input-file` cuts it into."""
    if suffix_of(flags) != TEXT:
        return [InputPiece()]
    data = read_bytes(flags.input_file or None)
    cut = data.split(_CUT) if flags.split_input_file else [data]
    lines = accumulate((piece.count(b"\n") for piece in cut), initial=0)
    numbered = enumerate(zip(cut, lines, strict=False), 1)
    return [InputPiece(data, line, number, len(cut)) for number, (data, line) in numbered]


def read_piece(flags: Namespace, ctx: Context, piece: InputPiece) -> Read:
    """Read a piece of text, or the model of the input file."""
    suffix = suffix_of(flags)
    return _text(flags, ctx, piece) if suffix == TEXT else _model(flags, ctx, suffix)


def _text(flags: Namespace, ctx: Context, piece: InputPiece) -> Read:
    refuse_fixed(parse_dims(flags.dim), parse_constants(flags.const))
    if flags.fallback:
        raise fail("--fallback", "text has its ops already", "leave it out")
    name = name_of(flags)
    kept = (ParseError,) * flags.parsing_diagnostics
    kept += (VerifyException,) * flags.verify_diagnostics
    try:
        text = piece.data.removeprefix(BOM_UTF8).decode()
        check_text(text, name, piece.line)
        source = LocatingParser(ctx, text, name, piece.line)
        module = source.module(not flags.no_implicit_module, kept)
        constants = attach(module, source.handles, name, flags.resources_from)
    except (UnicodeDecodeError, RecursionError, MemoryError, OverflowError) as error:
        raise explain(error, name) from error
    # A text and its constants may be written anew together, not the constants alone.
    if Path(name).resolve() != Path(flags.output_file or "").resolve():
        refuse_overwriting({"--resources": flags.resources}, [constants])
    return Read(module, source)


def _model(flags: Namespace, ctx: Context, suffix: str) -> Read:
    if flags.input_file is None:
        problem = "a model is read from a file, not from standard input"
        raise fail("htp-opt", problem, "name the file")
    if flags.resources_from is not None:
        raise own_constants(flags.resources_from)
    module = load_with_frontend(
        suffix,
        flags.input_file,
        dims=parse_dims(flags.dim),
        constants=parse_constants(flags.const),
        ctx=ctx,
        fallback=flags.fallback,
    )
    return Read(module)


def verify_input(flags: Namespace, read: Read) -> None:
    """Verify a module that was read; HtpError shows the line of the first bad op."""
    if flags.disable_verify or flags.verify_diagnostics:
        return
    try:
        verify_outside_in(read.module)
    except VerifyException as error:
        if read.source is not None:
            raise read.source.invalid(error) from error
        raise invalid(error, name_of(flags), INVALID) from error


def printed(flags: Namespace, error: DiagnosticException | ParseError) -> bool:
    """Print an error of a parser or a verifier where flags ask for it, as xdsl-opt does."""
    asked = flags.parsing_diagnostics if isinstance(error, ParseError) else flags.verify_diagnostics
    if asked:
        print(error)
        print(*getattr(error, "__notes__", ()), sep="\n", end="")
    return bool(asked)
