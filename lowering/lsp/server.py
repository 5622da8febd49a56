"""The language server: what an editor asks, answered from the texts that it has open."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from tempfile import mkdtemp
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
_RUN, _UPDATE, _SHOW = "htp.runTest", "htp.updateChecks", "htp.showIR"


@dataclass
class OpenText:
    """A text that is open in the editor, its version, and what is wrong in it."""

    live: LiveText
    version: int | None = None
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
        self.timers: dict[str, asyncio.TimerHandle] = {}

    def open(self, uri: str) -> OpenText:
        """Return a text, read up to its last keystroke."""
        document = self.workspace.get_text_document(uri)
        if uri not in self.texts:
            path = document.path or uri
            self.texts[uri] = OpenText(LiveText(path, self.environment.context()))
        text = self.texts[uri]
        if text.version is None or text.version != document.version:
            source = document.source.replace("\r", " ")
            faults = [*text.live.update(source), *run_line_faults(source, text.live.name)]
            awaited = _expected(source)
            places = ((fault, fault.place) for fault in faults)
            text.faults = [fault for fault, place in places if place and place.line not in awaited]
            text.version = document.version
        return text

    def range(self, uri: str, line: int, start: int, end: int, last: int = -1) -> lsp.Range:
        """Return a part of a line, or up to a column of a later one, in the editor's units."""
        places = ((line, start), (max(last, line), end))
        document = self.workspace.get_text_document(uri)
        first, behind = (
            document.position_to_client_units(ServerTextPosition(*place)) for place in places
        )
        return lsp.Range(first, behind)

    def at(self, params: AtPlace) -> tuple[LiveText, int, int]:
        """Return the text, the line and the column that a request is about."""
        uri = params.text_document.uri
        live = self.open(uri).live
        document = self.workspace.get_text_document(uri)
        place = document.position_from_client_units(params.position)
        line = min(place.line, len(live.lines) - 1)
        return live, line, min(place.character, len(live.lines[line]))

    def token(self, uri: str, token: NameToken) -> lsp.Range:
        """Return the place of a name."""
        return self.range(uri, token.line, token.column, token.column + len(token.name))

    def refuse(self, error: HtpError) -> None:
        """Show why a request is not answered."""
        text = "\n".join(error.lines())
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, text))

    def publish(self, uri: str) -> None:
        """Send the faults of a text."""
        every = [self.diagnostic(uri, fault) for fault in self.open(uri).faults]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, every))

    def diagnostic(self, uri: str, fault: Fault) -> lsp.Diagnostic:
        """Write a fault as the protocol does: the words of the tools."""
        line, column = (fault.place.line - 1, fault.place.column - 1) if fault.place else (0, 0)
        place = self.range(uri, line, column, column + fault.width)
        message = f"{fault.problem}\n  {fault.remedy}"
        return lsp.Diagnostic(place, message, lsp.DiagnosticSeverity.Error, source="htp-mlir")


def _expected(source: str) -> set[int | None]:
    """Return the lines whose errors the text expects."""
    if "expected-" not in source:
        return set()
    try:
        return {each.line for each in expectations(source, "", 0).members}
    except HtpError:
        return set()


def make_server(environment: Environment) -> HtpServer:
    """Make the server."""
    server = HtpServer(environment)
    for method, answer in _ANSWERS.items():
        server.feature(method, _OPTIONS.get(method))(answer)
    for name, command in _COMMANDS.items():
        server.command(name)(command)
    return server


def _opened(server: HtpServer, params: lsp.DidOpenTextDocumentParams) -> None:
    server.publish(params.text_document.uri)


def _changed(server: HtpServer, params: lsp.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    if uri in server.timers:
        server.timers[uri].cancel()
    loop = asyncio.get_running_loop()
    server.timers[uri] = loop.call_later(_PAUSE, server.publish, uri)


def _closed(server: HtpServer, params: lsp.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    if uri in server.timers:
        server.timers.pop(uri).cancel()
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
    return lsp.Location(uri, server.token(uri, token)) if token else None


def _refer(server: HtpServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    uri = params.text_document.uri
    return [lsp.Location(uri, server.token(uri, each)) for each in references(*server.at(params))]


def _rename(server: HtpServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    uri, new = params.text_document.uri, f"%{params.new_name.removeprefix('%')}"
    try:
        places = renamed(*server.at(params), new)
    except HtpError as error:
        server.refuse(error)
        return None
    edits = [lsp.TextEdit(server.token(uri, each), new) for each in places]
    return lsp.WorkspaceEdit(changes={uri: edits})


def _symbols(server: HtpServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    uri = params.text_document.uri
    live = server.open(uri).live
    ends = {scope.line: scope.end for scope in live.scopes.values() if scope.head}
    answers = []
    for token, op in symbols(live):
        end = ends.get(token.line, token.line + 1) - 1
        whole = server.range(uri, token.line, 0, len(live.lines[end]), end)
        kind = lsp.SymbolKind.Function if op.regions else lsp.SymbolKind.Variable
        place = server.token(uri, token)
        answers.append(lsp.DocumentSymbol(token.name, kind, whole, place, detail=op.name))
    return answers


def _fold(server: HtpServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    scopes = server.open(params.text_document.uri).live.scopes.values()
    return [lsp.FoldingRange(each.line, each.end - 1) for each in scopes if each.head]


def _format(server: HtpServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    uri = params.text_document.uri
    live = server.open(uri).live
    try:
        changes = list(formatted(live))
    except HtpError as error:
        server.refuse(error)
        return None
    edits = []
    for old, new in changes:
        place = server.range(uri, old.line, 0, len(live.lines[old.end - 1]), old.end - 1)
        edits.append(lsp.TextEdit(place, new))
    return edits


def _fix(server: HtpServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Offer the names that a fault proposes in place of the one that is not known."""
    uri, actions = params.text_document.uri, []
    text = server.open(uri)
    for fault in text.faults:
        shown = server.diagnostic(uri, fault)
        line = shown.range.start.line
        if not params.range.start.line <= line <= params.range.end.line:
            continue
        words = re.findall(QUOTED, fault.problem)
        column = text.live.lines[line].find(words[0]) if words else -1
        place = (
            server.range(uri, line, column, column + len(words[0])) if column >= 0 else shown.range
        )
        for name in proposals(f"{fault.remedy} {fault.problem}"):
            edit = lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(place, name)]})
            kind = lsp.CodeActionKind.QuickFix
            actions.append(lsp.CodeAction(f"write {name}", kind, [shown], edit=edit))
    return actions


def _lenses(server: HtpServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    uri = params.text_document.uri
    return list(_lenses_of(server, uri, "\n".join(server.open(uri).live.lines)))


def _lenses_of(server: HtpServer, uri: str, text: str) -> Iterator[lsp.CodeLens]:
    try:
        every = list(commands(text))
    except HtpError:
        return
    for index, (line, command) in enumerate(every):
        place = server.range(uri, line.line - 1, 0, 0)
        if index == 0:
            yield lsp.CodeLens(place, lsp.Command("run this test", _RUN, arguments=[uri]))
            yield lsp.CodeLens(place, lsp.Command("update its checks", _UPDATE, arguments=[uri]))
        if command.words[0] == "htp-opt":
            shown = lsp.Command("show the IR after the passes", _SHOW, arguments=[uri, index])
            yield lsp.CodeLens(place, shown)


async def _run_test(server: HtpServer, uri: str) -> dict[str, object]:
    return await _pytest(server, uri)


async def _update_checks(server: HtpServer, uri: str) -> dict[str, object]:
    return await _pytest(server, uri, "--update-checks")


async def _pytest(server: HtpServer, uri: str, *flags: str) -> dict[str, object]:
    """Run the test of a file that is saved; tell the editor how it ended."""
    document = server.workspace.get_text_document(uri)
    path = Path(document.path)
    if not path.exists() or path.read_text(encoding="utf-8-sig") != document.source:
        server.refuse(fail(str(path), "is not saved", "save the file first"))
        return {"status": 1, "output": ""}
    command = ["-m", "pytest", "-q", "-o", "htp_mlir=true", *flags, str(path)]
    status, output = await _process(command, path.parent)
    kind = lsp.MessageType.Error if status else lsp.MessageType.Info
    server.window_show_message(lsp.ShowMessageParams(kind, output.strip()[-_MOST:]))
    return {"status": status, "output": output}


_MOST = 4000
"""The characters of a test's output that the editor shows, the last ones."""


async def _show_ir(server: HtpServer, uri: str, index: int) -> dict[str, object]:
    """Run the htp-opt of a RUN line on the text as it is now, and show the module."""
    document = server.workspace.get_text_document(uri)
    folder = Path(mkdtemp(prefix="htp-lsp-"))
    source = folder / Path(document.path).name
    source.write_text(document.source, encoding="utf-8")
    _, command = list(commands(document.source))[index]
    values = Substitutions(source, folder / "scratch")
    words = [values.in_word(word) for word in command.words[1:]]
    module = OURS["htp-opt"].partition(":")[0]
    call = ["-c", f"from {module} import main; main()", *words]
    status, output = await _process(call, Path(document.path).parent)
    shown = folder / f"{source.stem}.after.mlir"
    shown.write_text(output if not status else f"// htp-opt {join(words)}\n{output}", "utf-8")
    window = server.client_capabilities.window
    if window and window.show_document:
        params = lsp.ShowDocumentParams(shown.as_uri(), take_focus=True)
        await server.window_show_document_async(params)
    return {"status": status, "path": str(shown)}


async def _process(arguments: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run Python, away from the streams of the protocol; return its status and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode(errors="replace")


_ANSWERS: dict[str, Callable[..., object]] = {
    lsp.TEXT_DOCUMENT_DID_OPEN: _opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _changed,
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
_COMMANDS: dict[str, Callable[..., object]] = {
    _RUN: _run_test,
    _UPDATE: _update_checks,
    _SHOW: _show_ir,
}
