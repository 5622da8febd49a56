"""Native ops that are known by name: which names they have, and what they mean."""

import pytest
from htp_mlir.dialects.htp.named import NamedOp, meaning_of, named_op
from htp_mlir.dialects.htp.ops.quantize import QuantizeOp
from xdsl.dialects import test
from xdsl.dialects.builtin import TensorType, f32
from xdsl.utils.exceptions import VerifyException

MEANINGS = {
    "Requantize": "Quantize",
    "Relu.tcm": "Relu",
    "ElementWiseAdd.tcm": "Add",
    "Slice_shape_inplace": "Slice_shape",
    "ReluInPlace": "Relu",
    "Slice_shape.in_place.tcm": "Slice_shape",
    "activations_to_vtcm": "crouton_to_vtcm",
    "ConvLayer.opt.activations_from_vtcm": "crouton_from_vtcm",
    "weights_to_vtcm": "flat_to_vtcm",
    "Add": "Add",
    "Decimate": "",
    "Relue.tcm": "",
}


@pytest.mark.parametrize(("name", "meaning"), MEANINGS.items())
def test_a_name_may_mean_what_another_op_does(name: str, meaning: str) -> None:
    assert meaning_of(name) == meaning


def test_an_op_of_the_same_meaning_has_its_operands_and_rules() -> None:
    op = named_op("Requantize")
    assert op is not None
    assert (op.name, op.OPERANDS, op.RESULT_KINDS) == (
        "htp.Requantize",
        QuantizeOp.OPERANDS,
        QuantizeOp.RESULT_KINDS,
    )
    assert op is named_op("Requantize")


@pytest.mark.parametrize(
    "name",
    [
        *("Decimate", "TableLookup", "TableLookup_u8", "Reshape_to_h", "Reshape_to_hw.tcm"),
        *("Slice_inplace", "SliceInPlace", "inplace_slice", "Slice_in_place_h.tcm"),
    ],
)
def test_of_others_only_the_name_is_known(name: str) -> None:
    op = named_op(name)
    assert op is not None
    assert issubclass(op, NamedOp)
    assert op.leaves_results_free()


@pytest.mark.parametrize("name", ["Relue.tcm", "Decimat", "Table", "Reshape_two_h", ".tcm"])
def test_a_misspelt_name_is_none(name: str) -> None:
    assert named_op(name) is None


def test_tensors_of_an_op_known_by_name_have_rank_4() -> None:
    op_class = named_op("Decimate")
    assert op_class is not None
    flat, native = TensorType(f32, [8]), TensorType(f32, [1, 8, 8, 32])
    source = test.TestOp(result_types=[flat, native])
    op_class.create(operands=[source.results[1]] * 2, result_types=[native]).verify()
    with pytest.raises(VerifyException, match=r"htp\.Decimate: operand 1 has rank 1"):
        op_class.create(operands=source.results[::-1], result_types=[native]).verify()
