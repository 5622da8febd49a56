"""The peak of an import of a small model that makes as much as it may: within the budget."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.runtime.files.budget import INPUT_BYTES
from onnx import NodeProto, TensorProto, helper

N, SIDE, WINDOWS = 2**24, 2**12, 1364
OPSET = [helper.make_opsetid("", 20)]
INT, FLOAT = TensorProto.INT64, TensorProto.FLOAT

CODE = """from htp_mlir.lowering.tools.htp_opt import main
try:
    main()
finally:
    (line,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(line.split()[1])
"""
"""The tool, then its peak in KiB; `getrusage` would give the parent's where that is larger."""

Inputs = dict[str, tuple[int, tuple[int, ...]]]

MODELS: dict[str, tuple[NodeProto, Inputs, dict[str, np.ndarray]]] = {
    "Range": (
        helper.make_node("Range", ["zero", "n", "one"], ["y"]),
        {},
        {"zero": np.array(0), "n": np.array(N), "one": np.array(1)},
    ),
    "GatherElements": (
        helper.make_node("GatherElements", ["x", "i"], ["y"]),
        {"x": (FLOAT, (N // 2, 1, 2)), "i": (INT, (N // 2, 1, 2))},
        {},
    ),
    "DFT": (
        helper.make_node("DFT", ["x", "", "one"], ["y"]),
        {"x": (FLOAT, (1, SIDE, 2))},
        {"one": np.array(1)},
    ),
    "GridSample": (
        helper.make_node("GridSample", ["x", "i"], ["y"]),
        {"x": (FLOAT, (N, 1, 2, 2)), "i": (FLOAT, (N, 1, 1, 2))},
        {},
    ),
    "DeformConv": (
        helper.make_node("DeformConv", ["x", "w", "i"], ["y"]),
        {
            "x": (FLOAT, (1, 1, WINDOWS + 2, WINDOWS + 2)),
            "w": (FLOAT, (1, 1, 3, 3)),
            "i": (FLOAT, (1, 18, WINDOWS, WINDOWS)),
        },
        {},
    ),
}


@pytest.mark.parametrize(("node", "inputs", "constants"), MODELS.values(), ids=MODELS)
def test_a_small_file_takes_no_more_than_the_budget(
    node: NodeProto, inputs: Inputs, constants: dict[str, np.ndarray], tmp_path: Path
) -> None:
    file = tmp_path / "m.onnx"
    values = [helper.make_tensor_value_info(name, *type_) for name, type_ in inputs.items()]
    data = [onnx.numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph([node], "g", values, [onnx.ValueInfoProto(name="y")], data)
    onnx.save(helper.make_model(graph, opset_imports=OPSET), file)
    command = [sys.executable, "-c", CODE, str(file), "-o", "/dev/null"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(run.stdout) << 10 < INPUT_BYTES
