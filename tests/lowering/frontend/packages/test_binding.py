"""What the parameters of an importer take of a node, and what is refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.importers.support.registry import Ints, bound
from htp_mlir.lowering.packages import ImporterSet, NodeContext, Packages, Value, op_package
from onnx import helper

from ..models import floats, model_of

CONSTANTS = {"c": np.array([2, 3])}


@dataclass(frozen=True)
class Both:
    """Two attributes."""

    alpha: float = 0.1
    beta: float = 2.0


def taken(
    function: Callable[..., Any],
    inputs: str = "x",
    **stated: Any,
) -> tuple[list[Any], dict[str, Any]]:
    """What the function takes of a node of these inputs and attributes."""
    calls: list[tuple[list[Any], dict[str, Any]]] = []
    importers = ImporterSet()

    @importers.importer("Probe", domain="a.b")
    def probe(ctx: NodeContext) -> Value:
        calls.append(bound(function, ctx))
        return ctx.value(0)

    node = helper.make_node("Probe", inputs.split(","), ["y"], domain="a.b", **stated)
    packages = Packages().extended(op_package("Probes", importers=[importers]))
    import_model(model_of([node], {"x": floats(2)}, ["y"], CONSTANTS), packages=packages)
    return calls[0]


def refused(function: Callable[..., Any], **stated: Any) -> str:
    with pytest.raises(HtpError) as error:
        taken(function, **stated)
    return error.value.faults[0].problem


def test_inputs_are_positional() -> None:
    def function(x: Value, left_out: Value | None, shape: Ints, *rest: Value) -> Value: ...

    (x, left_out, shape, last), attributes = taken(function, "x,,c,x")
    assert (x.shape, left_out, shape, attributes) == ((2,), None, (2, 3), {})
    assert last.ssa is x.ssa


def test_attributes_go_by_keyword_and_their_defaults_are_f32() -> None:
    def function(x: Value, *, both: Both, keep: bool = True, mode: str = "a") -> Value: ...

    _, attributes = taken(function, beta=0.5, keep=0)
    expected = {"both": Both(float(np.float32(0.1)), 0.5), "keep": False, "mode": "a"}
    assert attributes == expected


def test_an_attribute_without_a_default_must_be_there() -> None:
    def function(x: Value, *, size: int) -> Value: ...

    assert refused(function) == "attribute 'size' is missing"


def test_one_of_a_few_values_is_one_of_them() -> None:
    def function(x: Value, *, layout: Literal[0, 1] = 0) -> Value: ...

    assert taken(function, layout=1)[1] == {"layout": 1}
    assert refused(function, layout=2) == "attribute 'layout' is 2, only 0 or 1 is supported"


def test_a_parameter_of_another_type_is_a_fault_of_the_importer() -> None:
    def function(x: Value, *, size: set[int]) -> Value: ...

    problem = (
        "its importer fails: TypeError: parameter 'size' is set[int], which nothing of a node is"
    )
    assert refused(function).startswith(problem)
