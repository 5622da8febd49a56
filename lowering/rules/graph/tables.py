"""Tables of the ops in use, by IR name: their tensor properties and their kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....dialects.value.place import LayoutKind, Memory
from ....runtime.kernel.registry import KernelRegistry


@dataclass(frozen=True)
class TensorProperties:
    """The layout and memory that an op demands, by tag; a tag that is absent is free.

    `inputs` names the operands in order, `outputs` the results (the first is `*`).
    """

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    layouts: tuple[tuple[str, LayoutKind], ...]
    memories: tuple[tuple[str, Memory], ...]

    def layout(self, tag: str) -> LayoutKind | None:
        """Return the layout that a tensor must have, if any."""
        return dict(self.layouts).get(tag)

    def memory(self, tag: str) -> Memory | None:
        """Return the memory that a tensor must be in, if any."""
        return dict(self.memories).get(tag)

    def input_tag(self, index: int) -> str | None:
        """Return the tag of an operand; None for one that the op does not name."""
        return self.inputs[index] if index < len(self.inputs) else None


@dataclass(frozen=True)
class OpTables:
    """The tensor properties of ops, by IR name, and the kernels of the same ops."""

    properties: Mapping[str, TensorProperties]
    kernels: KernelRegistry
