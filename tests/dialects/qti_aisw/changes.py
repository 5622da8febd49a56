"""Graph ops with one operand of another type than in their examples, as modules."""

from collections.abc import Iterator

from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, build
from htp_mlir.dialects.qti_aisw.base import GraphOp
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...support.examples import example_of, module_of
from ...support.roundtrip import parse

_EVEN, _ODD = Quant((0.05,), (0,)), Quant((0.05,), (128,))
ELEMENTS = (
    *((dtype, None) for dtype in (DType.Float64, DType.Float32, DType.Float16)),
    *((dtype, None) for dtype in (DType.Int64, DType.Int32, DType.UInt8, DType.Bool8)),
    *((dtype, _EVEN) for dtype in (DType.QInt8, DType.QInt32, DType.QUInt16)),
    (DType.QUInt8, _ODD),
)


def changes(name: str) -> Iterator[tuple[str, ModuleOp | None]]:
    """Each change of an op's example: its words, and the module unless it is refused."""
    class_ = GRAPH_OPS[name]
    module = parse(module_of(example_of(class_)))
    (op,) = (op for op in module.walk() if isinstance(op, GraphOp))
    for place, operand in enumerate(op.operands):
        for spec in _others(spec_of(operand)):
            specs = [spec_of(other) for other in op.operands]
            specs[place] = spec
            try:
                changed = _module(op, specs)
            except (VerifyException, HtpError):
                changed = None
            yield f"operand {place}: {spec.shape} {spec.dtype.name}", changed


def _others(spec: TensorSpec) -> Iterator[TensorSpec]:
    """The types that differ from one in the element type, the rank or one extent."""
    yield from (TensorSpec(spec.shape, *e) for e in ELEMENTS if e != (spec.dtype, spec.quant))
    yield spec.with_shape((1, *spec.shape))
    yield from [spec.with_shape(spec.shape[1:]), spec.with_shape(spec.shape[:-1])][: 2 * spec.rank]
    for axis, extent in enumerate(spec.shape):
        for other in {0, 1, extent + 1} - {extent}:
            yield spec.with_shape((*spec.shape[:axis], other, *spec.shape[axis + 1 :]))


def _module(op: GraphOp, specs: list[TensorSpec]) -> ModuleOp:
    block = Block(arg_types=[type_of(spec) for spec in specs])
    values = iter(block.args)
    operands: list[SSAValue | list[SSAValue] | None] = []
    for name, _ in op.get_irdl_definition().operands:
        old = getattr(op, name)
        one = old is None or isinstance(old, SSAValue)
        operands.append(old and next(values) if one else [next(values) for _ in old])
    changed = build(type(op), operands, dict(op.properties))
    changed.verify()
    block.add_ops([changed, ReturnOp(*changed.results)])
    types = [value.type for value in block.args], [value.type for value in changed.results]
    return ModuleOp([FuncOp("main", types, Region(block))])
