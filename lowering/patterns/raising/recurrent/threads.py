"""Lstm and Gru that become StatefulLstm and StatefulGru, by two signs.

Their state goes in and out of the model, or a tool wrote the body of such an op into the graph,
which reads its data through `Where(reset, X, X)`: no model has that for another reason. No rule of
the rule language: a rule replaces one output, and these have two or three.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType, i1
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from .....dialects.diagnostics import Fault, fail
from .....dialects.faults.op_faults import fault_at
from .....dialects.locations import NAME
from .....dialects.qti_aisw import GRAPH_OPS, build
from .....dialects.qti_aisw.base import GraphOp
from .....dialects.qti_aisw.ops.const import ConstOp
from .....dialects.qti_aisw.ops.movement import ReshapeOp, StridedSliceOp
from .....dialects.qti_aisw.ops.recurrent import Recurrent
from .....dialects.qti_aisw.params import ints
from .....dialects.spec_of import spec_of

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
        argument = _source(initial)
        if not isinstance(argument, BlockArgument):
            return f"{role} is computed, it is no input of the model"
        if not _is_alone(initial):
            return f"{role} is an input that other ops read, too"
        if not any(end.type == argument.type for end in _returned(final)):
            return f"the state after it is no output of the model in the shape of {role}"
    return None


def _source(value: SSAValue) -> SSAValue:
    """Return the value whose elements, all and in order, a value has."""
    inner = _viewed(value)
    return value if inner is None else _source(inner)


def _viewed(value: SSAValue) -> SSAValue | None:
    """Return the operand of the op that keeps all elements in order; None for another value."""
    owner = value.owner
    return owner.operands[0] if isinstance(owner, Operation) and _is_view(owner) else None


def _is_view(op: Operation) -> bool:
    """Tell whether an op is a Reshape or a slice of all; exporters write both around states."""
    if isinstance(op, StridedSliceOp):
        same = op.inp.type == op.out.type
        return same and all(stride > 0 for stride in ints(op.ranges)[2::3])
    return isinstance(op, ReshapeOp)


def _is_alone(value: SSAValue) -> bool:
    """Tell whether a value, and those that it is a view of, are read once."""
    inner = _viewed(value)
    return value.has_one_use() and (inner is None or _is_alone(inner))


def _returned(value: SSAValue) -> Iterator[SSAValue]:
    """Yield the outputs of the model that are a value, or views of it."""
    for use in value.uses:
        if isinstance(use.operation, ReturnOp):
            yield value
        elif _is_view(use.operation):
            yield from _returned(use.operation.results[0])


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
    """Put the block op in the place of a Gru or an Lstm, with its operands and this reset."""
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
    Rewriter.erase_op(layer)


_SELECT = "qti_aisw.ElementWiseSelect"


def restore_layers(module: ModuleOp) -> None:
    """Put the block op in the place of each Gru and Lstm whose data says that it was one."""
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
