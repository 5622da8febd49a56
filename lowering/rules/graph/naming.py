"""The names of values in reports: the model's node, else the name in printed IR."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.printer import Printer

from ....dialects.locations import node_of
from .param_constants import origin


class Names:
    """The names of a function's values: of the node of the model, `'conv1'`, else `%x` or `%4`."""

    def __init__(self, function: FuncOp | None = None) -> None:
        self._names: dict[SSAValue, str] = {}
        printer = Printer(StringIO())
        for block in function.body.blocks if function else ():
            for value in (*block.args, *(result for op in block.ops for result in op.results)):
                self._names[value] = f"%{printer.print_ssa_value(value)}"

    def __call__(self, value: SSAValue) -> str:
        """Return the name of a value; `%hint` or `a new value` for one that came later.

        The constant that stands for a param is the param: `array<i64: 1>`.
        """
        node = node_of(value.owner) if isinstance(value.owner, Operation) else ""
        known = f"'{node}'" if node else self._names.get(value)
        if known is not None:
            return known
        param = origin(value)
        if param is not None:
            return str(param)
        return f"%{value.name_hint}" if value.name_hint else "a new value"

    def follow(self, root: Operation, new: Sequence[Operation]) -> None:
        """Name the new ops of a firing: the last op as the root, the others by a number."""
        name = self._names.get(root.results[0])
        values = [op.results[0] for op in new]
        if name is None or not values:
            return
        self._names[values[-1]] = name
        for index, value in enumerate(values[:-1]):
            self._names[value] = f"{name}.{index}"
