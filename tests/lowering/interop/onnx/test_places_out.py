"""A model that was written from a user's module tells errors and reports where that is."""

from pathlib import Path

import onnx
import pytest
from htp_mlir.lowering import load_module, save_onnx
from htp_mlir.lowering.frontend.onnx.preparation.nodes import UserPlace, user_place
from htp_mlir.lowering.tools.htp_opt import run
from onnx import helper

pytestmark = pytest.mark.needs("torch")

NET = """
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.norm = nn.Linear(8, 8), nn.LayerNorm(8)

    def forward(self, x):
        y = self.norm(self.fc(x))
        return y.tanh()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Block(), Block())

    def forward(self, x):
        return self.layers(x)
"""
LAYER, ACTIVATION = (
    next(n for n, line in enumerate(NET.splitlines(), 1) if text in line)
    for text in ("self.fc(x)", "tanh")
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that was written from the program of a module in a file."""
    import torch

    folder = tmp_path_factory.mktemp("places")
    file = folder / "net.py"
    file.write_text(NET, encoding="utf-8")
    names: dict[str, type[torch.nn.Module]] = {}
    exec(compile(NET, str(file), "exec"), names)
    program = torch.export.export(names["Net"]().eval(), (torch.zeros(2, 8),))
    torch.export.save(program, folder / "net.pt2")
    save_onnx(load_module(folder / "net.pt2"), folder / "net.onnx")
    return folder


def test_each_node_has_the_line_and_the_module(written: Path) -> None:
    nodes = onnx.load(written / "net.onnx").graph.node
    wanted = {
        UserPlace(f"{written}/net.py:{line}", f"layers.{number}{part}")
        for number in (0, 1)
        for line, part in ((LAYER, ".fc"), (LAYER, ".norm"), (ACTIVATION, ""))
    }
    assert {user_place(node) for node in nodes} == wanted
    assert [node.name for node in nodes if node.op_type == "Tanh"] == ["tanh", "tanh_1"]


def test_an_error_names_the_line_and_the_module(written: Path) -> None:
    passes = "htp-lower{level=placed},htp-schedule,htp-allocate{tcm-bytes=64}"
    done = run([str(written / "net.onnx"), "-p", passes])
    assert done.status == 1
    place = f"{written}/net.py:{LAYER}:1: "
    assert done.err.startswith(place)
    assert " in layers.0.fc: needs " in done.err.splitlines()[0]


def test_an_error_of_the_import_names_the_line_and_the_module(written: Path) -> None:
    model = onnx.load(written / "net.onnx")
    for node in model.graph.node:
        node.op_type = "Det" if node.op_type == "Tanh" else node.op_type
    onnx.save(model, written / "odd.onnx")
    done = run([str(written / "odd.onnx")])
    assert done.status == 1
    told = (
        f"'tanh{n}' in layers.{i} at {written}/net.py:{ACTIVATION}" for i, n in ((0, ""), (1, "_1"))
    )
    assert done.err.startswith(f"2 nodes (Det): {', '.join(told)}: ")


def test_a_report_names_them(written: Path) -> None:
    done = run([str(written / "net.onnx"), "-p", "htp-lower", "-t", "memory-report"])
    assert done.status == 0
    assert f"'linear_1' in layers.1.fc at {written}/net.py:{LAYER}:1" in done.out


def test_a_node_in_place_of_others_has_their_place(written: Path) -> None:
    model = onnx.load(written / "net.onnx")
    (first, *_) = (node for node in model.graph.node if node.op_type == "Tanh")
    numbers = {"alpha": 1 / 6, "beta": 0.5}
    sigmoid = helper.make_node("HardSigmoid", first.input, ["s"], name="gate", **numbers)
    sigmoid.metadata_props.extend(first.metadata_props)
    first.op_type, first.input[:] = "Mul", [*first.input, "s"]
    model.graph.node.insert([*model.graph.node].index(first), sigmoid)
    onnx.save(model, written / "gated.onnx")
    words = ["-p", "qti-raise", "-t", "onnx", "-o", str(written / "raised.onnx")]
    assert run([str(written / "gated.onnx"), *words]).err.startswith("2 nodes replaced by ")
    nodes = onnx.load(written / "raised.onnx").graph.node
    place = UserPlace(f"{written}/net.py:{ACTIVATION}", "layers.0")
    assert {n.op_type for n in nodes if user_place(n) == place} == {"HardSwish"}
