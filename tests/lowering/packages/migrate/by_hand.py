"""A package that places its tensors by hand, in a text of our own."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages import Bodies
from htp_mlir.lowering.packages.def_package import CppPackage, load_cpp
from htp_mlir.runtime.tensors.tensors import Tensor

FAST = """
#define THIS_PKG_NAME ByHand
#define NATIVE(NAME) FROM_DEFAULT_PACKAGE(NAME)

template <typename TOut, typename TIn0, typename TIn1>
GraphStatus mixed(TOut &out, const TIn0 &in_0, const TIn1 &in_1, const Tensor &in_2);
DEF_PACKAGE_OP((mixed<Tensor, Tensor, Tensor>), "Mixed")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(
    (mixed<PlainFloatTensor, FloatCroutonTensor_TCM, PlainFloatTensor_TCM>), "Mixed", FAST)

template <typename T>
GraphStatus twice(T &out, const T &in);
DEF_PACKAGE_OP(twice<Tensor>, "Twice.fast")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(twice<FloatCroutonTensor_TCM>, "Twice.fast", FAST)

// One rule does nothing but place, the other makes another op too.
DEF_PACKAGE_OPTIMIZATION(LATE + 900,
    Op("Mixed", "in_0", "in_1", "in_2"),
    OK,
    Op("Mixed",
        WITH_SAME_OUTPUT("in_0", Op(NATIVE("crouton_to_vtcm"),
            Op(NATIVE("ForceFormat_Crouton"), "in_0"))),
        WITH_SAME_OUTPUT("in_1", Op(NATIVE("flat_to_vtcm"),
            WITH_SAME_OUTPUT("in_1", Op(NATIVE("ForceFormat_Flat"), "in_1")))),
        "in_2"))
DEF_PACKAGE_OPTIMIZATION(LATE,
    Op(NATIVE("Add"), "X", "X"),
    GT(DIM_DEPTH("X"), 1),
    Op(NATIVE("ForceFormat_Flat"), Op(NATIVE("crouton_from_vtcm"), Op("Twice.fast",
        WITH_SAME_OUTPUT("X", WrapOp(NATIVE("crouton_to_vtcm"),
            Op(NATIVE("ForceFormat_Crouton"), "X")))))))
"""
MODEL = """
func.func @main(%x: tensor<1x9x7x40xf32> {htp.name = "x"},
    %y: tensor<1x9x7x40xf32> {htp.name = "y"},
    %z: tensor<1x9x7x40xf32> {htp.name = "z"}) -> (tensor<1x9x7x40xf32> {htp.name = "o"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<1x9x7x40xf32>) -> tensor<1x9x7x40xf32>
  %1 = qti_aisw.Custom(%0, %y, %z) {op_type = "Mixed", package = "ByHand", params = {}}
    : (tensor<1x9x7x40xf32>, tensor<1x9x7x40xf32>, tensor<1x9x7x40xf32>) -> tensor<1x9x7x40xf32>
  %2 = qti_aisw.ElementWiseAdd(%1, %1)
    : (tensor<1x9x7x40xf32>, tensor<1x9x7x40xf32>) -> tensor<1x9x7x40xf32>
  %3 = qti_aisw.Tanh(%2) : (tensor<1x9x7x40xf32>) -> tensor<1x9x7x40xf32>
  func.return %3 : tensor<1x9x7x40xf32>
}
"""
BODIES = Bodies()


@BODIES.body("Mixed")
def mixed(out: Tensor, in_0: Tensor, in_1: Tensor, in_2: Tensor) -> None:
    out.store(in_0.load() * in_1.load() - in_2.load())


@BODIES.body("Twice.fast")
def twice(out: Tensor, x: Tensor) -> None:
    out.store(x.load() + x.load())


def read(folder: Path, text: str) -> CppPackage:
    """The package of a text, all of which must be understood."""
    path = folder / "by_hand.cpp"
    path.write_text(text)
    package, summary = load_cpp(path)
    assert summary.skipped == ()
    return package


def formula(inputs: dict[str, np.ndarray]) -> np.ndarray:
    """The model in numpy."""
    difference = np.maximum(inputs["x"], 0) * inputs["y"] - inputs["z"]
    return np.tanh(difference + difference)
