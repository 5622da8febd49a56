"""Tensors of texts without nodes are joined by their place, else by their structure."""

from pathlib import Path

from htp_mlir.lowering.tools import htp

TEXT = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = qti_aisw.ElementWiseNeg(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = qti_aisw.Tanh(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %2 : tensor<2x3xf32>
}
"""
TWICE = """  %1 = qti_aisw.ElementWiseAbs(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = qti_aisw.ElementWiseNeg(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = qti_aisw.Tanh(%3) : (tensor<2x3xf32>) -> tensor<2x3xf32>
"""


def joined(first: str, second: str, folder: Path) -> list[str]:
    """The tensors of the table that no name joins."""
    paths = [folder / "first.mlir", folder / "second.mlir"]
    for path, text in zip(paths, (first, second), strict=True):
        path.write_text(text)
    out = htp.run(["compare", str(paths[0]), str(paths[1])]).out
    return sorted(line[line.index("|") :] for line in out.splitlines() if "joined by" in line)


def test_the_same_ops_on_the_same_inputs_are_joined(tmp_path: Path) -> None:
    head, _, tail = TEXT.partition("  %1")
    other = head + TWICE + tail[tail.index("  func.return") :]
    assert joined(TEXT, other, tmp_path) == ["|qti_aisw.Relu (joined by structure)"]


def test_ops_of_one_place_are_joined(tmp_path: Path) -> None:
    """The Abs in front changes the structure of all, and not their places."""
    places = [f' loc("net.mlir":{line}:3)' for line in (2, 3, 4)]
    lines = TEXT.split("\n")
    lines[1:4] = [line + place for line, place in zip(lines[1:4], places, strict=True)]
    first = "\n".join(lines)
    front = "  %9 = qti_aisw.ElementWiseAbs(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    lines.insert(1, front)
    second = "\n".join(lines).replace("Relu(%x)", "Relu(%9)")
    assert joined(first, second, tmp_path) == [
        "|qti_aisw.ElementWiseNeg (joined by place)",
        "|qti_aisw.Relu (joined by place)",
    ]
