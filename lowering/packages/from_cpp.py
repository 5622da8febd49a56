"""C++ packages among the others: ops from signatures, and Python functions as their bodies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from typing import ClassVar, TypeVar

from xdsl.ir import SSAValue, SSAValues
from xdsl.irdl import AnyAttr, VarOperandDef

from ...dialects.checks import require
from ...dialects.diagnostics import fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.fields import MANY, Field, out_def
from ...dialects.htp.types import ShapeType
from ...dialects.spec_of import spec_of
from ...dialects.value.place import LayoutKind, Memory
from ...dialects.value.spec import TensorSpec
from ...runtime.kernel.kernel import Annotation, Cost, CostFunction, Flag, Kernel, Operand, Slot
from ...runtime.kernel.scratch import ScratchHook, scratch_of
from ...runtime.tensors.tensor_classes import CLASSES
from ...runtime.tensors.tensors import ShapeParam, Tensor
from .def_package.classes import SHAPE_CLASS
from .def_package.package import CppPackage, KernelSignature, Role
from .package import OpPackage, op_package

F = TypeVar("F")
Body = Callable[..., None]
"""Called with the outputs, the operands, then the scratch of the kernel's signature, if any.

Tensors are of any class, shapes are ShapeParam.
"""

_CLASSES = {class_.__name__: class_ for class_ in CLASSES.values()}


@dataclass(frozen=True)
class Bodies:
    """Python bodies for the ops of a C++ package; the decorator is `bodies.body("Op")`.

    A constructor hook of the package is written as `bodies.hook("HookClass")`: a function from the
    specs of results and operands to the shapes of scratch tensors, by their C++ names.
    """

    kernel_bodies: dict[str, Body] = field(default_factory=dict[str, Body])
    costs: dict[str, CostFunction] = field(default_factory=dict[str, CostFunction])
    hooks: dict[str, ScratchHook] = field(default_factory=dict[str, ScratchHook])

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

    def __call__(self, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
        """Return the cost, whatever the tensors are."""
        return Cost.SNAIL.value

    def __str__(self) -> str:
        return f'SNAIL, until @bodies.cost("{self.name}") says what {self.name} computes'


class DeclaredOp(NativeOp):
    """An op of which only a name and the kernels' signatures are known; its results are free.

    `OPTIONAL` is the number of its last named operands that may be left out.
    """

    OPTIONAL: ClassVar[int] = 0

    values = Field[SSAValues[SSAValue]](VarOperandDef(AnyAttr()))

    def verify_operands(self) -> None:
        """Check the number of operands and the tensors' rank; any may be a shape."""
        least = len(self.OPERANDS) - 1 - self.OPTIONAL
        count = len(self.operands)
        require(count >= least, self, f"has {count} operands, at least {least} are needed")
        for index, operand in enumerate(self.operands):
            if not isinstance(operand.type, ShapeType):
                self.verify_rank(f"operand '{self.operand_name(index)}'", spec_of(operand))


@dataclass(frozen=True)
class ParameterSlot(Slot):
    """A parameter of a C++ function: a generic tensor also takes a shape.

    Where tensor properties say where a generic output is, the function writes it there.
    """

    placed: bool = False

    def fits_operand(self, class_: Annotation) -> bool:
        """Tell whether an operand of this class may be passed here."""
        return self.takes is Tensor or class_ is self.takes

    def fits_output(self, class_: type[Tensor], default_placement: bool) -> bool:
        """Tell whether a result of this class, flat in main memory or not, may be passed here."""
        return super().fits_output(class_, default_placement or self.placed)


def from_cpp(package: CppPackage, bodies: Bodies | None = None) -> OpPackage:
    """Return a package that was read from C++ text, for use with others.

    Its ops are read, rewritten, placed and given kernels by their signatures; to run one, it needs
    a body, and hooks where the text has them: scratch that its hook does not size is 1x1x1x1. A
    cost that a C++ function computes counts as SNAIL until a Python function is given for it.
    HtpError for a body, a cost or a hook of what the package does not have.
    """
    functions = bodies or Bodies()
    hooks = dict.fromkeys(kernel.hook for kernel in package.kernels if kernel.hook)
    _check_bound(package, "op", functions.kernel_bodies, package.ops, "body")
    costs = dict.fromkeys(kernel.cost for kernel in package.kernels if isinstance(kernel.cost, str))
    _check_bound(package, "cost function", functions.costs, costs, "function")
    _check_bound(package, "constructor hook", functions.hooks, hooks, "function")
    results = _results(package)
    # An op of which the text registers no function is run by its body, wherever its tensors are.
    served = {kernel.op for kernel in package.kernels}
    bare = [KernelSignature(op, op) for op in functions.kernel_bodies if op not in served]
    kernels = [*package.kernels, *bare]
    loaded = op_package(
        package.name,
        ops=[_op(package, name, results[name]) for name in package.ops],
        kernels=[[_kernel(package, k, results[k.op], functions) for k in kernels]],
        properties=package.properties,
        param_orders=package.param_orders,
        rules=[package.rules],
        axis_params=package.axis_params,
    )
    undeclared = frozenset(map(loaded.ir_name, package.undeclared))
    return replace(loaded, rules=replace(loaded.rules, undeclared=undeclared), cpp=package)


def _check_bound(
    package: CppPackage, kind: str, bound: Collection[str], known: Collection[str], what: str
) -> None:
    """HtpError for a Python function that belongs to nothing in the C++ text."""
    for name in bound:
        if name not in known:
            problem = f"has no {kind} '{name}' for a {what}"
            raise fail(f"package {package.name}", problem, f"it has {', '.join(known) or 'none'}")


def _op(package: CppPackage, name: str, results: int) -> type[NativeOp]:
    """Make an op's class: operands as its tensor properties name them, and any number more."""
    members = {
        "name": f"{package.name}.{name}",
        "__doc__": f"The op {name} of the C++ package {package.name}.",
        "__module__": __name__,
        **{f"out{index}": out_def() for index in range(1, results)},
    }
    op: type[DeclaredOp] = type(name, (DeclaredOp,), members)
    tags = [tag for row in package.properties if row.op == name for tag in row.inputs]
    op.OPERANDS = (*tags, f"operands{MANY}")
    params = [param for order in package.param_orders if order.op == name for param in order.params]
    absent = sum(not param.mandatory and param.default is None for param in params)
    op.OPTIONAL = min(absent, len(tags))
    return op


def _results(package: CppPackage) -> Mapping[str, int]:
    """Return the number of results of each op, by its kernels and its tensor properties."""
    counts = dict.fromkeys(package.ops, 1)
    named = [(row.op, len(row.outputs)) for row in package.properties]
    named += [(kernel.op, len(kernel.classes(Role.OUTPUT))) for kernel in package.kernels]
    for op, count in named:
        counts[op] = max(counts[op], count)
    return counts


def _kernel(
    package: CppPackage, signature: KernelSignature, results: int, bodies: Bodies
) -> Kernel:
    """The kernel of a signature."""
    op = f"{package.name}.{signature.op}"
    parameters = [p for p in signature.parameters if p.role is not Role.SCRATCH]
    slots = [ParameterSlot(p.name, _annotation(p.takes)) for p in parameters]
    count = len(signature.classes(Role.OUTPUT))
    # Without parameters it takes any tensors, and gives generic ones for all results.
    outputs = slots[:count] or [
        ParameterSlot(f"out{index or ''}", Tensor) for index in range(results)
    ]
    inputs = tuple(slots[count:])
    scratch = [p for p in signature.parameters if p.role is Role.SCRATCH]
    where = f"{op}, kernel {signature.instance}"
    body, cost = _body(op, signature, bodies), signature.cost
    return Kernel(
        op=op,
        name=signature.instance,
        function=body or partial(_refuse, op, signature),
        outputs=tuple(
            replace(slot, placed=is_placed)
            for slot, is_placed in zip(outputs, _placed(package, signature.op), strict=False)
        ),
        inputs=inputs or (ParameterSlot("operands", Tensor),),
        variadic=not inputs,
        binding=False,
        cost=cost if isinstance(cost, Cost) else bodies.costs.get(cost, UnboundCost(cost)),
        flags=signature.flags if body else signature.flags | Flag.INHIBIT_CONST_PROP,
        scratch=tuple(
            scratch_of(where, p.name or f"scratch{index}", _CLASSES.get(p.takes, Tensor))
            for index, p in enumerate(scratch)
        ),
        hook=bodies.hooks.get(signature.hook),
        lacks=_lacks(signature, bodies),
    )


def _annotation(class_name: str) -> Annotation:
    return ShapeParam if class_name == SHAPE_CLASS else _CLASSES.get(class_name, Tensor)


def _placed(package: CppPackage, op: str) -> Iterator[bool]:
    """Yield of each result whether tensor properties put it elsewhere than flat in main memory."""
    for row in package.properties:
        if row.op == op:
            for tag in row.outputs:
                flat = row.layout(tag) in (None, LayoutKind.FLAT)
                yield not flat or row.memory(tag) is Memory.TCM
    yield from repeat(False)


def _lacks(signature: KernelSignature, bodies: Bodies) -> str:
    """Return the Python function that a kernel needs and does not have; empty where it runs."""
    if signature.op not in bodies.kernel_bodies:
        return "body"
    unsized = signature.hook and signature.hook not in bodies.hooks
    return f"hook {signature.hook}" if unsized and signature.classes(Role.SCRATCH) else ""


def _body(op: str, signature: KernelSignature, bodies: Bodies) -> Body | None:
    """Return a kernel's body; one that refuses to run where its scratch has no sizes."""
    body = bodies.kernel_bodies.get(signature.op)
    if body is None or not signature.classes(Role.SCRATCH):
        return body
    if _lacks(signature, bodies):
        return partial(_refuse_unsized, op, signature)
    return partial(_with_scratch, body)


def _with_scratch(body: Body, *tensors: object, **scratch: object) -> None:
    """Scratch by position, after the inputs, as the C++ function has it."""
    body(*tensors, *scratch.values())


def _refuse(op: str, signature: KernelSignature, *tensors: object, **scratch: object) -> None:
    names = [*(f"t{index}" for index in range(len(tensors))), *scratch]
    lines = (
        "write one and give it to from_cpp",
        "  bodies = Bodies()",
        f'  @bodies.body("{signature.op}")',
        f"  def run({', '.join(names)}): ...",
    )
    problem = f"kernel {signature.instance} has a C++ signature and no Python body"
    raise fail(op, problem, "\n".join(lines))


def _refuse_unsized(
    op: str, signature: KernelSignature, *tensors: object, **scratch: object
) -> None:
    shapes = ", ".join(f'"{name}": ...' for name in scratch)
    lines = (
        "write one, give it to from_cpp and lower again",
        f'  @bodies.hook("{signature.hook}")',
        f"  def sizes(outputs, operands): return {{{shapes}}}",
    )
    problem = f"kernel {signature.instance} has the C++ hook {signature.hook} and none in Python"
    raise fail(op, problem, "\n".join(lines))
