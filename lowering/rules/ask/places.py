"""The ops that a user names: by a node, by a value of the module that was read, or by a place.

Reports name values as a reader knows them, else as printed IR does.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from ....dialects.locations import Origin, known_as, origins_of
from ....runtime.passes import Instrument
from ..graph.graph import origin


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


_LINE_AND_COLUMN = re.compile(r"\d+:\d+")


def bare(value: str) -> str:
    """Return the name of a value without its marks: `conv1` of `'conv1'`, `x` of `%x`."""
    return value.removeprefix("%").strip("'")


class Places(Instrument):
    """Names of ops: `conv1`, `%relu`, `5:3`, `model.mlir:5` or `model.mlir:5:3`.

    A name is that of a node, or of a value in front of the first pass; a later op is meant where it
    comes from there. A name that no value has then means one in front of the pass group.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._origins: dict[str, set[Origin]] = {bare(name): set() for name in names}
        self._module: ModuleOp | None = None

    @property
    def names(self) -> Sequence[str]:
        """The names, without marks."""
        return list(self._origins)

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        if module is self._module:
            return
        self._module = module
        for function in (op for op in module.ops if isinstance(op, FuncOp)):
            named = Names(function)
            for value in (value for op in function.walk() for value in op.results):
                for name in {bare(named(value)), bare(named.ssa(value))} & self._origins.keys():
                    self._origins[name].update(origins_of(value.op))

    def is_at(self, name: str, values: Collection[str], origins: Sequence[Origin]) -> bool:
        """Tell whether a name means an op, by the names of its result and what it comes from."""
        name = bare(name)
        if known := self._origins[name]:
            return not known.isdisjoint(origins)
        return name in map(bare, values) or any(
            name == origin.node or _is_place(name, origin.position) for origin in origins
        )


def _is_place(name: str, position: str) -> bool:
    """Tell whether a name is `LINE:COL`, `FILE:LINE` or `FILE:LINE:COL` of a position."""
    if _LINE_AND_COLUMN.fullmatch(name):
        return position.endswith(f":{name}")
    return any(
        place == name or place.endswith(f"/{name}")
        for place in (position, position.rpartition(":")[0])
    )
