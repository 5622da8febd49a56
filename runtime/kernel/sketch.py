"""The text of a kernel to write where an op has none that fits."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.value.spec import TensorSpec
from ..tensors.tensor_classes import tensor_class
from ..tensors.tensors import ShapeParam
from .kernel import Operand


def kernel_sketch(
    op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand], *, typed: bool = False
) -> str:
    """Write the three lines of a kernel that would take these tensors.

    It takes any tensors, or with `typed` just those of their classes.
    """

    def takes(operand: Operand) -> str:
        if isinstance(operand, ShapeParam):
            return "ShapeParam"
        return tensor_class(operand).__name__ if typed else "Tensor"

    package, _, name = op.partition(".")
    slots = [f"out{index or ''}: {takes(spec)}" for index, spec in enumerate(outputs)]
    slots += [f"in{index}: {takes(operand)}" for index, operand in enumerate(operands)]
    lines = (
        "write one for these classes"
        if typed
        else "load the package that has one, or write a kernel",
        f'  KERNELS = KernelSet("{package}")',
        f'  @KERNELS.kernel("{name}")',
        f"  def reference({', '.join(slots)}) -> None: out.store(...)",
    )
    return "\n".join(lines)
