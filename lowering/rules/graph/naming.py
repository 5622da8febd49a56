"""The names of values in reports: those that a reader knows them by, else those of printed IR."""

from collections.abc import Sequence
from io import StringIO

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.printer import Printer

from ....dialects.locations import known_as
from .graph import origin


class Names:
    """The names of a function's values: node, name or place in the text, else `%4` in its IR."""

    def __init__(self, function: FuncOp | None = None) -> None:
        self._names: dict[SSAValue, str] = {}
        printer = Printer(StringIO())
        for block in function.body.blocks if function else ():
            for value in (*block.args, *(result for op in block.ops for result in op.results)):
                self._names[value] = f"%{printer.print_ssa_value(value)}"

    def __call__(self, value: SSAValue) -> str:
        """Return the name of a value; `a new value` for one without a name that came later.

        The constant of a param is shown as the param: `array<i64: 1>`.
        """
        param = origin(value)
        if param is not None:
            return str(param)
        return known_as(value) or self.ssa(value) or "a new value"

    def ssa(self, value: SSAValue) -> str:
        """Return the name of a value in the IR in front of the pass group; empty without one."""
        return self._names.get(value, "")

    def follow(self, root: Operation, new: Sequence[Operation]) -> None:
        """Name the new ops of a firing: the last op as the root, the others by a number."""
        name = self._names.get(root.results[0])
        values = [op.results[0] for op in new]
        if name is None or not values:
            return
        self._names[values[-1]] = name
        for index, value in enumerate(values[:-1]):
            self._names[value] = f"{name}.{index}"
