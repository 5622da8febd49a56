"""The command `htp gui`: what keeps the app from its begin takes two lines."""

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp
from htp_mlir.lowering.tools.commands import gui

from ...support.faults import told


@pytest.mark.parametrize("library", gui.LIBRARIES)
def test_without_its_libraries_it_says_how_to_get_them(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name != library else None)
    outcome = htp.run(["gui"])
    assert (outcome.status, outcome.out) == (1, "")
    assert told(outcome.err) == [
        f"htp gui: {library} is not installed",
        "  pip install 'htp-mlir[gui]'",
    ]


@pytest.mark.needs(*gui.LIBRARIES)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.onnx"], "none.onnx: no such file"),
        (["none.mlir"], "none.mlir: No such file"),
        (["folder.mlir"], "folder.mlir: Is a directory"),
        (["noise.onnx"], "noise.onnx: is no ONNX model"),
        (["-p", "htp-lowr"], "unknown pass 'htp-lowr'"),
        (["--dim", "x"], "--dim: 'x' is no NAME=SIZE"),
        ([], "htp gui: this is no terminal"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_bad_input_takes_two_lines(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.mlir").mkdir()
    Path("noise.onnx").write_bytes(bytes(range(256)))
    outcome = htp.run(["gui", *words])
    assert (outcome.status, outcome.out) == (1, "")
    assert message in told(outcome.err)[0]
