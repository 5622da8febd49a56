"""Lines of IR whose values keep their names from the first pass to the last.

Text that is printed after each pass numbers its values anew, so that one new op changes every line
behind it. Here a value is named when it is first seen. An op is printed again only where it has
changed; a line is a number, so that modules are compared as lists of numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ....dialects.faults.op_faults import title
from ....dialects.locations import known_as, origins_text
from ....dialects.text.printer import ModulePrinter
from ...rules.graph.graph import origin
from ..elide import elided

_SHOWN = 8
"""Elements; constants of more are left out."""
NO_OP = -1
"""The number of the op of a line that begins or ends a function."""

Form = tuple[object, ...]


@dataclass(frozen=True)
class Line:
    """The text of an op at some time, the nodes and places that it comes from, and its title.

    `op` is its number, one for its whole life. The title is empty where it would say no more than
    the op's name.
    """

    op: int
    text: str
    origins: str = ""
    title: str = ""


@dataclass(eq=False, repr=False)
class _Printer(ModulePrinter):
    """A printer that knows a value by its op: passes that change a type make a new value there."""

    _first: dict[tuple[Operation | Block, int], SSAValue] = field(default_factory=dict)

    def print_ssa_value(self, value: SSAValue) -> str:
        if isinstance(value, OpResult | BlockArgument):
            value = self._first.setdefault((value.owner, value.index), value)
        return super().print_ssa_value(value)


class Lines:
    """All lines that were seen, by number."""

    def __init__(self) -> None:
        self.all: list[Line] = []
        self._stream = StringIO()
        self._printer = _Printer(self._stream, handle_of=elided(_SHOWN))
        self._ops: dict[Operation, int] = {}
        self._last: dict[Operation, tuple[Form, int]] = {}
        self._borders: dict[tuple[Operation, str], int] = {}

    @property
    def ops(self) -> int:
        """The number of ops that were seen."""
        return len(self._ops)

    def name(self, value: SSAValue) -> str:
        """Return what a reader knows a value by, else `%4` of the page; a param itself."""
        param = origin(value)
        if param is not None:
            return str(param)
        return known_as(value) or f"%{self._printer.print_ssa_value(value)}"

    def number(self, op: Operation) -> int:
        """Return the number of an op."""
        return self._ops.setdefault(op, len(self._ops))

    def of(self, module: ModuleOp) -> list[int]:
        """Return the lines of a module."""
        return list(self._lines(module))

    def last(self, op: Operation) -> int | None:
        """Return the line of an op when it was last printed, before it was erased."""
        known = self._last.get(op)
        return known[1] if known else None

    def line(self, op: Operation) -> int:
        """Return the line of an op as it is now."""
        form = (
            *op.operands,
            *(result.type for result in op.results),
            *op.properties.items(),
            *op.attributes.items(),
        )
        known = self._last.get(op)
        if known is not None and known[0] == form:
            return known[1]
        self._stream.seek(0)
        self._stream.truncate()
        self._printer.print_op(op)
        origins = origins_text(op)
        shown = title(op) if origins else ""
        self.all.append(Line(self.number(op), self._stream.getvalue(), origins, shown))
        self._last[op] = (form, len(self.all) - 1)
        return len(self.all) - 1

    def _lines(self, module: ModuleOp) -> Iterator[int]:
        for op in module.body.block.ops:
            if not isinstance(op, FuncOp):
                yield self.line(op)
                continue
            # The arguments get their names before the ops do.
            yield self._border(op, self._head(op))
            for block in op.body.blocks:
                yield from map(self.line, block.ops)
            yield self._border(op, "}")

    def _head(self, function: FuncOp) -> str:
        self._stream.seek(0)
        self._stream.truncate()
        self._printer.print_string(f"func.func @{function.sym_name.data}(")
        for index, value in enumerate(function.args):
            self._printer.print_string(", " * bool(index))
            self._printer.print_ssa_value(value)
            self._printer.print_string(": ")
            self._printer.print_attribute(value.type)
        self._printer.print_string(") -> (")
        self._printer.print_list(function.function_type.outputs, self._printer.print_attribute)
        self._printer.print_string(") {")
        return self._stream.getvalue()

    def _border(self, function: Operation, text: str) -> int:
        if (function, text) not in self._borders:
            self.all.append(Line(NO_OP, text))
            self._borders[function, text] = len(self.all) - 1
        return self._borders[function, text]
