"""StatefulGru and StatefulLstm whose bodies a tool wrote into the graph.

The body of such a node reads its data through `Where(reset, X, X)`, which is X: no model has that
for another reason. No rule of the rule language: a rule replaces one output.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....dialects.qti_aisw.ops.const import ConstOp
from ....dialects.qti_aisw.ops.recurrent import Recurrent
from ....dialects.spec_of import spec_of
from .threads import kind_of, replace_layer

_SELECT = "qti_aisw.ElementWiseSelect"


def restore_layers(module: ModuleOp) -> None:
    """Put the block op in the place of each Gru and Lstm whose data says that it was one."""
    for layer in [op for op in module.walk() if isinstance(op, Recurrent) and kind_of(op)]:
        reset = _reset_of(layer.operands[0])
        if reset is None:
            continue
        select = layer.operands[0].owner
        layer.operands[0] = select.operands[1]
        is_never = isinstance(reset.owner, ConstOp) and not reset.owner.array.any()
        replace_layer(layer, None if is_never else reset)
        if not select.results[0].uses:
            select.detach()
            select.erase()


def _reset_of(data: SSAValue) -> SSAValue | None:
    """Return the truth value that chooses between a value and itself; None for other data."""
    if getattr(data.owner, "name", "") != _SELECT:
        return None
    reset, left, right = data.owner.operands
    return reset if left is right and spec_of(reset).elements == 1 else None
