"""Checks that verifiers are made of; each raises VerifyException that begins with the op's name."""

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from .spec_of import spec_of
from .value import TensorSpec


def require(condition: bool, op: Operation, message: str) -> None:
    """Raise VerifyException `op name: message` unless the condition holds."""
    if not condition:
        raise VerifyException(f"{op.name}: {message}")


def require_results(op: Operation, inferred: Sequence[TensorSpec | None]) -> None:
    """Check each result against what the op's own rule says; None leaves a result free.

    Places are not compared: they are the choice of the placement passes.
    """
    count = len(inferred)
    require(len(op.results) == count, op, f"has {len(op.results)} results, its rule gives {count}")
    for index, (result, expected) in enumerate(zip(op.results, inferred, strict=True)):
        spec = spec_of(result)
        if expected is None:
            continue
        require(
            spec.shape == expected.shape,
            op,
            f"result {index} has shape {text(spec.shape)}, its inputs give {text(expected.shape)}",
        )
        require(
            spec.same_encoding(expected),
            op,
            f"result {index} has element type {spec.dtype.name}{_quant(spec)}, "
            f"its inputs give {expected.dtype.name}{_quant(expected)}",
        )


def text(shape: Sequence[int]) -> str:
    """Write a shape as 1x8x8x32, or `scalar`."""
    return "x".join(map(str, shape)) or "scalar"


def _quant(spec: TensorSpec) -> str:
    return f" ({spec.quant.scale:g}:{spec.quant.zero_point})" if spec.quant else ""
