"""The language server: what an editor asks, answered from the texts that it has open."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from time import monotonic

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument
from xdsl.context import Context

from ...dialects.diagnostics import Fault, HtpError, fail, proposals
from ...dialects.version import VERSION
from ...runtime.installed.environment import Environment
from ...runtime.tools.errors import explain
from ..testing.programs import OURS
from ..testing.syntax import RunLine, ShellCommand, Substitutions
from ..tools.expected import expectations
from .answers import completions, definition, formatted, hover, references, renamed, symbols
from .live_text import LiveText
from .project import packages_of_project
from .protocol import Protocol
from .run_lines import QUOTED, commands, is_comment, run_line_faults
from .statements import NameToken

_PAUSE = 0.05
"""Seconds after a keystroke, without another one, before faults are sent."""
_PATIENCE = 0.1
"""Seconds after a keystroke, up to which requests wait until the text is read."""
_SLICE = 0.03
"""Seconds of reading, after which requests have their turn."""
_MOST = 4000
"""The characters of a test's output that the editor shows, the last ones."""
_SOURCE = "htp-mlir"
_RUN, _SHOW = "htp.runTest", "htp.showIR"
_Run = Callable[..., Awaitable[dict[str, object]]]


class OpenText(LiveText):
    """A text that is open in the editor: its version and its places."""

    def __init__(self, document: TextDocument, ctx: Context) -> None:
        super().__init__(document.path or document.uri, ctx)
        self.uri, self.codec = document.uri, document.position_codec
        self.reading: Iterator[None] | None = None
        """The reading that goes on, None at the end of the text."""
        self.typed = 0.0
        """The time of the last keystroke."""
        self.is_kept = False
        """The text was read once; the collector passes over what it had then."""
        self.take(lsp.TextDocumentContentChangeWholeDocument(document.source))

    def take(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        """Take over a change of the editor's."""
        text = change.text.replace("\r\n", "\n").replace("\r", "\n")
        if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
            self.write(text)
        else:
            _, first, start = self.at(change.range.start)
            _, last, end = self.at(change.range.end)
            text = self.lines[first][:start] + text + self.lines[last][end:]
            self.edit(first, last + 1, text.split("\n"))
        self.reading, self.typed = self.read(), monotonic()

    def at(self, place: lsp.Position) -> tuple[LiveText, int, int]:
        """Return the text, and the line and the column of a place of the editor's."""
        if place.line >= len(self.lines):
            return self, len(self.lines) - 1, len(self.lines[-1])
        # The codec expects lines with their ends.
        line, here = self.lines[place.line], lsp.Position(0, place.character)
        position = self.codec.position_from_client_units([f"{line}\n"], here)
        return self, place.line, min(position.character, len(line))

    def range(self, line: int, start: int, end: int, last: int = -1) -> lsp.Range:
        """Return a part of a line, or up to a column of a later one, in the editor's units."""
        places = ((line, start), (max(last, line), end))
        return lsp.Range(*(lsp.Position(at, self._units(at, column)) for at, column in places))

    def _units(self, line: int, column: int) -> int:
        before = self.lines[line][:column]
        # The codec counts each character in Python.
        return len(before) if before.isascii() else self.codec.client_num_units(before)

    def location(self, token: NameToken) -> lsp.Location:
        """Return the place of a name."""
        place = self.range(token.line, token.column, token.column + len(token.name))
        return lsp.Location(self.uri, place)

    def diagnostic(self, fault: Fault) -> lsp.Diagnostic:
        """Write a fault as the protocol does: the words of the tools."""
        line, column = (fault.place.line - 1, fault.place.column - 1) if fault.place else (0, 0)
        place = self.range(line, column, column + fault.width)
        message = f"{fault.problem}\n  {fault.remedy}"
        return lsp.Diagnostic(place, message, lsp.DiagnosticSeverity.Error, source=_SOURCE)


class HtpServer(LanguageServer):
    """Answers an editor about the texts that it has open, with the packages in use.

    An environment has the packages that it is called with, beside those of all texts. What is shown
    lies in a `folder`, which goes with the server.
    """

    def __init__(self, environment: Callable[..., Environment]) -> None:
        super().__init__("htp-lsp", VERSION, protocol_cls=Protocol)
        self.environment = environment
        self.texts: dict[str, OpenText] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.folder = TemporaryDirectory(prefix="htp-lsp-", ignore_cleanup_errors=True)
        for method, answer in _ANSWERS.items():
            self.feature(method, _OPTIONS.get(method))(partial(_answer, self, answer))
        self.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(_opened)
        self.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(_closed)
        # The handler of pygls is a generator, and of each call of one a future is kept for ever.
        self.protocol.fm.builtin_features[lsp.TEXT_DOCUMENT_DID_CHANGE] = partial(_edited, self)
        self.command(_RUN)(_command(_run_test))
        self.command(_SHOW)(_command(_show_ir))

    def text(self, uri: str) -> OpenText:
        """Return a text up to its last keystroke, with the packages of its project.

        HtpError for one that is not open: no file is read because a message names it.
        """
        if uri not in self.texts:
            document = self.workspace.get_text_document(uri)
            if document.version is None:
                raise fail(uri, "is not open", "open it in the editor first")
            use = self.environment()
            with self.refusing(uri):
                use = self.environment(*packages_of_project(Path(document.path).parent))
            self.texts[uri] = OpenText(document, use.context())
        return self.texts[uri]

    def open(self, uri: str, patience: float = _PATIENCE) -> OpenText:
        """Return a text, read as far as there is time for since its last keystroke."""
        text = self.text(uri)
        end = max(text.typed + patience, monotonic() + _SLICE)
        while text.reading and monotonic() < end:
            if next(text.reading, self) is self:
                text.reading = None
        return text

    async def publish(self, uri: str) -> None:
        """Read a text to its end, unless another keystroke comes, and send its faults."""
        await asyncio.sleep(_PAUSE)
        while (text := self.open(uri, 0)).reading:
            await asyncio.sleep(0)
        if not text.is_kept:
            text.is_kept = True
            _collect()
        source = "\n".join(each if is_comment(each) else "" for each in text.lines)
        awaited = set[int | None]()
        with suppress(HtpError):
            awaited.update(each.line for each in expectations(source, "", 0).members)
        faults = [*text.faults, *run_line_faults(source, text.name)]
        shown = [
            text.diagnostic(each)
            for each in faults
            if each.place and each.place.line not in awaited
        ]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown))

    @contextmanager
    def refusing(self, where: str) -> Iterator[None]:
        """Show why what is inside cannot be done."""
        try:
            yield
        except (HtpError, OSError, UnicodeError) as error:
            self.show("\n".join(explain(error, where).lines()))

    def show(self, text: str, kind: lsp.MessageType = lsp.MessageType.Error) -> None:
        """Have the editor show a message."""
        self.window_show_message(lsp.ShowMessageParams(kind, text))


def _collect() -> None:
    """Collect what nothing has any more; to look at the rest again would delay an answer."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _answer(
    server: HtpServer, answer: Callable[..., object], params: lsp.DocumentSymbolParams
) -> object:
    """Answer a request about a text, or show why not."""
    uri = params.text_document.uri
    with server.refusing(uri):
        return answer(server.open(uri), params)
    return None


def _opened(server: HtpServer, params: lsp.DidOpenTextDocumentParams) -> None:
    # It may be open already.
    server.texts.pop(params.text_document.uri, None)
    _changed(server, params)


def _changed(
    server: HtpServer, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams
) -> None:
    uri = params.text_document.uri
    if uri in server.tasks:
        server.tasks[uri].cancel()
    server.tasks[uri] = asyncio.create_task(server.publish(uri))


def _edited(server: HtpServer, params: lsp.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    with server.refusing(uri):
        for change in params.content_changes:
            server.text(uri).take(change)
        _changed(server, params)


def _closed(server: HtpServer, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    if uri in server.tasks:
        server.tasks.pop(uri).cancel()
    server.texts.pop(uri, None)
    _collect()
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _hover(text: OpenText, params: lsp.HoverParams) -> lsp.Hover | None:
    lines = hover(*text.at(params.position))
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n".join(["```mlir", *lines, "```"]))
    return lsp.Hover(content) if lines else None


def _complete(text: OpenText, params: lsp.CompletionParams) -> lsp.CompletionList:
    _, line, column = text.at(params.position)
    start, offers = completions(text, line, column)
    place = text.range(line, start, column)
    items = [
        lsp.CompletionItem(label, detail=detail, text_edit=lsp.TextEdit(place, label))
        for label, detail in dict(offers).items()
    ]
    return lsp.CompletionList(is_incomplete=True, items=items)


def _define(text: OpenText, params: lsp.DefinitionParams) -> lsp.Location | None:
    token = definition(*text.at(params.position))
    return text.location(token) if token else None


def _refer(text: OpenText, params: lsp.ReferenceParams) -> list[lsp.Location]:
    places = references(*text.at(params.position), params.context.include_declaration)
    return [*map(text.location, places)]


def _rename(text: OpenText, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    new = f"%{params.new_name.removeprefix('%')}"
    places = map(text.location, renamed(*text.at(params.position), new))
    return lsp.WorkspaceEdit({text.uri: [lsp.TextEdit(each.range, new) for each in places]})


def _symbols(text: OpenText, _: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    answers = []
    ends = {scope.head.line: scope.end for scope in text.scopes if scope.depth}
    for token, op in symbols(text):
        end = ends.get(token.line, token.line + 1) - 1
        whole = text.range(token.line, 0, len(text.lines[end]), end)
        kind = lsp.SymbolKind.Function if op.regions else lsp.SymbolKind.Variable
        place = text.location(token).range
        answers.append(lsp.DocumentSymbol(token.name, kind, whole, place, detail=op.name))
    return answers


def _fold(text: OpenText, _: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    return [lsp.FoldingRange(each.head.line, each.end - 1) for each in text.scopes if each.depth]


def _format(text: OpenText, _: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    return [
        lsp.TextEdit(text.range(old.line, 0, len(text.lines[old.end - 1]), old.end - 1), new)
        for old, new in formatted(text)
    ]


def _fix(text: OpenText, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Offer the names that a fault proposes in place of the one that is not known."""
    actions = []
    for shown in params.context.diagnostics:
        ((_, line, start), (_, _, end)) = map(text.at, (shown.range.start, shown.range.end))
        word = QUOTED.search(shown.message.partition("\n")[0])
        if word and (column := text.lines[line].find(word[1])) >= 0:
            start, end = column, column + len(word[1])
        place = text.range(line, start, end)
        # What a substitution holds is shown at its whole line.
        is_name = shown.source == _SOURCE and " " not in text.lines[line][start:end]
        for name in proposals(shown.message) if is_name else ():
            edit = lsp.WorkspaceEdit({text.uri: [lsp.TextEdit(place, name)]})
            kind = lsp.CodeActionKind.QuickFix
            actions.append(lsp.CodeAction(f"write {name}", kind, [shown], edit=edit))
    return actions


def _lenses(text: OpenText, _: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    lenses, every = [], list[tuple[RunLine, ShellCommand]]()
    with suppress(HtpError):
        every += commands("\n".join(text.lines), text.name)
    for index, (line, command) in enumerate(every):
        tests = (("run this test", _RUN, False), ("update its checks", _RUN, True))
        shown = [("show the IR after the passes", _SHOW, index)] * (command.words[0] == "htp-opt")
        for title, name, argument in [*(() if index else tests), *shown]:
            call = lsp.Command(title, name, arguments=[text.uri, argument])
            lenses.append(lsp.CodeLens(text.range(line.line - 1, 0, 0), call))
    return lenses


def _command(run: _Run) -> _Run:
    """Have a command that cannot be run show why."""

    @wraps(run)
    async def shown(server: HtpServer, uri: str, about: object) -> dict[str, object]:
        with server.refusing(uri):
            return await run(server, uri, about)
        return {"status": 1, "output": ""}

    return shown


async def _run_test(server: HtpServer, uri: str, update: bool) -> dict[str, object]:
    """Run the test of a file that is saved, maybe to update it; tell how it ended."""
    text = server.text(uri)
    path = Path(text.name)
    if not path.exists() or path.read_text(encoding="utf-8-sig") != "\n".join(text.lines):
        raise fail(str(path), "is not saved", "save the file first")
    flags = ["--update-checks"] * update
    command = ["-m", "pytest", "-q", "-o", "htp_mlir=true", *flags, str(path)]
    status, output = await _process(command, path.parent)
    kind = lsp.MessageType.Error if status else lsp.MessageType.Info
    server.show(output.strip()[-_MOST:], kind)
    return {"status": status, "output": output}


async def _show_ir(server: HtpServer, uri: str, index: int) -> dict[str, object]:
    """Run the htp-opt of a RUN line on the text as it is now, and show the module."""
    text = server.text(uri)
    now, folder = "\n".join(text.lines), Path(server.folder.name)
    source = folder / Path(text.name).name
    source.write_text(now, encoding="utf-8")
    every = [*commands(now, text.name)]
    if index not in range(len(every)):
        raise fail(text.name, f"has no command {index}", "choose a RUN line that is there")
    _, command = every[index]
    values = Substitutions(source, folder / "scratch")
    words = [values.in_word(word) for word in command.words[1:]]
    module = OURS["htp-opt"].partition(":")[0]
    call = ["-c", f"from {module} import main; main()", *words]
    status, output = await _process(call, Path(text.name).parent)
    shown = folder / f"{source.stem}.after.mlir"
    shown.write_text(f"// htp-opt {join(words)}\n{output}" if status else output, "utf-8")
    window = server.client_capabilities.window
    if window and window.show_document and window.show_document.support:
        params = lsp.ShowDocumentParams(shown.as_uri(), take_focus=True)
        await server.window_show_document_async(params)
    else:
        server.show(f"see {shown}", lsp.MessageType.Info)
    return {"status": status, "path": str(shown)}


async def _process(arguments: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run Python, away from the streams of the protocol; return its status and what it printed."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout.decode(errors="replace")


_ANSWERS: dict[str, Callable[..., object]] = {
    lsp.TEXT_DOCUMENT_HOVER: _hover,
    lsp.TEXT_DOCUMENT_COMPLETION: _complete,
    lsp.TEXT_DOCUMENT_DEFINITION: _define,
    lsp.TEXT_DOCUMENT_REFERENCES: _refer,
    lsp.TEXT_DOCUMENT_RENAME: _rename,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _symbols,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: _fold,
    lsp.TEXT_DOCUMENT_FORMATTING: _format,
    lsp.TEXT_DOCUMENT_CODE_ACTION: _fix,
    lsp.TEXT_DOCUMENT_CODE_LENS: _lenses,
}
_OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=list("%.{<=,@(-")),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
}
