"""The text of a kernel to write where an op has none that fits."""

import re
from collections.abc import Sequence

from ...dialects.value import TensorSpec
from ..tensors.tensor_classes import tensor_class
from ..tensors.tensors import ShapeParam
from .kernel import Operand


def kernel_sketch(
    op: str,
    outputs: Sequence[TensorSpec],
    operands: Sequence[Operand],
    *,
    typed: bool = False,
    cpp: bool = False,
) -> str:
    """Write the lines of a kernel that would take these tensors, in Python or C++.

    It takes any tensors, or with `typed` just those of their classes.
    """

    def takes(operand: Operand) -> str:
        if isinstance(operand, ShapeParam):
            return "ShapeParam"
        return tensor_class(operand).__name__ if typed else "Tensor"

    package, _, name = op.partition(".")
    results = [(f"out{index or ''}", takes(spec)) for index, spec in enumerate(outputs)]
    inputs = [(f"in{index}", takes(operand)) for index, operand in enumerate(operands)]
    first = "write one for these classes" if typed else _OTHERWISE
    if cpp:
        return "\n".join((first, *(f"  {line}" for line in cpp_lines(name, results, inputs))))
    slots = ", ".join(f"{name}: {class_}" for name, class_ in (*results, *inputs))
    lines = (
        first,
        "  from htp_mlir.runtime import KernelSet, ShapeParam, Tensor",
        f'  KERNELS = KernelSet("{package}")',
        f'  @KERNELS.kernel("{name}")',
        f"  def reference({slots}) -> None: out.store(...)",
    )
    return "\n".join(lines)


def cpp_lines(
    name: str, results: Sequence[tuple[str, str]], inputs: Sequence[tuple[str, str]]
) -> tuple[str, str]:
    """Write a kernel of an op as C++ declares it, from names and tensor classes."""
    function = re.sub(r"\W", "_", name, flags=re.ASCII).lower()
    # A shape arrives in C++ as a tensor like any other.
    classes = [(slot, "Tensor" if class_ == "ShapeParam" else class_) for slot, class_ in inputs]
    parameters = [f"{class_} &{slot}" for slot, class_ in results]
    parameters += [f"const {class_} &{slot}" for slot, class_ in classes]
    return (
        f"GraphStatus {function}({', '.join(parameters)});",
        f'DEF_PACKAGE_OP({function}, "{name}")',
    )


_OTHERWISE = "load the package that has one, or write a kernel"
