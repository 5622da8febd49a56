"""Importers of ONNX ops, as an op package brings them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ....dialects.registrar import Registrar
from ...conversion.registry import function_label
from ..graph.value import Value
from .binding import bound
from .context import NodeContext

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

OpKey = tuple[str, str]
"""Domain ("" for ONNX's own) and op type."""

BLOCK_OPS = "qti_aisw"
"""The domain of the block ops."""

Importer = Callable[..., Value | Sequence[Value | None]]
"""Builds the graph ops of one node and gives its outputs, as many as are asked for or more.

One that nothing reads may be None."""

Function = TypeVar("Function", bound=Importer)

Leaves = Callable[["NodeProto", Mapping[str, "TypeProto"]], bool]
"""Tells of a node and the types of values whether the op's body is to take the node's place."""


@dataclass(frozen=True)
class OnnxImporter:
    """The importer of one op of ONNX models.

    A node of an op that `folds` is evaluated before the import where all its inputs are constant.
    An op that `keeps_stored` takes quantised inputs as the integers that are stored. Nodes that it
    `leaves` become the body that ONNX has for the op.
    """

    domain: str
    op: str
    function: Importer
    folds: bool = False
    keeps_stored: bool = True
    leaves: Leaves | None = None

    @property
    def key(self) -> OpKey:
        """The key in tables."""
        return self.domain, self.op

    def build(self, ctx: NodeContext) -> list[Value | None]:
        """Build the graph ops of a node."""
        inputs, attributes = bound(self.function, ctx)
        results = self.function(*inputs, **attributes)
        return [results] if isinstance(results, Value) else [*results]

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class ImporterSet(Registrar[OnnxImporter]):
    """The importers of one module; the decorator is `ImporterSet().importer`.

    `keeps_stored` holds for those that do not say otherwise.
    """

    def __init__(self, *, keeps_stored: bool = True) -> None:
        super().__init__()
        self._keeps_stored = keeps_stored

    def importer(
        self,
        *ops: str,
        domain: str = "",
        folds: bool = False,
        keeps_stored: bool | None = None,
        leaves: Leaves | None = None,
    ) -> Callable[[Function], Function]:
        """Declare a function as the importer of ops; the domain "" is that of ONNX itself.

        Its positional parameters are the inputs: `Value`, `Value | None` where one may be left out,
        an array or a tuple of ints where it must be constant, and `*Value` for all that follow. Its
        keyword-only ones are attributes with their defaults. A NodeContext is the node itself.
        """
        stored = self._keeps_stored if keeps_stored is None else keeps_stored

        domain = domain_of(domain)
        return self._declaring(
            lambda function: [
                OnnxImporter(domain, op, function, folds, stored, leaves) for op in ops
            ]
        )


def domain_of(name: str) -> str:
    """Return a domain's one spelling: ONNX's own has two."""
    return "" if name == "ai.onnx" else name


def importer_sketch(key: OpKey) -> str:
    """Return the remedy for an op without an importer: the three lines of one."""
    domain, op = key
    where = f', domain="{domain}"' if domain else ""
    load = f"load the op package {domain}, " if domain else ""
    lines = (
        f"express it in supported ops, {load}or give it an importer in an op package",
        f'  @IMPORTERS.importer("{op}"{where})  # IMPORTERS = ImporterSet()',
        '  def build(x: Value) -> Value: return x.op("Relu")',
        '  PACKAGE = op_package("Name", importers=[IMPORTERS])',
    )
    return "\n".join(lines)
