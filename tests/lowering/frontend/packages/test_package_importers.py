"""Importers of ONNX ops that op packages bring."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.packages import ImporterSet, Packages, Value, op_package

from ..models import floats, model_of
from .package_nodes import (
    MINE,
    node,
    run,
    with_types,
)


def test_an_importer_by_decorator() -> None:
    x = floats(3, 5)
    nodes = [
        node("Swish", "x", "a", domain="com.example"),
        node("Einsum", "a", "y", equation="ij->ji"),
    ]
    model = with_types(model_of(nodes, {"x": x}, ["y"]), a=[3, 5])
    result = run(import_model(model, packages=MINE), MINE, x, "graph")
    np.testing.assert_allclose(result, (x / (1 + np.exp(-x))).T, rtol=1e-5)
    nodes[1].attribute[0].s = b"ii"
    model = with_types(model_of(nodes, {"x": x}, ["y"]), a=[3, 5])
    with pytest.raises(HtpError, match="equation ii is not supported"):
        import_model(model, packages=MINE)


def with_importer(op: str, **flags: bool) -> Packages:
    """Packages of which one imports an op as Relu."""
    importers = ImporterSet()

    @importers.importer(op, **flags)
    def imported(x: Value) -> Value:
        return x.op("Relu")

    return Packages().extended(op_package("Rough", importers=[importers]))


def test_an_op_that_folds_is_evaluated_where_its_inputs_are_constant() -> None:
    nodes = [node("Softsign", "c", "a"), node("Add", "x a", "y")]
    model = model_of(nodes, {"x": floats(3)}, ["y"], {"c": floats(3)})
    for folds in (False, True):
        module = import_model(model, packages=with_importer("Softsign", folds=folds))
        assert any(op.name == "qti_aisw.Relu" for op in module.walk()) is not folds


def test_an_op_that_keeps_no_stored_integers_refuses_them() -> None:
    scale, zero = np.float32(0.5), np.uint8(3)
    nodes = [
        node("QuantizeLinear", "x s z", "q"),
        node("Abs", "q", "a"),
        node("DequantizeLinear", "a s z", "y"),
    ]
    model = model_of(nodes, {"x": floats(3)}, ["y"], {"s": np.array(scale), "z": np.array(zero)})
    import_model(model, packages=with_importer("Abs"))
    with pytest.raises(HtpError, match="input 'q' is quantised"):
        import_model(model, packages=with_importer("Abs", keeps_stored=False))


def test_an_op_without_an_importer_is_told_the_three_lines() -> None:
    with pytest.raises(HtpError) as error:
        import_model(model_of([node("Zap", "x", "y", domain="a.b")], {"x": floats(2)}, ["y"]))
    assert error.value.lines() == [
        "node of 'y' (a.b.Zap): the op is not supported",
        "  express it in supported ops, load the op package a.b, "
        "or give it an importer in an op package",
        '    @IMPORTERS.importer("Zap", domain="a.b")  # IMPORTERS = ImporterSet()',
        '    def build(x: Value) -> Value: return x.op("Relu")',
        '    PACKAGE = op_package("Name", importers=[IMPORTERS])',
    ]


def test_an_importer_that_fails_is_a_fault_of_its_node() -> None:
    importers = ImporterSet()

    @importers.importer("Det")
    def fails(x: Value) -> list:
        raise KeyError("gone")

    @importers.importer("Zip", domain="a.b")
    def gives_nothing() -> list:
        return []

    packages = Packages().extended(op_package("Bad", importers=[importers]))
    nodes = [node("Det", "x", "a"), node("Zip", "", "y", domain="a.b")]
    with pytest.raises(HtpError) as error:
        import_model(model_of(nodes, {"x": floats(2, 2)}, ["a", "y"]), packages=packages)
    failed, empty = (fault.problem for fault in error.value.faults)
    assert failed.startswith("its importer fails: KeyError: 'gone', at ")
    assert empty == "its importer gives 0 of 1 outputs"


def test_an_op_that_onnx_does_not_have_needs_a_domain() -> None:
    importers = ImporterSet()
    importers.importer("Zap")(lambda x: x)
    packages = Packages().extended(op_package("Odd", importers=[importers]))
    model = model_of([node("Zap", "x", "y")], {"x": floats(2)}, ["y"])
    with pytest.raises(HtpError, match="opset 21 has no such op"):
        import_model(model, packages=packages)
