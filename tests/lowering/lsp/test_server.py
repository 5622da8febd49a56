"""The real server in a process, asked as an editor asks it."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from htp_mlir.runtime.installed.environment import environment

from .client import Client

pytestmark = [pytest.mark.needs("pygls"), pytest.mark.slow]

T = "tensor<1x8x8x4xf32>"
TEXT = f"""// RUN: htp-opt %s -p htp-lower | filecheck %s
// CHECK: htp.Relu
func.func @main(%x: {T}) -> {T} {{
  // The first op.
  %y = qti_aisw.Relu(%x) : ({T}) -> {T}
  %z = qti_aisw.Relu(%y) : ({T}) -> {T}
  func.return %z : {T}
}}
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(tmp_path_factory.mktemp("lsp") / "model.mlir") as client:
        assert client.open(TEXT) == []
        yield client


def column(line: int, text: str) -> int:
    return TEXT.split("\n")[line].index(text)


def messages(diagnostics: list[dict[str, Any]]) -> list[str]:
    return [each["message"] for each in diagnostics]


def test_several_faults_are_shown_at_once_and_go_when_they_are_mended(client: Client) -> None:
    name = column(4, "Relu")
    assert len(client.edit(4, name, name + 4, "Rleu")) == 1
    first, second = client.edit(5, name, name + 4, "Reul")
    assert first["message"] == (
        "Operation qti_aisw.Rleu is not registered\n  did you mean 'qti_aisw.Relu'?"
    )
    assert first["range"]["start"] == {"line": 4, "character": column(4, "qti_aisw")}
    where = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 9}}
    (action,) = client.about("codeAction", range=where, context={"diagnostics": [first]})
    (edit,) = action["edit"]["changes"][client.uri]
    assert edit == {"range": first["range"], "newText": "qti_aisw.Relu"}
    both = client.about("codeAction", range=where, context={"diagnostics": [first, second]})
    assert [each["title"] for each in both] == ["write qti_aisw.Relu"] * 2
    foreign = {**first, "source": "another server"}
    assert client.about("codeAction", range=where, context={"diagnostics": [foreign]}) == []
    client.edit(4, name, name + 4, "Relu")
    assert second["range"]["start"]["line"] == 5
    assert client.edit(5, name, name + 4, "Relu") == []


def test_a_text_that_is_opened_again_is_the_new_one(client: Client) -> None:
    assert len(client.open(TEXT.replace("qti_aisw.Relu(%y)", "qti_aisw.Relu(%q)"))) == 1
    assert client.open(TEXT) == []


def test_a_verifier_speaks_while_another_line_cannot_be_read(client: Client) -> None:
    end = len(TEXT.split("\n")[4])
    wrong = f"qti_aisw.Relu(%x) : ({T}) -> tensor<1x8x8x3xf32>"
    begin = column(4, "qti_aisw")
    client.edit(5, begin, end, "qti_aisw.Relu(%y")
    shown = messages(client.edit(4, begin, end, wrong))
    assert shown[0].startswith("%y = qti_aisw.Relu: result 0 has shape 1x8x8x3")
    assert shown[1].startswith("')' expected")
    client.edit(4, begin, begin + len(wrong), TEXT.split("\n")[4][begin:])
    assert client.edit(5, begin, begin + 16, TEXT.split("\n")[5][begin:]) == []


def test_run_and_check_lines_have_faults(client: Client) -> None:
    begin = column(0, "htp-lower")
    (shown,) = client.edit(0, begin, begin + 9, "htp-lowr")
    assert shown["message"] == "unknown pass 'htp-lowr'\n  did you mean 'htp-lower'?"
    assert shown["range"]["start"] == {"line": 0, "character": begin}
    client.edit(0, begin, begin + 8, "htp-lower")
    (shown,) = client.edit(1, 10, 18, "[[X]]")
    assert shown["message"].startswith("Variable X referenced before assignment\n")
    assert client.edit(1, 10, 15, "htp.Relu") == []


def test_a_flag_is_mended_alone(client: Client) -> None:
    at, new = column(0, " -p"), " twice --verify-eahc"
    (shown,) = client.edit(0, at, at, new)
    (action,) = client.about("codeAction", range=shown["range"], context={"diagnostics": [shown]})
    (edit,) = action["edit"]["changes"][client.uri]
    assert edit["newText"] == "--verify-each"
    places = [edit["range"][each]["character"] for each in ("start", "end")]
    assert places == [at + len(" twice "), at + len(new)]
    assert client.edit(0, at, at + len(new), "") == []


def test_hover_describes_ops_values_and_passes(client: Client) -> None:
    def text(line: int, word: str) -> str:
        answer = client.about("hover", line, column(line, word) + 1)
        return str(answer["contents"]["value"])

    assert "graph op, converted by" in text(4, "Relu")
    assert f"{T}\nflat in ddr, 1024 bytes" in text(5, "%y")
    assert "tcm-bytes (int | None)" in text(0, "htp-lower")
    assert "func.func @main" in text(2, "@main")


def test_completion_knows_ops_values_params_and_passes(client: Client) -> None:
    def labels(line: int, after: str) -> list[str]:
        at = TEXT.split("\n")[line].index(after) + len(after)
        return [each["label"] for each in client.about("completion", line, at)["items"]]

    assert "qti_aisw.Softmax" in labels(4, "qti_aisw.")
    assert labels(5, "(%") == ["%x", "%y", "%z"]
    assert "htp-fold" in labels(0, "-p ")
    client.edit(0, len(TEXT.split("\n")[0]), len(TEXT.split("\n")[0]), " -p 'htp-lower{level=")
    end = len(TEXT.split("\n")[0]) + len(" -p 'htp-lower{level=")
    levels = client.about("completion", 0, end)["items"]
    assert [each["label"] for each in levels] == ["graph", "native", "placed", "allocated"]
    client.edit(0, len(TEXT.split("\n")[0]), end, "")


def test_definition_references_symbols_and_folds(client: Client) -> None:
    at = column(5, "%y")
    assert client.about("definition", 5, at)["range"]["start"] == {"line": 4, "character": 2}
    used = client.about("references", 4, 3, context={"includeDeclaration": True})
    assert [each["range"]["start"]["line"] for each in used] == [4, 5]
    (symbol,) = client.about("documentSymbol")
    assert (symbol["name"], symbol["range"]["end"]["line"]) == ("@main", 7)
    assert client.about("foldingRange") == [{"startLine": 2, "endLine": 7}]


def test_rename_changes_a_value_everywhere_and_takes_no_name_in_use(client: Client) -> None:
    edits = client.about("rename", 4, 3, newName="first")["changes"][client.uri]
    assert [(e["range"]["start"]["line"], e["newText"]) for e in edits] == [
        (4, "%first"),
        (5, "%first"),
    ]
    assert client.about("rename", 4, 3, newName="z") is None
    assert client.shown() == "%z: is defined here already\n  choose another name"


def test_formatting_keeps_comments_and_names(client: Client) -> None:
    options = {"tabSize": 2, "insertSpaces": True}
    assert client.about("formatting", options=options) == []
    end = len(TEXT.split("\n")[4])
    client.edit(4, 0, end, f"%y=qti_aisw.Relu( %x ):({T})->{T} // why")
    (edit,) = client.about("formatting", options=options)
    assert edit["newText"] == TEXT.split("\n")[4] + "  // why"
    client.edit(
        4, 0, edit["range"]["end"]["character"], f"%y = qti_aisw.Relu( // why\n %x) : ({T}) -> {T}"
    )
    assert client.about("formatting", options=options) is None
    assert "a comment is inside an op\n  move it in front of the op" in client.shown()
    client.edit(5, 0, len(f" %x) : ({T}) -> {T}"), "")
    client.type(4, 0, 100, TEXT.split("\n")[4])
    assert client.edit(5, 0, 0, "") == []


def test_requests_are_answered_while_a_long_text_is_read(tmp_path: Path) -> None:
    lines = [f"  %v{n} = qti_aisw.Relu(%x) : ({T}) -> {T}" for n in range(3000)]
    text = TEXT.replace("  // The first op.", "\n".join(lines))
    with Client(tmp_path / "model.mlir") as client:
        document = {"uri": client.uri, "languageId": "mlir", "version": 0, "text": text}
        client.tell("textDocument/didOpen", {"textDocument": document})
        answer = client.about("hover", 3, lines[0].index("Relu"))
        assert "graph op, converted by" in answer["contents"]["value"]
        assert not any(note["method"].endswith("publishDiagnostics") for note in client.notes)
        client.type(3, 0, 4, "  %w")
        labels = [each["label"] for each in client.about("completion", 3, 4)["items"]]
        assert labels == ["%w0"]
        assert client.diagnostics() == []


def test_a_keystroke_in_an_op_looks_at_no_check_line(tmp_path: Path) -> None:
    checks = "// CHECK: [[X:a]] [[X]]\n" * 5000
    with Client(tmp_path / "model.mlir") as client:
        client.open(TEXT.replace("// CHECK: htp.Relu\n", checks))

        def least(line: int) -> float:
            """Return the seconds that a keystroke in a line takes, the least of three."""
            seconds = []
            for _ in range(3):
                begin = perf_counter()
                client.edit(line, 0, 0, " ")
                seconds.append(perf_counter() - begin)
            return min(seconds)

        assert least(5004) * 2 < least(7)


def test_changes_count_in_the_units_of_the_editor_and_may_end_lines_in_any_way() -> None:
    from htp_mlir.lowering.lsp.server import OpenText
    from lsprotocol import types as lsp
    from pygls.workspace import TextDocument

    document = TextDocument("file:///model.mlir", "// \U0001f60bab\r\n// c\n")
    text = OpenText(document, environment([]).context())

    def change(start: tuple[int, int], end: tuple[int, int], new: str) -> list[str]:
        place = lsp.Range(lsp.Position(*start), lsp.Position(*end))
        text.take(lsp.TextDocumentContentChangePartial(place, new))
        return text.lines

    assert change((0, 5), (0, 6), "x\r\n// y\r// z") == [
        "// \U0001f60bx",
        "// y",
        "// zb",
        "// c",
        "",
    ]
    assert change((1, 3), (2, 4), "") == ["// \U0001f60bx", "// b", "// c", ""]
    assert change((2, 3), (2, 99), "d") == ["// \U0001f60bx", "// b", "// d", ""]
    assert change((9, 0), (9, 0), "// e") == ["// \U0001f60bx", "// b", "// d", "// e"]


def test_a_text_that_is_not_open_is_not_read(tmp_path: Path) -> None:
    with Client(tmp_path / "model.mlir") as client:
        client.path.write_text(TEXT, encoding="utf-8")
        said = f"{client.uri}: is not open\n  open it in the editor first"
        assert client.about("hover", 4, 10) is None
        assert client.shown() == said
        client.notes.clear()
        client.type(0, 0, 0, "x")
        client.tell("textDocument/didClose", {"textDocument": {"uri": client.uri}})
        call = {"command": "htp.showIR", "arguments": [client.uri, 0]}
        assert client.ask("workspace/executeCommand", call)["status"] == 1
        shown = [each for each in client.notes if each["method"] == "window/showMessage"]
        assert [each["params"]["message"] for each in shown] == [said, said]
        client.open(TEXT)
        call["arguments"] = [client.uri, 7]
        assert client.ask("workspace/executeCommand", call)["status"] == 1
        assert client.shown().endswith("has no command 7\n  choose a RUN line that is there")


def test_a_path_may_hold_what_an_editor_writes_in_another_way(tmp_path: Path) -> None:
    with Client(tmp_path / "grün + blau.mlir") as client:
        assert "%20" in client.uri
        assert client.open(TEXT) == []
        assert client.about("hover", 4, 10)


def test_a_command_that_cannot_be_run_says_why(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with Client(folder / "model.mlir") as client:
        client.open(TEXT)
        run, _, show = (each["command"] for each in client.about("codeLens"))
        client.path.write_bytes(b"\xff")
        assert client.ask("workspace/executeCommand", run)["status"] == 1
        assert client.shown().startswith(f"{client.uri}: is no UTF-8 text\n")
        client.path.unlink()
        folder.rmdir()
        assert client.ask("workspace/executeCommand", show)["status"] == 1
        assert client.shown().startswith(f"{folder}: No such file or directory\n")


def test_a_place_beyond_the_end_is_that_of_the_end(client: Client) -> None:
    assert client.about("hover", 1000, 1000) is None
    assert client.edit(1000, 7, 9, "") == []
    assert client.about("documentSymbol")


def test_memory_does_not_grow_with_keystrokes(client: Client) -> None:
    def size(keystrokes: int) -> float:
        for _ in range(keystrokes // 2):
            client.type(3, 0, 0, " ")
            client.type(3, 0, 1, "")
        client.about("foldingRange")
        return client.resident()

    before = size(500)
    # Less than 300 bytes a keystroke: nothing is kept of any.
    assert size(3000) - before < 0.9


def test_a_text_that_is_closed_leaves_nothing(tmp_path: Path) -> None:
    lines = "\n".join(f"  %v{n} = qti_aisw.Relu(%x) : ({T}) -> {T}" for n in range(1000))
    with Client(tmp_path / "model.mlir") as client:

        def size(times: int) -> float:
            for _ in range(times):
                assert client.open(TEXT.replace("  // The first op.", lines)) == []
                client.tell("textDocument/didClose", {"textDocument": {"uri": client.uri}})
                client.diagnostics()
            return client.resident()

        before = size(2)
        # One text takes about 3.
        assert size(3) - before < 2


def test_lenses_run_the_test_update_it_and_show_the_module(tmp_path: Path) -> None:
    with Client(tmp_path / "model.mlir") as client:
        client.open(TEXT)
        run, update, show = (each["command"] for each in client.about("codeLens"))
        assert client.ask("workspace/executeCommand", run)["status"] == 0
        shown = client.ask("workspace/executeCommand", show)
        assert shown["status"] == 0
        assert "htp.Relu" in Path(shown["path"]).read_text(encoding="utf-8")
        assert any(note["method"] == "window/showDocument" for note in client.notes)
        client.edit(1, 10, 18, "htp.Neg ")
        assert client.ask("workspace/executeCommand", run)["status"] == 1
        assert "save the file first" in client.shown()
        client.path.write_text(TEXT.replace("CHECK: htp.Relu", "CHECK: htp.Neg "), "utf-8")
        failed = client.ask("workspace/executeCommand", run)
        assert failed["status"] == 1
        assert "htp.Neg" in failed["output"]
        assert client.ask("workspace/executeCommand", update)["status"] == 0
        assert "CHECK-NEXT" in client.path.read_text(encoding="utf-8")
    # What was shown goes with the server.
    assert not Path(shown["path"]).parent.exists()


def test_an_editor_that_shows_no_document_is_told_where_it_is(tmp_path: Path) -> None:
    with Client(tmp_path / "model.mlir", shows=False) as client:
        client.open(TEXT)
        show = client.about("codeLens")[2]["command"]
        shown = client.ask("workspace/executeCommand", show)
        assert client.shown() == f"see {shown['path']}"
        assert not any(note["method"] == "window/showDocument" for note in client.notes)
