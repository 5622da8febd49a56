"""Faults of ONNX nodes of op packages."""

import re
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.packages import Packages, op_package
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime.tools import htp_run
from onnx import NodeProto, TensorProto, helper, numpy_helper, save_model

from ..models import floats, model_of
from .package_nodes import (
    MINE,
    MINE_FILE,
    POOL,
    WINDOW,
    affine,
    node,
    pool,
)

SCALES = {"factor": 2.0, "offsets": [1.0]}
MATRIX = numpy_helper.from_array(np.zeros((1, 2), np.float32))
BROKEN = TensorProto(data_type=TensorProto.FLOAT, dims=[4], raw_data=b"abc")


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (affine(factor=2.0), "param 'offsets' is mandatory and not given; Mine.Affine has no"),
        (affine(**SCALES, bend=1), "unknown param 'bend'; those of Mine.Affine: factor, offsets,"),
        (affine(**SCALES, axis=7), "param 'axis', axis 7: the tensor has 2 dims; take one from"),
        (affine(**SCALES, flip=[1]), "param 'flip' is a list: (1,); it must be a bool"),
        (affine(**SCALES, mode=["a"]), "attribute 'mode' is STRINGS; it may be INT, FLOAT,"),
        (affine(factor=MATRIX), "attribute 'factor' is a tensor [1, 2] of float32; it may be a"),
        (affine(factor=BROKEN), "attribute 'factor' holds data that do not fit its type: "),
        (node("Affine", "x x", "y", domain="Mine", **SCALES), "has 2 inputs, Mine.Affine takes 1"),
        (node("Affine", "", "y", domain="Mine", **SCALES), "has 0 inputs, Mine.Affine takes 1"),
        (node("Affine", "x", "y z", domain="Mine", **SCALES), "has 2 outputs, Mine.Affine gives 1"),
        (
            node("Afine", "x", "y", domain="Mine"),
            "has no op Mine.Afine; did you mean 'Mine.Affine'?",
        ),
        (pool("x", "y"), "the op is not supported; express it in supported ops, load the op pack"),
    ],
)
def test_one_fault(one: NodeProto, message: str) -> None:
    with pytest.raises(HtpError) as error:
        import_model(model_of([one], {"x": floats(2, 3)}, ["y"]), packages=MINE)
    (fault,) = error.value.faults
    assert fault.where.startswith("node of 'y' (")
    assert message in fault.line()


def test_an_input_that_is_left_out_in_the_middle() -> None:
    one = helper.make_node("Affine", ["", "x"], ["y"], domain="Mine")
    with pytest.raises(HtpError, match="input 0 is missing"):
        import_model(model_of([one], {"x": floats(2, 3)}, ["y"]), packages=MINE)


def test_a_shape_that_the_model_states_otherwise() -> None:
    model = model_of([pool("x", "y", **WINDOW)], {"x": floats(1, 4, 4, 3)}, ["y"])
    stated = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 4, 3])
    model.graph.output[0].CopyFrom(stated)
    with pytest.raises(HtpError, match="becomes 1x2x3x3 Float32, the model says 1x4x4x3"):
        import_model(model, packages=POOL)


def test_a_class_that_fails_is_a_fault_of_its_node() -> None:
    class Broken(NativeOp):
        name = "Bad.Broken"

        x = tensor_def()

        def infer(self) -> tuple[TensorSpec | None, ...]:
            raise KeyError("gone")

    packages = Packages().extended(op_package("Bad", ops=[Broken]))
    nodes = [node("Broken", "x", "a", domain="Bad"), node("Relu", "a", "y")]
    with pytest.raises(HtpError) as error:
        import_model(model_of(nodes, {"x": floats(2, 2)}, ["y"]), packages=packages)
    (line,) = (fault.line() for fault in error.value.faults)
    begin = "node of 'a' (Bad.Broken): its class fails: KeyError: 'gone', at "
    assert line.startswith(begin)
    assert re.search(rf"{Path(__file__).name}:\d+; fix the package$", line)


@pytest.mark.parametrize("tool", [htp_opt.run, htp_run.run], ids=["htp-opt", "htp-run"])
def test_errors_of_the_tools_are_two_lines(tool: object, tmp_path: Path) -> None:
    assert callable(tool)
    path = tmp_path / "model.onnx"
    save_model(model_of([affine(factor=2.0)], {"x": floats(2, 3)}, ["y"]), path)
    status, out, err = tool([str(path), "--package", MINE_FILE])
    assert (status, out) == (1, "")
    assert err == (
        "node of 'y' (Mine.Affine): param 'offsets' is mandatory and not given\n"
        "  Mine.Affine has no default for it\n"
    )
