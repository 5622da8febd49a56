"""The faults of a program's inputs and results, and of the state that it writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import Tensor, fx
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind

from .....dialects.diagnostics import Fault
from ...graph.arrays import UnknownType
from .results import Results
from .tensors import dtype_of_tensor

_WRITTEN = {
    OutputKind.BUFFER_MUTATION: "buffer",
    OutputKind.USER_INPUT_MUTATION: "input",
    OutputKind.PARAMETER_MUTATION: "parameter",
}


def dtype_faults(program: ExportedProgram, results: Results) -> Iterator[Fault]:
    """Yield the inputs and results of dtypes that a graph does not have.

    PyTorch's exporter makes two numbers of a complex one.
    """
    inputs = zip(
        program.graph_signature.input_specs,
        program.graph.find_nodes(op="placeholder"),
        strict=True,
    )
    users = [(node.name, node) for spec, node in inputs if spec.kind is InputKind.USER_INPUT]
    for kind, named in (("input", users), ("output", results)):
        for name, node in named:
            value = node.meta.get("val") if isinstance(node, fx.Node) else node
            if (problem := _dtype_problem(value)) is not None:
                yield Fault(f"{kind} '{name}'", problem, "cast it before")


def _dtype_problem(value: Any) -> str | None:
    if isinstance(value, Tensor):
        try:
            dtype_of_tensor(value)
        except UnknownType as problem:
            return str(problem)
    return None


def state_faults(program: ExportedProgram) -> Iterator[Fault]:
    """Yield the state that a program, taken apart, writes; PyTorch's exporter passes over it.

    An input that is written and returned, such as a cache, loses nothing.
    """
    specs = program.graph_signature.output_specs
    returned = {spec.arg.name for spec in specs if spec.kind is OutputKind.USER_OUTPUT}
    for spec in specs:
        is_returned = spec.kind is OutputKind.USER_INPUT_MUTATION and spec.arg.name in returned
        if spec.kind in _WRITTEN and not is_returned:
            problem = "is written by the module, and its state would be lost"
            remedy = "use Buffer, StatefulGru or StatefulLstm, or return the new state"
            yield Fault(f"{_WRITTEN[spec.kind]} '{spec.target}'", problem, remedy)
