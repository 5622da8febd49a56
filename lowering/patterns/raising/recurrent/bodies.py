"""StatefulGru and StatefulLstm whose bodies a tool wrote into the graph.

The body of such a node reads its data through `Where(reset, X, X)`, which is X: no model has that
for another reason. No rule of the rule language: a rule replaces one output.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from .....dialects.qti_aisw.ops.const import ConstOp
from .....dialects.qti_aisw.ops.recurrent import Recurrent
from .....dialects.spec_of import spec_of
from .threads import kind_of, replace_layer

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
