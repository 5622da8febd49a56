"""Sizes for the symbolic dims of a program: every one gets a number, or the faults list them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.export import ExportedProgram

from .....dialects.diagnostics import Fault
from .....dialects.suggestions import listed

_NUMBERS = {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}


@dataclass(frozen=True)
class Sizes:
    """The number that stands for each symbol of a program's shapes."""

    by_symbol: Mapping[Any, int]

    def number(self, value: Any) -> Any:
        """Return a symbolic number as a number; itself where it is none, or depends on data."""
        if type(value) not in _NUMBERS:
            return value
        known = value.node.expr.subs(dict(self.by_symbol))
        return value if known.free_symbols else _NUMBERS[type(value)](known)

    def shape(self, tensor: Tensor) -> tuple[int, ...] | None:
        """Return the shape of a tensor; None where a dim depends on data."""
        dims = [self.number(dim) for dim in tensor.shape]
        return tuple(dims) if all(isinstance(dim, int) for dim in dims) else None


def read_sizes(program: ExportedProgram, dims: Mapping[str, int]) -> tuple[Sizes, list[Fault]]:
    """Return the sizes that `dims` gives, and the faults of what it gives, or leaves open.

    A dim goes by the name of its `torch.export.Dim`, or by `input:axis`.
    """
    names = list(_names(program))
    symbols = dict(names)
    faults = [*_option_faults(program, symbols, dims)]
    by_symbol = {symbols[name]: size for name, size in dims.items() if name in symbols}
    unnamed = {symbol: name for name, symbol in reversed(names) if symbol not in by_symbol}
    for symbol, name in unnamed.items():
        owner = next(key for key, each in names if each == symbol and ":" in key)
        remedy = f"fix it: dims={{'{name}': 1}}"
        faults.append(Fault(f"dim '{name}' of input '{owner}'", "has no size", remedy))
    return Sizes(by_symbol), faults


def _names(program: ExportedProgram) -> Iterator[tuple[str, Any]]:
    """Yield the symbols of the inputs, each by the name of its Dim, then by `input:axis`."""
    for node in program.graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        for axis, dim in enumerate(value.shape if isinstance(value, Tensor) else [value]):
            if isinstance(dim, torch.SymInt) and dim.node.expr.is_symbol:
                symbol, environment = dim.node.expr, dim.node.shape_env
                for source in environment.var_to_sources.get(symbol, ()):
                    name = environment.source_name_to_debug_name.get(source.name)
                    yield from [(name, symbol)] if name else []
                yield f"{node.name}:{axis}", symbol


def _option_faults(
    program: ExportedProgram, symbols: Mapping[str, Any], dims: Mapping[str, int]
) -> Iterator[Fault]:
    for name, size in dims.items():
        if name not in symbols:
            known = listed(name, symbols, "symbolic are:")
            yield Fault(f"dim '{name}'", "is no symbolic dim of the module", known)
            continue
        bounds = program.range_constraints.get(symbols[name])
        if size < 1 or (bounds is not None and not bounds.lower <= size <= bounds.upper):
            remedy = f"it lies between {bounds.lower} and {bounds.upper}" if bounds else "use >= 1"
            yield Fault(f"dim '{name}'", f"cannot have the size {size}", remedy)
