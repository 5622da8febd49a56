"""The C preprocessor: macros, #if and #include of files that exist in the folders allowed.

Around pcpp, which is quick to trust its input: everything it may do is bounded here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NoReturn, Protocol

from pcpp.preprocessor import Action, OutputDirective, Preprocessor

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.locations import shown_path
from .kit import Kit, qnn_names
from .text import (
    MAX_EXPANDED,
    MAX_INCLUDE_DEPTH,
    MAX_INCLUDED,
    MAX_INCLUDES,
    MAX_KIT_DEPTH,
    MAX_LOOKED_AT,
    MAX_MACRO_DEPTH,
    MAX_SHIFT,
    SourceText,
    read_text,
)
from .tokens import Piece, Token, tokens_of

PACKAGE_NAME = "THIS_PKG_NAME"
MAX_MESSAGE = 120
_PIECE = 100
_ENDS = (";", "}", ")")
_GOES_ON = ("(", ")", ",")
_NEEDS_OPERAND = ("if", "elif", "ifdef", "ifndef", "undef", "define", "include", "pragma")


class PcppToken(Protocol):
    """The part of pcpp's tokens that is used."""

    type: str
    value: str
    source: str
    lineno: int


PcppTokens = list[PcppToken]


@dataclass
class Unit:
    """One source file after preprocessing, with all that it includes.

    `names`, `declared` and `ops` are what comments say: names of rules, where functions are
    declared, and declarations of ops by place.
    """

    tokens: list[Token]
    names: Mapping[tuple[str, int], str]
    package: str | None
    faults: list[Fault] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    declared: Mapping[str, str] = field(default_factory=dict)
    ops: Mapping[str, str] = field(default_factory=dict)
    source: Path = Path()


class _Exhausted(Exception):
    """The macros make more than is allowed."""


class _Bounded(Preprocessor):
    """pcpp with budgets; it keeps the rule language's own names from being macros."""

    def __init__(
        self,
        folders: Sequence[Path],
        is_reserved: Callable[[str], bool],
        package: str | None,
        kit: Kit,
    ) -> None:
        super().__init__()
        self.own_name: str | None = None
        self._renamed = package is not None
        self.folders = folders
        self._kit = kit
        self._of_kit: dict[Path, int] = {}
        self.is_reserved = is_reserved
        self.names: dict[tuple[str, int], str] = {}
        self.declared: dict[str, str] = {}
        self.ops: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.missing: list[str] = []
        self._expanded = 0
        self._looked_at = 0
        self._inside = 0
        self._includes: Counter[str] = Counter()
        self._included = 0
        self._condition = False
        self.define("__cplusplus 201703L")
        if package is not None:
            self.define(f"{PACKAGE_NAME} {package}")

    def note(self, text: SourceText, path: Path) -> str:
        """Return the text of a file; what its comments say is remembered."""
        where = shown_path(path)
        for macro, name in qnn_names(text.text).items():
            if macro not in self.macros:
                self.define(f'{macro} "{name}"')
        self.names.update({(where, line): name for line, name in text.names.items()})
        self.declared.update({name: f"{where}:{line}" for name, line in text.functions.items()})
        self.ops.update({f"{where}:{line}": op for line, op in text.ops.items()})
        if text.unclosed is not None:
            fault = Fault(f"{where}:{text.unclosed}", "is a comment that never ends", "add '*/'")
            self.faults += [] if fault in self.faults else [fault]
        return text.text

    def expand_macros(self, tokens: PcppTokens, expanding_from: Sequence[str] = ()) -> PcppTokens:
        """Expand within the budget: nested expansion counts, plain text does not."""
        if self._inside or self._condition:
            return self._expand(tokens, expanding_from)
        return [token for piece in _apart(tokens) for token in self._expand(piece, ())]

    def _expand(self, tokens: PcppTokens, expanding_from: Sequence[str]) -> PcppTokens:
        self._expanded += len(tokens) if self._inside else 0
        too_deep = max(len(expanding_from), self._inside) > MAX_MACRO_DEPTH
        if self._expanded > MAX_EXPANDED or too_deep:
            raise _Exhausted
        self._inside += 1
        try:
            expanded: PcppTokens = super().expand_macros(tokens, list(expanding_from))
        finally:
            self._inside -= 1
        if self._condition and not self._inside:
            # A shift by a computed or large count would fill the memory.
            texts = [token.value for token in expanded if token.value.strip()]
            for before, count in zip(texts, [*texts[1:], ""], strict=True):
                small = count.isdecimal() and len(count) < 3 and int(count) <= MAX_SHIFT
                if before in ("<<", ">>") and not small:
                    raise ValueError(f"shift by {count}")
        return expanded

    def collect_args(
        self, tokenlist: PcppTokens, ignore_errors: bool = False
    ) -> tuple[int, list[PcppTokens], list[int]]:
        """Collect a macro's operands within the budget: each call copies all that follows it."""
        self._looked_at += len(tokenlist)
        if self._looked_at > MAX_LOOKED_AT:
            raise _Exhausted
        count, args, positions = super().collect_args(tokenlist, ignore_errors)
        return count, args, positions

    def evalexpr(self, tokens: PcppTokens) -> tuple[int, None]:
        """Return a condition's value; what cannot be computed is false."""
        self._condition = True
        try:
            value, _ = super().evalexpr(tokens)
        except (ArithmeticError, LookupError, SyntaxError, TypeError, ValueError) as error:
            directive = self.lastdirective
            self.on_error(directive.source, directive.lineno, f"no value: {error}")
            return 0, None
        finally:
            self._condition = False
        return int(value), None

    def on_file_open(self, is_system: bool, path: str) -> StringIO:
        """Open an included file in an allowed folder; OSError tells pcpp that there is none."""
        file = Path(path)
        real = file.resolve()
        if not file.is_file() or not any(real.is_relative_to(folder) for folder in self.folders):
            raise OSError
        if self._kit.holds(real):
            # Each file once, within a budget of the kit's own.
            once = "" if real in self._of_kit else self._kit.directives(real)
            self._of_kit.setdefault(real, len(once))
            if sum(self._of_kit.values()) > MAX_INCLUDED or self.include_depth > MAX_KIT_DEPTH:
                raise OutputDirective(Action.IgnoreAndRemove)
            return StringIO(once)
        self._includes[path] += 1
        if self._includes[path] > MAX_INCLUDES or self.include_depth > MAX_INCLUDE_DEPTH:
            self._refuse_more(path)
        try:
            text = self.note(read_text(file), file)
        except HtpError as error:
            self._refuse(error.faults[0])
        self._included += len(text)
        if self._included > MAX_INCLUDED:
            self._refuse_more(path)
        return StringIO(text)

    def _refuse_more(self, path: str) -> NoReturn:
        self._refuse(Fault(shown_path(path), "is included too often or too deeply", "passed over"))

    def _refuse(self, fault: Fault) -> NoReturn:
        """List a file once and go on without it."""
        if fault not in self.faults:
            self.faults.append(fault)
        raise OutputDirective(Action.IgnoreAndRemove)

    def on_include_not_found(
        self, is_malformed: bool, is_system: bool, folder: str, path: str
    ) -> NoReturn:
        """Remember the name and go on without the file; the kit may lack what it likes."""
        if path not in self.missing and not self._kit.holds(Path(folder).resolve()):
            self.missing.append(path)
        raise OutputDirective(Action.IgnoreAndRemove)

    def on_error(self, file: str, line: int, message: str) -> None:
        """List what pcpp complains of, in a line of bearable length; of the kit nothing."""
        if self._kit.holds(Path(file)):
            return
        short = message if len(message) < MAX_MESSAGE else f"{message[:MAX_MESSAGE]}..."
        problem = " ".join(short.split())
        self.faults.append(Fault(f"{shown_path(file)}:{line}", problem, "check the directive"))

    def on_directive_handle(
        self, directive: PcppToken, operands: PcppTokens, passing: bool, before: PcppTokens
    ) -> bool:
        """Directives without their operand, and #define of a reserved name, have no effect."""
        super().on_directive_handle(directive, operands, passing, before)
        name = directive.value
        if name in _NEEDS_OPERAND and not operands:
            self.on_error(directive.source, directive.lineno, f"#{name} without an operand")
            raise OutputDirective(Action.IgnoreAndRemove)
        if name in ("define", "undef") and self._keeps(operands):
            raise OutputDirective(Action.IgnoreAndRemove)
        return True

    def _keeps(self, operands: PcppTokens) -> bool:
        """Tell whether a macro stays unchanged: a word of the language, or the caller's name."""
        if self._renamed and operands[0].value == PACKAGE_NAME:
            self.own_name = self.own_name or _text(operands[1:])
            return True
        return self.is_reserved(operands[0].value)

    def on_directive_unknown(
        self, directive: PcppToken, operands: PcppTokens, passing: bool, before: PcppTokens
    ) -> bool:
        """Drop #error, #pragma and the like."""
        return True


def preprocess(
    path: Path,
    folders: Sequence[Path],
    is_reserved: Callable[[str], bool],
    package: str | None = None,
    kit: Kit | None = None,
    defines: Iterable[str] = (),
) -> Unit:
    """Return a source file's tokens after preprocessing.

    Included files are looked for, and allowed, in `folders` only. `package` is the value of
    THIS_PKG_NAME, if any, and `defines` are macros, `NAME=VALUE`. Of the kit's files only the
    macros are read. HtpError where the file itself cannot be read.
    """
    text = read_text(path)
    engine = _Bounded(folders, is_reserved, package, kit or Kit())
    for folder in folders:
        engine.add_path(str(folder))
    engine.rewrite_paths.clear()
    for macro in defines:
        engine.define(" ".join(macro.split("=", 1)) if "=" in macro else f"{macro} 1")
    engine.parse(engine.note(text, path), str(path.resolve()))
    tokens = tokens_of(_pieces(engine, path))
    name = engine.own_name or _package_name(engine)
    said = (engine.declared, engine.ops)
    return Unit(tokens, engine.names, name, engine.faults, engine.missing, *said)


def _pieces(engine: _Bounded, path: Path) -> Iterator[Piece]:
    """pcpp's tokens as long as it goes well; it may raise anything at all on odd input."""
    line, resolved = 1, str(path.resolve())
    files = {resolved: shown_path(path)}
    try:
        while (token := engine.token()) is not None:
            line, source = token.lineno, token.source or resolved
            if source not in files:
                files[source] = shown_path(source)
            yield Piece(token.value.strip(), files[source], line)
    except _Exhausted:
        problem = f"macros expand to more than {MAX_EXPANDED} tokens or {MAX_MACRO_DEPTH} levels"
        engine.faults.append(Fault(f"{shown_path(path)}:{line}", problem, "the rest was not read"))
    except (Exception, RecursionError) as error:
        problem = f"the preprocessor cannot go on ({type(error).__name__})"
        engine.faults.append(Fault(f"{shown_path(path)}:{line}", problem, "the rest was not read"))


def _apart(tokens: PcppTokens) -> Iterator[PcppTokens]:
    """Tokens in pieces that no macro call reaches over.

    pcpp replaces macros inside one list, so that its time grows with the square of the length.
    """
    start, depth, ended = 0, 0, False
    for index, token in enumerate(tokens):
        text = token.value
        if not text.strip():
            continue
        if ended and not depth and index - start >= _PIECE and text not in _GOES_ON:
            yield tokens[start:index]
            start = index
        depth += (text == "(") - (text == ")")
        ended = text in _ENDS
    yield tokens[start:]


def _package_name(engine: _Bounded) -> str | None:
    macro = engine.macros.get(PACKAGE_NAME)
    return None if macro is None else _text(macro.value)


def _text(tokens: PcppTokens) -> str | None:
    return "".join(token.value for token in tokens).strip().strip('"') or None
