"""Tables of the ops in use, by IR name: their tensor properties and their kernels."""

from collections.abc import Mapping
from dataclasses import dataclass

from ....dialects.value import LayoutKind, Memory
from ....runtime.kernel.library import KernelRegistry

ROOT = "*"
"""The tag of the first output of an op, in rules and in tensor properties."""


@dataclass(frozen=True)
class TensorProperties:
    """The layout and memory that an op demands, by tag; a tag that is absent is free.

    `inputs` names the operands in order, `outputs` the results; the first is also called `*`.
    """

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    layouts: tuple[tuple[str, LayoutKind], ...]
    memories: tuple[tuple[str, Memory], ...]

    def layout(self, tag: str) -> LayoutKind | None:
        """Return the layout that a tensor must have, if any."""
        return dict(self.layouts).get(self._own(tag))

    def memory(self, tag: str) -> Memory | None:
        """Return the memory that a tensor must be in, if any."""
        return dict(self.memories).get(self._own(tag))

    def input_tag(self, index: int) -> str | None:
        """Return the tag of an operand; None for one that the op does not name."""
        return self.inputs[index] if index < len(self.inputs) else None

    def _own(self, tag: str) -> str:
        """Return the tag under which a tensor's demands are kept."""
        return self.outputs[0] if tag == ROOT else tag


@dataclass(frozen=True)
class OpTables:
    """The tensor properties of ops, by IR name, and the kernels of the same ops."""

    properties: Mapping[str, TensorProperties]
    kernels: KernelRegistry
