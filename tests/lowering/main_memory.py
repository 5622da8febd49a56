"""`python -m tests.lowering.main_memory`: the graph ops that run from main memory though they fit.

The example of each op stands between element-wise ops in TCM, in each element type. An op is listed
where one that it becomes makes a tensor in main memory that another op reads; copies between the
memories are none.
"""

from collections.abc import Iterator, Sequence

from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.faults.notes import notes_to
from htp_mlir.dialects.htp.ops.copies import CopyOp
from htp_mlir.dialects.htp.ops.movement import ReshapeOp
from htp_mlir.dialects.htp.ops.state import StateWriteOp
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.qti_aisw.base import GraphOp, build
from htp_mlir.dialects.qti_aisw.ops.elementwise import ElementWiseNegOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import bodies, is_boundary, mnemonic, runs
from htp_mlir.lowering.passes.graph.floats import Halve
from htp_mlir.lowering.quantization import Encodings, quantize
from htp_mlir.lowering.quantization.encodings import grid
from htp_mlir.lowering.quantization.fitting import tensor_names
from htp_mlir.lowering.quantization.groups import is_real
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.program.boundary import main_function
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue, Use

from ..support.examples import example_of, module_of

QUANTISED = {"u8": DType.QUInt8, "u16": DType.QUInt16}
DTYPES = ("f32", "f16", *QUANTISED)
_VIEWS = {"Cast", "Quantize", "Dequantize", "Neg", "StateRead", "StateWrite"}


def between(op: type[GraphOp]) -> ModuleOp:
    """The example of an op, with element-wise ops in front of its f32 operands and behind it."""
    module = parse_module(module_of(example_of(op)))
    function = main_function(module)
    block = function.body.block
    example, end = list(block.ops)
    for argument in filter(is_real, list(block.args)):
        before = build(ElementWiseNegOp, [argument])
        block.insert_op_before(before, example)
        argument.replace_uses_with_if(before.out, lambda use, own=before: use.operation is not own)
    results: list[SSAValue] = []
    for result in example.results:
        after = build(ElementWiseNegOp, [result]) if is_real(result) else None
        if after:
            block.insert_op_before(after, end)
        results.append(after.out if after else result)
    block.erase_op(end)
    block.add_op(ReturnOp(*results))
    function.update_function_type()
    module.verify()
    return module


def typed(module: ModuleOp, dtype: str) -> ModuleOp:
    """The graph in another element type."""
    if dtype in QUANTISED:
        encoding = grid(-4.0, 4.0, QUANTISED[dtype])
        names = tensor_names(module)
        named = {name: encoding for value, name in names.items() if is_real(value)}
        return quantize(module, Encodings(named, {}))
    if dtype == "f16":
        with notes_to(lambda fault: None):
            Halve().apply(Context(), module)
    return module


def in_main_memory(module: ModuleOp) -> list[str]:
    """The native ops of a lowered module that make a tensor in main memory."""
    ops = [op for block in bodies(module) for op in block.ops if runs(op)]
    return list(dict.fromkeys(mnemonic(op) for op in ops if _is_listed(op)))


def _is_listed(op: Operation) -> bool:
    results = [value for value in op.results if not all(map(_leaves, value.uses))]
    outside = any(spec_of(value).memory is Memory.DDR for value in results)
    return outside and not isinstance(op, CopyOp) and mnemonic(op) not in _VIEWS


def _leaves(use: Use) -> bool:
    """Tell whether a reader takes a tensor to main memory: the function's end, or a state."""
    reader = use.operation
    return isinstance(reader, StateWriteOp | ReturnOp) or (
        isinstance(reader, ReshapeOp) and is_boundary(reader.results[0])
    )


def rows(dtypes: Sequence[str] = DTYPES) -> Iterator[tuple[str, str, str]]:
    """Yield graph op, element type and the native ops that make tensors in main memory."""
    for name, op in GRAPH_OPS.items():
        for dtype in dtypes:
            try:
                listed = in_main_memory(lower(typed(between(op), dtype)))
            except (HtpError, ValueError) as error:
                listed = [f"no: {str(error)[:90]}"]
            if listed:
                yield name, dtype, ", ".join(listed)


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row))
