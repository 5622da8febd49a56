"""The op pages number every op's constraints and follow it down to its kernels."""

import re
from importlib import import_module
from types import ModuleType

import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering.packages.loading import installed

from ..support.paths import ROOT

REFERENCE = ROOT / "docs" / "reference"
COPIES = {
    f"{layout}_{way}"
    for layout in ("flat", "crouton")
    for way in ("to_vtcm", "from_vtcm", "to_vtcm.start")
}
WITHOUT = {*COPIES, "ConvLayer.opt.weights_for_im2col"}
"""Native ops that take any tensor: their types say all."""


def entries(page: str) -> dict[str, str]:
    """The part of a page about each op."""
    parts = re.split(r"^### (\S+)\n", (REFERENCE / page).read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(name="constraints")
def _constraints(generator: ModuleType) -> ModuleType:
    assert generator
    return import_module("constraint_reference")


@pytest.fixture(name="support")
def _support(generator: ModuleType) -> ModuleType:
    assert generator
    return import_module("support_reference")


def test_constraints_are_numbered_in_order(constraints: ModuleType) -> None:
    for name, op in {**NATIVE_OPS, **GRAPH_OPS}.items():
        numbers = [int(n) for n in re.findall(r"\(C(\d+)\)", " ".join(constraints.constraints(op)))]
        assert numbers == sorted({*numbers}), name
        assert numbers or name in WITHOUT, name


def test_fields_are_said_after_the_docstring(constraints: ModuleType) -> None:
    relu = constraints.constraints(NATIVE_OPS["Relu"])
    assert relu == ("(C1) `in` is a number",)
    stated = constraints.constraints(NATIVE_OPS["Conv2d"])
    assert stated[4:6] == (
        "(C5) strides and dilations are >= 1, pads >= 0",
        "(C6) `in` is a number",
    )
    assert "(C8) `bias` is a number, and a float where `in` is one" in stated
    assert "(C9) `stride` holds 2 integers >= 1" in stated


def test_a_family_lends_its_constraints(constraints: ModuleType) -> None:
    first, *_ = constraints.constraints(GRAPH_OPS["ReduceSum"])
    assert first == "(C1) inp is a number"
    assert constraints.constraints(GRAPH_OPS["ElementWiseNot"])[0] == "(C1) inp is i1 or an integer"


def test_an_example_is_followed_to_its_kernel(support: ModuleType) -> None:
    relu = "%y = qti_aisw.Relu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>"
    assert dict(support.levels_of_example(relu, installed().context())) == {
        "graph": "runs",
        "native": "[Relu](htp.md#relu)",
        "placed": "Relu flat tcm",
        "allocated": "Relu by `unary.PlainFloatTensor_TCM`",
    }


def test_an_example_that_does_not_lower_says_why(support: ModuleType) -> None:
    torch = '%y = qti_aisw.Custom(%x) {op_type = "a.b", package = "torch"} : (f32) -> f32'
    text = torch.replace("f32", "tensor<2xf32>")
    (_, first), (level, refusal) = support.levels_of_example(text, installed().context())
    assert (first, level) == ("runs", "native")
    assert refusal.startswith("refused: ")


def test_every_op_of_a_page_says_how_far_it_comes() -> None:
    graph, native = entries("qti_aisw.md"), entries("htp.md")
    for name in GRAPH_OPS:
        assert re.findall(r"^\| (\w+) \| (?!refused)", graph[name], re.M)[1:] == [
            *("graph", "native", "placed", "allocated")
        ], name
    for name in NATIVE_OPS:
        assert "- levels: " in native[name], name
        kernels = native[name].partition("Kernels, with the tensors that they give:\n\n")[2]
        assert re.match(r"- `\w+` \([A-Za-z ]+\): \w|- none: ", kernels), name
