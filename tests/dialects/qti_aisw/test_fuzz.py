"""Examples with random changes: each is legal and round-trips, or is refused in words."""

from collections.abc import Sequence

import pytest
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, GraphOp, build
from htp_mlir.dialects.qti_aisw.base import float_attr, int_attr, ints_attr
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from ...support.examples import example_of, module_of
from ...support.roundtrip import assert_round_trips, parse, to_text


def example(mnemonic: str) -> GraphOp:
    """The op of a docstring's example."""
    module = parse(module_of(example_of(GRAPH_OPS[mnemonic])))
    (op,) = [op for op in module.walk() if isinstance(op, GraphOp)]
    op.detach()
    return op


EXAMPLES = {mnemonic: example(mnemonic) for mnemonic in GRAPH_OPS}


@st.composite
def changed_specs(draw: st.DrawFn, spec: TensorSpec) -> TensorSpec:
    """An operand's spec, in one case of four with another shape or dtype."""
    if draw(st.integers(0, 3)):
        return spec
    shape = draw(st.just(spec.shape) | st.lists(st.integers(0, 9), max_size=5).map(tuple))
    dtype = draw(st.sampled_from(DType))
    return TensorSpec(shape, dtype, Quant((0.5,), (3,)) if dtype.is_quantized else None)


@st.composite
def changed_params(draw: st.DrawFn, value: Attribute) -> Attribute:
    """A param, in one case of three with other numbers."""
    if draw(st.integers(0, 2)):
        return value
    if isinstance(value, DenseArrayBase):
        return ints_attr(draw(st.lists(st.integers(-2, 4), max_size=8)))
    if isinstance(value, IntegerAttr) and value.type != IntegerAttr.from_bool(True).type:
        return int_attr(draw(st.integers(-3, 9)))
    if isinstance(value, FloatAttr):
        return float_attr(draw(st.floats(width=32)))
    return value


@st.composite
def changed_ops(draw: st.DrawFn) -> tuple[str, list[TensorSpec], dict[str, Attribute]]:
    mnemonic = draw(st.sampled_from(list(EXAMPLES)))
    op = EXAMPLES[mnemonic]
    specs = [draw(changed_specs(spec_of(operand))) for operand in op.operands]
    params = {name: draw(changed_params(value)) for name, value in op.properties.items()}
    return mnemonic, specs, params


def _operands(op: GraphOp, values: Sequence[object]) -> list[object]:
    """Values in the places of the example's operands, None where it has none."""
    left = list(values)
    if "ins" in [name for name, _ in op.get_irdl_definition().operands]:
        return [left]
    present = op.named_operands()
    return [
        left.pop(0) if name in present else None for name, _ in op.get_irdl_definition().operands
    ]


def attempt(mnemonic: str, operands: list[object], params: dict[str, Attribute]) -> GraphOp | str:
    """The op, or the words in which it is refused."""
    try:
        op = build(GRAPH_OPS[mnemonic], operands, params)
        op.verify()
    except VerifyException as refusal:
        return str(refusal)
    return op


@pytest.mark.slow
@given(changed_ops())
def test_legal_or_refused(change: tuple[str, list[TensorSpec], dict[str, Attribute]]) -> None:
    mnemonic, specs, params = change
    function = FuncOp("main", ([type_of(spec) for spec in specs], []))
    params.pop("operandSegmentSizes", None)
    operands = _operands(EXAMPLES[mnemonic], function.body.block.args)
    op = attempt(mnemonic, operands, params)
    if isinstance(op, str):
        assert op.startswith(f"qti_aisw.{mnemonic}: ")
    else:
        function.body.block.add_ops([op, ReturnOp()])
        assert_round_trips(to_text(ModuleOp([function])))
