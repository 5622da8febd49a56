"""The converter's graph: what is wrong in a file is refused by node, field or name."""

from pathlib import Path
from typing import Any

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module

from .kit import (
    F32,
    U8,
    U32,
    along,
    one_op,
    scale_offset,
)

FAULTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a shape": ("Relu", {"result": (4, 1)}, "gives 1x4, the file says 4x1"),
    "a param": ("Relu", {"scalars": {"slope": (F32, 1.0)}}, "param 'slope' is 1.0, which Relu has"),
    "an operation": (
        "Eltwise_Unary",
        {"scalars": {"operation": (U32, 16)}},
        "param 'operation' is 16, not 0 to 15",
    ),
    "a missing param": ("Transpose", {}, "param 'perm' is missing"),
    "too many inputs": ("Relu", {"shapes": [(1, 4), (1, 4)]}, "has 2 inputs, at most 1 fit"),
    "a missing input": ("MatMul", {}, "has 1 inputs and none for 'in1'"),
    "nothing to pack": ("Pack", {"shapes": []}, "has no inputs"),
    "two to unpack": ("UnPack", {"shapes": [(1, 4), (1, 4)]}, "has 2 inputs, it takes 1"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_faults_of_nodes(what: str, tmp_path: Path) -> None:
    op, changes, message = FAULTS[what]
    net = one_op(op, **{"shapes": [(1, 4)], "result": (1, 4), **changes})
    with pytest.raises(HtpError) as caught:
        load_module(net.save(tmp_path))
    assert message in caught.value.lines()[0]
    assert caught.value.lines()[0].startswith(f"node 'op' ({op}): ")


def test_a_node_without_outputs_is_refused(tmp_path: Path) -> None:
    net = one_op("Concat", shapes=[(1, 4)], result=(1, 4))
    net.nodes["op"]["output_names"] = []
    with pytest.raises(HtpError, match="node 'op' \\(Concat\\): has no outputs"):
        load_module(net.save(tmp_path))


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("y", "comes from node 'op', and node 'again' makes it"),
        ("a", "is an input, and node 'again' makes it"),
        ("w", "is static, and node 'again' makes it"),
    ],
)
def test_a_tensor_that_two_give_is_refused(output: str, problem: str, tmp_path: Path) -> None:
    net = one_op("Relu", shapes=[(1, 4)], result=(1, 4))
    net.tensors["w"] = {**net.tensors["y"], "type": 4}
    net.nodes["again"] = {**net.nodes["op"], "output_names": [output]}
    with pytest.raises(HtpError, match=f"tensor '{output}': {problem}\n  let one of them give it"):
        load_module(net.save(tmp_path))


BLOCKS = {
    "definition": 1,
    "encoding": 5,
    "blockwise_expansion": along(0, [0.5])["axis_scale_offset"] | {"num_blocks_per_axis": 2},
}
FIELDS: dict[str, tuple[str, Any, str]] = {
    "a type": ("data_type", 777, "'data_type' is 777 (0x0309), which is not known"),
    "a role": ("type", 9, "'type' is 9, not 0 to 5"),
    "dims": ("dims", [1, "a"], "dims: 'number' is a, not a whole number"),
    "a large tensor": ("dims", [2**20, 2**20], "takes 1099511627776 bytes"),
    "no type": ("type", None, "'type' is None, not a whole number"),
    "a scale": ("quant_params", scale_offset(0.0, 0), "scale 0"),
    "blocks": ("quant_params", BLOCKS, "has scales of blocks ('blockwise_expansion')"),
}


@pytest.mark.parametrize("what", FIELDS)
def test_faults_of_fields(what: str, tmp_path: Path) -> None:
    key, value, message = FIELDS[what]
    net = one_op("Relu", [(1, 4)], (1, 4), types=(U8, U8), quants=(scale_offset(1, 0),) * 2)
    net.tensors["y"][key] = value
    with pytest.raises(HtpError) as caught:
        load_module(net.save(tmp_path))
    assert message in caught.value.lines()[0]
    assert "tensor 'y'" in caught.value.lines()[0]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"graph": {"tensors": []}}'])
def test_what_is_not_a_graph(text: str, tmp_path: Path) -> None:
    (tmp_path / "net.json").write_text(text)
    with pytest.raises(HtpError) as caught:
        load_module(tmp_path / "net.json")
    assert len(caught.value.lines()) == 2
