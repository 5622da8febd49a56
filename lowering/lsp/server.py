"""The language server: what an editor asks, answered from the texts that it has open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import join
from tempfile import mkdtemp
from time import monotonic
from typing import Protocol

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace.position_codec import ServerTextPosition

from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.suggestions import proposals
from ...dialects.version import VERSION
from ...runtime.installed.environment import Environment
from ..testing.programs import OURS
from ..testing.substitutions import Substitutions
from ..tools.expected import expectations
from .answers import completions, definition, hover, references, renamed, symbols
from .formatting import formatted
from .live_text import LiveText
from .run_lines import QUOTED, commands, run_line_faults
from .statements import NameToken

_PAUSE = 0.05
"""Seconds after a keystroke, without another one, before faults are sent."""
_PATIENCE = 0.15
"""Seconds that a request waits for a text to be read; then it is answered from what was read."""
_SLICE = 0.03
"""Seconds of reading, after which requests have their turn."""
_MOST = 4000
"""The characters of a test's output that the editor shows, the last ones."""
_RUN, _SHOW = "htp.runTest", "htp.showIR"


@dataclass
class OpenText:
    """A text that is open in the editor, its version, and what is wrong in it."""

    live: LiveText
    version: int | None = None
    reading: Iterator[None] | None = None
    """The reading that goes on, None at the end of the text."""
    faults: Sequence[Fault] = ()


class AtPlace(Protocol):
    """The parameters of a request about a place in a text."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class HtpServer(LanguageServer):
    """Answers an editor about the texts that it has open, with the packages in use."""

    def __init__(self, environment: Environment) -> None:
        super().__init__("htp-lsp", VERSION)
        self.environment = environment
        self.texts: dict[str, OpenText] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def open(self, uri: str, seconds: float = _PATIENCE) -> OpenText:
        """Return a text up to its last keystroke, read as far as there is time for."""
        document = self.workspace.get_text_document(uri)
        if uri not in self.texts:
            live = LiveText(document.path or uri, self.environment.context())
            self.texts[uri] = OpenText(live)
        text = self.texts[uri]
        if text.version is None or text.version != document.version:
            text.version = document.version
            text.reading = text.live.read(document.source.replace("\r", " "))
        elif text.reading:
            # A long text: another request has waited for it.
            seconds = _SLICE
        end = monotonic() + seconds
        while text.reading and monotonic() < end:
            if next(text.reading, self) is self:
                text.reading = None
        return text

    def range(self, uri: str, line: int, start: int, end: int, last: int = -1) -> lsp.Range:
        """Return a part of a line, or up to a column of a later one, in the editor's units."""
        document = self.workspace.get_text_document(uri)
        places = (ServerTextPosition(line, start), ServerTextPosition(max(last, line), end))
        return lsp.Range(*map(document.position_to_client_units, places))

    def at(self, params: AtPlace) -> tuple[LiveText, int, int]:
        """Return the text, the line and the column that a request is about."""
        uri = params.text_document.uri
        live = self.open(uri).live
        document = self.workspace.get_text_document(uri)
        place = document.position_from_client_units(params.position)
        line = min(place.line, len(live.lines) - 1)
        return live, line, min(place.character, len(live.lines[line]))

    def place(self, uri: str, token: NameToken) -> lsp.Range:
        """Return the place of a name."""
        return self.range(uri, token.line, token.column, token.column + len(token.name))

    async def publish(self, uri: str) -> None:
        """Read a text to its end, unless another keystroke comes, and send its faults."""
        await asyncio.sleep(_PAUSE)
        while (text := self.open(uri, _SLICE)).reading:
            await asyncio.sleep(0)
        source = "\n".join(text.live.lines)
        faults, awaited = run_line_faults(source, text.live.name), _expected(source)
        places = ((fault, fault.place) for fault in (*text.live.faults, *faults))
        text.faults = [fault for fault, place in places if place and place.line not in awaited]
        shown = [self.diagnostic(uri, fault) for fault in text.faults]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown))

    def diagnostic(self, uri: str, fault: Fault) -> lsp.Diagnostic:
        """Write a fault as the protocol does: the words of the tools."""
        line, column = (fault.place.line - 1, fault.place.column - 1) if fault.place else (0, 0)
        place = self.range(uri, line, column, column + fault.width)
        message = f"{fault.problem}\n  {fault.remedy}"
        return lsp.Diagnostic(place, message, lsp.DiagnosticSeverity.Error, source="htp-mlir")

    def refuse(self, error: HtpError) -> None:
        """Show why a request is not answered."""
        text = "\n".join(error.lines())
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, text))


def _expected(source: str) -> set[int | None]:
    """Return the lines whose errors the text expects."""
    try:
        return {each.line for each in expectations(source, "", 0).members}
    except HtpError:
        return set()


def make_server(environment: Environment) -> HtpServer:
    """Make the server."""
    server = HtpServer(environment)
    for method, answer in _ANSWERS.items():
        server.feature(method, _OPTIONS.get(method))(answer)
    # The handler of pygls is a generator, and of each call of one a future is kept for ever.
    server.protocol.fm.builtin_features[lsp.TEXT_DOCUMENT_DID_CHANGE] = partial(_edited, server)
    server.command(_RUN)(_run_test)
    server.command(_SHOW)(_show_ir)
    return server


def _changed(
    server: HtpServer, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams
) -> None:
    uri = params.text_document.uri
    if uri in server.tasks:
        server.tasks[uri].cancel()
    server.tasks[uri] = asyncio.create_task(server.publish(uri))


def _edited(server: HtpServer, params: lsp.DidChangeTextDocumentParams) -> None:
    for change in params.content_changes:
        server.workspace.update_text_document(params.text_document, change)
    _changed(server, params)


def _closed(server: HtpServer, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    if uri in server.tasks:
        server.tasks.pop(uri).cancel()
    server.texts.pop(uri, None)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _hover(server: HtpServer, params: lsp.HoverParams) -> lsp.Hover | None:
    lines = hover(*server.at(params))
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n".join(["```mlir", *lines, "```"]))
    return lsp.Hover(content) if lines else None


def _complete(server: HtpServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    live, line, column = server.at(params)
    start, offers = completions(live, line, column)
    place = server.range(params.text_document.uri, line, start, column)
    return [
        lsp.CompletionItem(label, detail=detail, text_edit=lsp.TextEdit(place, label))
        for label, detail in dict(offers).items()
    ]


def _define(server: HtpServer, params: lsp.DefinitionParams) -> lsp.Location | None:
    uri, token = params.text_document.uri, definition(*server.at(params))
    return lsp.Location(uri, server.place(uri, token)) if token else None


def _refer(server: HtpServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    uri = params.text_document.uri
    return [lsp.Location(uri, server.place(uri, each)) for each in references(*server.at(params))]


def _rename(server: HtpServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    uri, new = params.text_document.uri, f"%{params.new_name.removeprefix('%')}"
    try:
        places = renamed(*server.at(params), new)
    except HtpError as error:
        server.refuse(error)
        return None
    return lsp.WorkspaceEdit({uri: [lsp.TextEdit(server.place(uri, each), new) for each in places]})


def _symbols(server: HtpServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    uri = params.text_document.uri
    live, answers = server.open(uri).live, []
    ends = {scope.line: scope.end for scope in live.scopes if scope.depth}
    for token, op in symbols(live):
        end = ends.get(token.line, token.line + 1) - 1
        whole = server.range(uri, token.line, 0, len(live.lines[end]), end)
        kind = lsp.SymbolKind.Function if op.regions else lsp.SymbolKind.Variable
        place = server.place(uri, token)
        answers.append(lsp.DocumentSymbol(token.name, kind, whole, place, detail=op.name))
    return answers


def _fold(server: HtpServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    scopes = server.open(params.text_document.uri).live.scopes
    return [lsp.FoldingRange(each.line, each.end - 1) for each in scopes if each.depth]


def _format(server: HtpServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    uri = params.text_document.uri
    live, edits = server.open(uri).live, []
    try:
        for old, new in formatted(live):
            place = server.range(uri, old.line, 0, len(live.lines[old.end - 1]), old.end - 1)
            edits.append(lsp.TextEdit(place, new))
    except HtpError as error:
        server.refuse(error)
        return None
    return edits


def _fix(server: HtpServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Offer the names that a fault proposes in place of the one that is not known."""
    uri, actions = params.text_document.uri, []
    text = server.open(uri)
    for fault in text.faults:
        shown = server.diagnostic(uri, fault)
        line, place = shown.range.start.line, shown.range
        if not params.range.start.line <= line <= params.range.end.line < len(text.live.lines):
            continue
        word = QUOTED.search(fault.problem)
        if word and (column := text.live.lines[line].find(word[1])) >= 0:
            place = server.range(uri, line, column, column + len(word[1]))
        for name in proposals(f"{fault.remedy} {fault.problem}"):
            edit = lsp.WorkspaceEdit({uri: [lsp.TextEdit(place, name)]})
            kind = lsp.CodeActionKind.QuickFix
            actions.append(lsp.CodeAction(f"write {name}", kind, [shown], edit=edit))
    return actions


def _lenses(server: HtpServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    uri, lenses = params.text_document.uri, []
    try:
        every = [*commands(server.workspace.get_text_document(uri).source)]
    except HtpError:
        return []
    for index, (line, command) in enumerate(every):
        tests = (("run this test", _RUN, False), ("update its checks", _RUN, True))
        shown = ("show the IR after the passes", _SHOW, index)
        is_opt = command.words[0] == "htp-opt"
        for title, name, argument in [*(() if index else tests), *([shown] if is_opt else ())]:
            call = lsp.Command(title, name, arguments=[uri, argument])
            lenses.append(lsp.CodeLens(server.range(uri, line.line - 1, 0, 0), call))
    return lenses


async def _run_test(server: HtpServer, uri: str, update: bool) -> dict[str, object]:
    """Run the test of a file that is saved, maybe to update it; tell how it ended."""
    document = server.workspace.get_text_document(uri)
    path = Path(document.path)
    if not path.exists() or path.read_text(encoding="utf-8-sig") != document.source:
        server.refuse(fail(str(path), "is not saved", "save the file first"))
        return {"status": 1, "output": ""}
    flags = ["--update-checks"] * update
    command = ["-m", "pytest", "-q", "-o", "htp_mlir=true", *flags, str(path)]
    status, output = await _process(command, path.parent)
    kind = lsp.MessageType.Error if status else lsp.MessageType.Info
    server.window_show_message(lsp.ShowMessageParams(kind, output.strip()[-_MOST:]))
    return {"status": status, "output": output}


async def _show_ir(server: HtpServer, uri: str, index: int) -> dict[str, object]:
    """Run the htp-opt of a RUN line on the text as it is now, and show the module."""
    document = server.workspace.get_text_document(uri)
    folder = Path(mkdtemp(prefix="htp-lsp-"))
    source = folder / Path(document.path).name
    source.write_text(document.source, encoding="utf-8")
    _, command = [*commands(document.source)][index]
    values = Substitutions(source, folder / "scratch")
    words = [values.in_word(word) for word in command.words[1:]]
    module = OURS["htp-opt"].partition(":")[0]
    call = ["-c", f"from {module} import main; main()", *words]
    status, output = await _process(call, Path(document.path).parent)
    shown = folder / f"{source.stem}.after.mlir"
    shown.write_text(f"// htp-opt {join(words)}\n{output}" if status else output, "utf-8")
    window = server.client_capabilities.window
    if window and window.show_document:
        params = lsp.ShowDocumentParams(shown.as_uri(), take_focus=True)
        await server.window_show_document_async(params)
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
    lsp.TEXT_DOCUMENT_DID_OPEN: _changed,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _closed,
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
