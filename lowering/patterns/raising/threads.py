"""Lstm and Gru that become StatefulLstm and StatefulGru, by two signs.

Their state goes in and out of the model, as a part of an input and of an output where these hold
those of several layers; or a tool wrote the body of such an op into the graph,
which reads its data through `Where(reset, X, X)`: no model has that for another reason. No rule of
the rule language: a rule replaces one output, and these have two or three.
"""

from collections.abc import Iterator
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType, i1
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.diagnostics import Fault, fail
from ....dialects.faults.op_faults import fault_at
from ....dialects.locations import NAME, pass_names
from ....dialects.qti_aisw import GRAPH_OPS, ConstOp, GraphOp, build
from ....dialects.qti_aisw.base import ints
from ....dialects.qti_aisw.ops.movement import (
    ConcatOp,
    GatherOp,
    ReshapeOp,
    SplitOp,
    StridedSliceOp,
)
from ....dialects.qti_aisw.ops.rnn import Recurrent
from ....dialects.spec_of import spec_of

_STATES: dict[str, tuple[str, ...]] = {"Gru": ("initial_h",), "Lstm": ("initial_h", "initial_c")}
"""The inputs of an op's states; the outputs behind Y are these afterwards, in the same order."""


def keep_states(module: ModuleOp, reset: str) -> list[Fault]:
    """Let layers keep the state that a caller hands from output to input; list those that do not.

    A layer with a state of its own takes the input in its first inference and, where `reset` names
    a new input for truth values, in those in which it is true.
    """
    notes: list[Fault] = []
    for function in (op for op in module.ops if isinstance(op, FuncOp)):
        layers = [op for op in function.walk() if isinstance(op, Recurrent) and kind_of(op)]
        reasons = [(layer, _reason(layer)) for layer in layers]
        notes += [
            fault_at(layer, reason, "it keeps no state from one inference to the next")
            for layer, reason in reasons
            if reason is not None
        ]
        threaded = [layer for layer, reason in reasons if reason is None]
        begin = _new_input(function, reset) if threaded and reset else None
        for layer in threaded:
            replace_layer(layer, begin)
    return notes


def kind_of(op: GraphOp) -> str:
    """Return Gru or Lstm; nothing for a layer with a state of its own."""
    name = op.name.partition(".")[2]
    return name if name in _STATES else ""


def _reason(layer: Recurrent) -> str | None:
    """Say which state does not go from an input of the model to an output of it."""
    for role, final in zip(_STATES[kind_of(layer)], layer.results[1:], strict=True):
        initial = getattr(layer, role)
        if initial is None:
            return f"{role} is absent, so each inference begins from zeros"
        argument, start = _part(initial)
        if not isinstance(argument, BlockArgument):
            return f"{role} is computed, it is no input of the model"
        if not _is_alone(argument):
            return f"{role} is an input that other ops read, too"
        if (argument.type, start) not in [(end.type, place) for end, place in _returned(final, 0)]:
            return f"the state after it is no output of the model in the shape of {role}"
    return None


def _part(value: SSAValue) -> tuple[SSAValue, int]:
    """Return the value of which a value has elements in order, and the number of the first one."""
    start = _start(value)
    if start is None or not isinstance(value.owner, Operation):
        return value, 0
    whole, before = _part(value.owner.operands[0])
    return whole, before + start


def _start(value: SSAValue) -> int | None:
    """Return the first element that a Reshape, or rows of the first dim, take; else None."""
    op = value.owner
    if isinstance(op, ReshapeOp):
        return 0
    if not isinstance(op, StridedSliceOp | SplitOp | GatherOp):
        return None
    dims = spec_of(op.operands[0]).shape
    row = prod(dims[1:])
    match op:
        case StridedSliceOp():
            (start, end, step), *others = zip(*[iter(ints(op.ranges))] * 3, strict=True)
            whole = others == [(0, dim, 1) for dim in dims[1:]]
            return start * row if whole and step > 0 and (step == 1 or end - start == 1) else None
        case SplitOp():
            cuts = (0, *ints(op.split_index))
            place = op.results.index(value) if isinstance(value, OpResult) else 0
            return cuts[place] * row if not op.int_param("axis") % len(dims) else None
        case GatherOp():
            index = op.indices.owner
            if not isinstance(index, ConstOp) or op.int_param("axis") % len(dims):
                return None
            return int(index.array.item()) % dims[0] * row if index.array.size == 1 else None


def _is_alone(value: SSAValue) -> bool:
    """Tell whether an input, or each part of it, is the state of one layer and nothing else."""
    uses = [use.operation for use in value.uses]
    results = [result for op in uses for result in op.results if _start(result) is not None]
    if not results:
        return len(uses) == 1 and isinstance(uses[0], Recurrent)
    places = [_part(result)[1] for result in results]
    apart = len(set(places)) == len(places) == sum(len(op.results) for op in uses)
    return apart and all(map(_is_alone, results))


def _returned(value: SSAValue, start: int) -> Iterator[tuple[SSAValue, int]]:
    """Yield the outputs of the model that a value is in, and the number of its first element."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, ReturnOp):
            yield value, start
        elif isinstance(op, ConcatOp) and not op.int_param("axis") % spec_of(value).rank:
            before = sum(spec_of(part).elements for part in op.operands[: use.index])
            yield from _returned(op.out, start + before)
        elif isinstance(op, ReshapeOp) or (
            isinstance(op, StridedSliceOp) and op.inp.type == op.out.type and _start(op.out) == 0
        ):
            yield from _returned(op.results[0], start)


def _new_input(function: FuncOp, name: str) -> SSAValue:
    """Give a model one more input, of one truth value."""
    attributes = function.arg_attrs or ArrayAttr([DictionaryAttr({}) for _ in function.args])
    if any(each.data.get(NAME) == StringAttr(name) for each in attributes):
        raise fail(f"input '{name}'", "is there already", "name the reset otherwise")
    block = function.body.block
    argument = block.insert_arg(TensorType(i1, []), len(block.args))
    argument.name_hint = name
    function.arg_attrs = ArrayAttr([*attributes, DictionaryAttr({NAME: StringAttr(name)})])
    function.update_function_type()
    return argument


def replace_layer(layer: Recurrent, reset: SSAValue | None) -> None:
    """Replace a Gru or an Lstm by the block op, with its operands and this reset."""
    op_class = GRAPH_OPS[f"Stateful{kind_of(layer)}"]
    names = [name for name, _ in layer.get_irdl_definition().operands]
    properties = {
        name: value for name, value in layer.properties.items() if name != "operandSegmentSizes"
    }
    new = build(op_class, [*(getattr(layer, name) for name in names), reset], properties)
    new.location = layer.location
    new.attributes |= layer.attributes
    Rewriter.insert_op(new, InsertPoint.before(layer))
    for old, result in zip(layer.results, new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
        pass_names(old, result)
    Rewriter.erase_op(layer)


_SELECT = "qti_aisw.ElementWiseSelect"


def restore_layers(module: ModuleOp) -> None:
    """Replace by the block op each Gru and Lstm whose data says that it was one."""
    for layer in [op for op in module.walk() if isinstance(op, Recurrent) and kind_of(op)]:
        choice = layer.operands[0].owner
        if not isinstance(choice, Operation) or not _is_mark(choice):
            continue
        reset, layer.operands[0], _ = choice.operands
        is_never = isinstance(reset.owner, ConstOp) and not reset.owner.array.any()
        replace_layer(layer, None if is_never else reset)
        if not choice.results[0].uses:
            Rewriter.erase_op(choice)


def _is_mark(op: Operation) -> bool:
    """Tell whether an op chooses between a value and itself by one truth value."""
    if op.name != _SELECT:
        return False
    reset, left, right = op.operands
    return left is right and spec_of(reset).elements == 1
