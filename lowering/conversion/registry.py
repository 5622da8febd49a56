"""Conversions of graph ops to native ops, as an op package brings them."""

from collections.abc import Callable
from dataclasses import dataclass

from ...dialects.qti_aisw import CustomOp, GraphOp
from ...dialects.registrar import Registrar
from ..rules.graph.names import GRAPH as GRAPH
from .builder import Builder

Convert = Callable[[GraphOp, Builder], None]
"""Appends native ops to the builder and sets what the op's results became."""

CUSTOM = CustomOp.name
"""The graph op that represents ops of packages."""


@dataclass(frozen=True)
class Conversion:
    """A function that turns one graph op into native ops; `op` is the graph op's name in the IR.

    For an op of a package (`qti_aisw.Custom`) that is the op it represents: `Package.Op`.
    """

    op: str
    function: Convert

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class ConversionSet(Registrar[Conversion]):
    """The conversions of one module; the decorator is `ConversionSet().conversion`."""

    def conversion(self, *ops: str) -> Callable[[Convert], Convert]:
        """Declare a function as the conversion of graph ops: `Conv2d`, or `Package.Op`."""
        return self._declaring(lambda function: [Conversion(ir_name(op), function) for op in ops])


def function_label(function: Callable[..., object]) -> str:
    """Return a function's module and name: `linear.gemm`; of a closure, its maker's."""
    module = str(function.__module__).rpartition(".")[2]
    return f"{module}.{function.__qualname__.partition('.')[0]}"


def ir_name(op: str) -> str:
    """Return a graph op's name in the IR: `Conv2d` -> `qti_aisw.Conv2d`; `Package.Op` stays."""
    return op if "." in op else f"{GRAPH}.{op}"


def keys(op: GraphOp) -> tuple[str, ...]:
    """Return the names under which an op's conversion is looked for, the most special first."""
    return (op.target, op.name) if isinstance(op, CustomOp) else (op.name,)


def conversion_sketch(op: str) -> str:
    """Return the remedy for a graph op without a conversion: the three lines of one."""
    lines = (
        "give it one in an op package",
        f'  @CONVERSIONS.conversion("{op}")  # CONVERSIONS = ConversionSet()',
        "  def convert(op: GraphOp, builder: Builder) -> None: builder.set(op.results[0], ...)",
        '  PACKAGE = op_package("Name", conversions=[CONVERSIONS])',
    )
    return "\n".join(lines)
