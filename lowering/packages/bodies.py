"""The Python side of a C++ package: what its ops are and what its functions compute."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from ...dialects.htp.fields import Field
from ...dialects.value import TensorSpec
from ...runtime.kernel.kernel import Cost, CostFunction
from ...runtime.kernel.kernel import Operand as KernelOperand
from ...runtime.kernel.scratch import ScratchHook
from .def_package.declared import DeclaredOperand, DeclaredResult, InferResult, OpDeclaration
from .ops.declared_op import declaration

F = TypeVar("F")
Body = Callable[..., None]
"""Called with the outputs, the operands, then the scratch of the kernel's signature, if any.

Tensors are of any class, shapes are ShapeParam.
"""


@dataclass(frozen=True)
class Bodies:
    """Python bodies for the ops of a C++ package; the decorator is `bodies.body("Op")`.

    A constructor hook of the package is written as `bodies.hook("HookClass")`: a function from the
    specs of results and operands to the shapes of scratch tensors, by their C++ names.
    """

    kernel_bodies: dict[str, Body] = field(default_factory=dict[str, Body])
    costs: dict[str, CostFunction] = field(default_factory=dict[str, CostFunction])
    hooks: dict[str, ScratchHook] = field(default_factory=dict[str, ScratchHook])
    declarations: dict[str, OpDeclaration] = field(default_factory=dict[str, OpDeclaration])

    def op(
        self,
        op: str,
        /,
        *results: str | InferResult | DeclaredResult,
        **operands: Field[object] | DeclaredOperand,
    ) -> Callable[[Body], Body]:
        """Declare what an op takes and gives, and a function as its body.

        Each result is like an operand, by its name, or as an access map, a function of the op or
        `result(...)` says. HtpError for a result that speaks of no operand.

        Example: `@bodies.op("Gain", "in", in_=tensor_def(), factor=param_def(1))`
        """
        self.declarations[op] = declaration(op, results, operands)
        return self.body(op)

    def body(self, op: str) -> Callable[[Body], Body]:
        """Declare a function as the body of all kernels of an op."""
        return partial(_declare, self.kernel_bodies, op)

    def cost(self, name: str) -> Callable[[CostFunction], CostFunction]:
        """Declare a function as the cost function that the C++ text calls by this name.

        It is called with the specs of the results and of the operands.
        """
        return partial(_declare, self.costs, name)

    def hook(self, name: str) -> Callable[[ScratchHook], ScratchHook]:
        """Declare a function as the constructor hook that the C++ text calls by this name."""
        return partial(_declare, self.hooks, name)


def _declare(table: dict[str, F], name: str, function: F) -> F:
    table[name] = function
    return function


@dataclass(frozen=True)
class UnboundCost:
    """A cost function of C++ text that has no Python side: its kernel counts as SNAIL."""

    name: str

    def __call__(self, outputs: Sequence[TensorSpec], operands: Sequence[KernelOperand]) -> float:
        """Return the cost, whatever the tensors are."""
        return Cost.SNAIL.value

    def __str__(self) -> str:
        return f'SNAIL, until @bodies.cost("{self.name}") says what {self.name} computes'
