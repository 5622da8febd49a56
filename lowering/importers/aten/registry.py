"""Conversions of PyTorch's ops, as a user, an op package or the project brings them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ....dialects.registrar import Registrar
from ...conversion.builder import function_label
from ..graph.value import Value

T = TypeVar("T")

Convert = Callable[..., Value | Sequence[Value | None]]
"""Builds the graph ops of one node; returns its result, or all of them, None for an unused one.

Its parameters are the op's arguments, by their names in the schema: values where these are tensors.
One that is called `node` is the AtenNode itself.
"""

Function = TypeVar("Function", bound=Convert)

When = Callable[[Mapping[str, Any]], bool]
"""Tells of a node, by its arguments, whether a conversion takes it. Tensors have the types, shapes
and dtypes of PyTorch's exporter, which takes it otherwise."""


@dataclass(frozen=True)
class TorchConversion:
    """The conversion of one op: `aten.add.Tensor`, or `aten.add` for all its overloads."""

    op: str
    function: Convert
    when: When | None = None

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class TorchConversions(Registrar[TorchConversion]):
    """The conversions of one module; the decorator is `TorchConversions().conversion`."""

    def conversion(self, *ops: str, when: When | None = None) -> Callable[[Function], Function]:
        """Declare a function as the conversion of ops: `aten.add.Tensor`, `aten.add`.

        With `when` it is that of the nodes for whose arguments this holds, by their names.
        """
        return self._declaring(lambda function: [TorchConversion(op, function, when) for op in ops])


def of_op(table: Mapping[str, T], op: str) -> T | None:
    """Find the row of an overload, `aten.add.Tensor`, or else of all overloads, `aten.add`."""
    return table.get(op, table.get(op.rpartition(".")[0]))
