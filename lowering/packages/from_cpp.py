"""C++ packages among the others: ops from signatures, and Python functions as their bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from ...dialects.checks import require
from ...dialects.diagnostics import fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.types import ShapeType
from ...dialects.spec import TensorSpec, spec_of
from ...runtime.kernel import Annotation, Cost, Flag, Kernel, Slot
from ...runtime.tensor_classes import CLASSES
from ...runtime.tensors import Tensor
from .cpp.package import CppPackage, KernelParameter, KernelSignature, Role
from .package import OpPackage, op_package

Body = Callable[..., None]
"""Called with the outputs, then the operands: tensors of any class, shapes as ShapeParam."""

_CLASSES = {class_.__name__: class_ for class_ in CLASSES.values()}


@dataclass(frozen=True)
class Bodies:
    """What the ops of a C++ package do, in Python; the decorator is `bodies.body("Op")`."""

    held: dict[str, Body] = field(default_factory=dict[str, Body])

    def body(self, op: str) -> Callable[[Body], Body]:
        """Declare a function as the body of all kernels of an op."""

        def declare(function: Body) -> Body:
            self.held[op] = function
            return function

        return declare


class DeclaredOp(NativeOp):
    """An op of which only a name and the kernels' signatures are known; its results are free."""

    OPERANDS = ("operands...",)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (None,) * self.RESULTS

    def verify_operands(self) -> None:
        """Check the number of operands and the tensors' rank; any may be a shape."""
        least = len(self.OPERANDS) - 1
        found = len(self.operands)
        require(found >= least, self, f"has {found} operands, at least {least} are needed")
        for index, operand in enumerate(self.operands):
            if not isinstance(operand.type, ShapeType):
                self.verify_rank(f"operand '{self.operand_name(index)}'", spec_of(operand))


@dataclass(frozen=True)
class ParameterSlot(Slot):
    """A parameter of a C++ function: a generic tensor also takes a shape."""

    def fits_operand(self, found: Annotation) -> bool:
        """Whether an operand of this class may be passed here."""
        return self.takes is Tensor or found is self.takes


def from_cpp(package: CppPackage, bodies: Bodies | None = None) -> OpPackage:
    """A package that was read from C++ text, for use with others.

    Its ops are read, rewritten, placed and given kernels by their signatures; to run one, it needs
    a body. A cost that a C++ function computes counts as SNAIL, and a tensor class that is not
    known as Tensor. HtpError for a body of an op that the package does not have.
    """
    held = bodies.held if bodies else {}
    for op in held.keys() - set(package.ops):
        known = ", ".join(package.ops) or "none"
        raise fail(f"package {package.name}", f"has no op '{op}' for a body", f"it has {known}")
    return op_package(
        package.name,
        ops=[_op(package, name) for name in package.ops],
        kernels=[[_kernel(package.name, signature, held) for signature in package.kernels]],
        properties=package.properties,
        param_orders=package.param_orders,
        rules=[package.rules],
        axis_params=package.axis_params,
    )


def _op(package: CppPackage, name: str) -> type[NativeOp]:
    """A class for an op: operands as its tensor properties name them, and any number more."""
    row = next((row for row in package.properties if row.op == name), None)
    outputs = [len(k.classes(Role.OUTPUT)) for k in package.kernels if k.op == name]
    members = {
        "name": f"{package.name}.{name}",
        "OPERANDS": (*row.inputs, "operands...") if row else DeclaredOp.OPERANDS,
        "RESULTS": max([1, len(row.outputs) if row else 1, *outputs]),
        "__doc__": f"The op {name} of the C++ package {package.name}.",
        "__module__": __name__,
    }
    return type(name, (DeclaredOp,), members)


def _kernel(package: str, signature: KernelSignature, bodies: Mapping[str, Body]) -> Kernel:
    op = f"{package}.{signature.op}"
    outputs, inputs = (_slots(signature, role) for role in (Role.OUTPUT, Role.INPUT))
    body = bodies.get(signature.op)
    return Kernel(
        op=op,
        name=signature.instance,
        function=body or partial(_refuse, op, signature.instance),
        outputs=outputs or (ParameterSlot("out", Tensor),),
        inputs=inputs or (ParameterSlot("operands", Tensor),),
        variadic=not inputs,
        binding=False,
        cost=signature.cost if isinstance(signature.cost, Cost) else Cost.SNAIL,
        flags=signature.flags if body else signature.flags | Flag.INHIBIT_CONST_PROP,
    )


def _slots(signature: KernelSignature, role: Role) -> tuple[Slot, ...]:
    """The slots of one role; scratch takes no part in selection and belongs to the C++ body."""
    return tuple(_slot(p) for p in signature.parameters if p.role is role)


def _slot(parameter: KernelParameter) -> Slot:
    return ParameterSlot(parameter.name, _CLASSES.get(parameter.takes, Tensor))


def _refuse(op: str, kernel: str, *tensors: object) -> None:
    name = op.partition(".")[2]
    lines = (
        "write one and give it to from_cpp",
        "  bodies = Bodies()",
        f'  @bodies.body("{name}")',
        f"  def run({', '.join(f't{index}' for index in range(len(tensors)))}): ...",
    )
    raise fail(op, f"kernel {kernel} has a C++ signature and no Python body", "\n".join(lines))
