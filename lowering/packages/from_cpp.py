"""C++ packages among the others: ops from signatures, and Python functions as their bodies.

The functions say what the ops are and compute what they compute.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from typing import TypeVar

from ...dialects.diagnostics import Fault, fail
from ...dialects.htp.fields import Field
from ...dialects.value import LayoutKind, Memory, TensorSpec
from ...runtime.kernel.kernel import (
    Annotation,
    Cost,
    CostFunction,
    Flag,
    Kernel,
    KernelSlot,
    ScratchHook,
    scratch_of,
)
from ...runtime.kernel.kernel import Operand as KernelOperand
from ...runtime.tensors.tensor_classes import CLASSES
from ...runtime.tensors.tensors import ShapeParam, Tensor
from .compiled.compiler_errors import absent_in
from .compiled.kernels import BuiltKernel, BuiltPackage
from .def_package.declared import DeclaredOperand, DeclaredResult, InferResult, OpDeclaration
from .def_package.package import SHAPE_CLASS, CppPackage, KernelSignature, Role
from .ops.declared_op import declaration, op_class
from .ops.inference import inferred, results_stated
from .package import OpPackage, arity_fault, op_package

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


_CLASSES: Mapping[str, type[Tensor]] = {class_.__name__: class_ for class_ in CLASSES.values()}
_ANNOTATIONS: Mapping[str, Annotation] = {**_CLASSES, SHAPE_CLASS: ShapeParam}


@dataclass(frozen=True)
class ParameterSlot(KernelSlot):
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


def from_cpp(
    package: CppPackage, bodies: Bodies | None = None, built: BuiltPackage | None = None
) -> OpPackage:
    """Return a package that was read from C++ text, for use with others.

    Kernels that were `built` run, with their own costs and hooks, the others by Python functions.
    Its ops are read, rewritten, placed and given kernels by their signatures; to run one, it needs
    a body, and hooks where the text has them: scratch without a size is 1x1x1x1. A cost that a C++
    function computes counts as SNAIL until there is a Python function. HtpError for a body, a cost
    or a hook of what the package does not have.
    """
    functions = bodies or Bodies()
    _check_all_bound(package, functions)
    said = _said(package, functions)
    results = {**results_stated(package), **{op: each.count for op, each in said.items()}}
    declared = [said.get(op) or inferred(package, op, results[op]) for op in package.ops]
    # An op of which the text registers no function is run by its body, wherever its tensors are.
    without = [op for op in functions.kernel_bodies if all(k.op != op for k in package.kernels)]
    signatures = (*package.kernels, *(KernelSignature(op, op) for op in without))
    in_python = bodies is not None
    classes = {each.op: op_class(package.name, each, in_python=in_python) for each in declared}
    own = [(k, _kernel(package, k, results[k.op], functions, built)) for k in signatures]
    # A kernel that disagrees with Outputs() is left out alone, not with the whole package.
    refused = {
        (k.op, kernel.name): Fault(k.where or k.instance, why, "give it the op's results first")
        for k, kernel in own
        if k.op not in said and (why := arity_fault(kernel, classes[k.op]))
    }
    package = replace(package, passed_over=(*package.passed_over, *refused.values()))
    loaded = op_package(
        package.name,
        ops=classes.values(),
        kernels=[[kernel for k, kernel in own if (k.op, kernel.name) not in refused]],
        properties=package.properties,
        param_orders=package.param_orders,
        rules=[package.rules],
        axis_params=package.axis_params,
    )
    unknown = frozenset(map(loaded.ir_name, package.undeclared - functions.kernel_bodies.keys()))
    return replace(loaded, rules=replace(loaded.rules, undeclared=unknown), cpp=package)


def _check_all_bound(package: CppPackage, functions: Bodies) -> None:
    """HtpError for a body, a declaration, a cost or a hook of what the package does not have."""
    hooks = dict.fromkeys(kernel.hook for kernel in package.kernels if kernel.hook)
    costs = dict.fromkeys(kernel.cost for kernel in package.kernels if isinstance(kernel.cost, str))
    _check_bound(package, "op", functions.kernel_bodies, package.ops, "body")
    _check_bound(package, "op", functions.declarations, package.ops, "declaration")
    _check_bound(package, "cost function", functions.costs, costs, "function")
    _check_bound(package, "constructor hook", functions.hooks, hooks, "function")


def _check_bound(
    package: CppPackage, kind: str, bound: Collection[str], known: Collection[str], what: str
) -> None:
    """HtpError for a Python function that belongs to nothing in the C++ text."""
    for name in bound:
        if name not in known:
            problem = f"has no {kind} '{name}' for a {what}"
            raise fail(f"package {package.name}", problem, f"it has {', '.join(known) or 'none'}")


def _said(package: CppPackage, bodies: Bodies) -> Mapping[str, OpDeclaration]:
    """Return the ops that comments or Python declare; HtpError for one that both do."""
    in_text = {each.op: each for each in package.declarations}
    for op in in_text:
        if op in bodies.declarations:
            problem = f"op '{op}' is declared in its C++ text and in Python"
            raise fail(f"package {package.name}", problem, f'keep one, or use @bodies.body("{op}")')
    return {**in_text, **bodies.declarations}


def _kernel(
    package: CppPackage,
    signature: KernelSignature,
    results: int,
    bodies: Bodies,
    built: BuiltPackage | None,
) -> Kernel:
    """The kernel of a signature."""
    op = f"{package.name}.{signature.op}"
    outputs, inputs = _slots(package, signature, results)
    scratch = [p for p in signature.parameters if p.role is Role.SCRATCH]
    where = f"{op}, kernel {signature.instance}"
    body, cost = _body(op, signature, bodies), signature.cost
    state = _build_state(built, signature) if built else ()
    kernel = Kernel(
        op=op,
        name=signature.instance,
        function=body or partial(_refuse, op, signature, state),
        outputs=outputs,
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
        lacks="; ".join(state) if state and not body else _lacks(signature, bodies),
    )
    row = built.kernels.get(signature.key) if built else None
    if built is None:
        return kernel
    if row is None or not row.has_body:
        return kernel
    return _built(kernel, built, row, signature)


def _slots(
    package: CppPackage, signature: KernelSignature, results: int
) -> tuple[tuple[ParameterSlot, ...], tuple[ParameterSlot, ...]]:
    """Return the slots of a signature's outputs and inputs.

    Without parameters it takes any tensors, and gives generic ones for all results.
    """
    parameters = [p for p in signature.parameters if p.role in (Role.OUTPUT, Role.INPUT)]
    slots = [ParameterSlot(p.name, _ANNOTATIONS.get(p.takes, Tensor)) for p in parameters]
    count = len(signature.classes(Role.OUTPUT))
    outputs = slots[:count] or [
        ParameterSlot(f"out{index or ''}", Tensor) for index in range(results)
    ]
    placed = zip(outputs, _placed(package, signature.op), strict=False)
    return tuple(replace(slot, placed=is_placed) for slot, is_placed in placed), tuple(
        slots[count:]
    )


def _built(
    kernel: Kernel, built: BuiltPackage, row: BuiltKernel, signature: KernelSignature
) -> Kernel:
    """Return a kernel that runs its C++ function, with its own cost and hook."""
    names = [each.name for each in kernel.scratch]
    absent = _absent(built, signature)
    return replace(
        kernel,
        function=built.binder(row),
        binding=True,
        shares=built.caller.shares,
        lacks="",
        ends=f"ends at {absent}" if absent else "",
        flags=signature.flags,
        cost=partial(built.cost, row) if row.has_cost else kernel.cost,
        hook=partial(built.scratch, row, names) if row.has_hook else kernel.hook,
    )


def kernel_states(
    package: CppPackage, built: BuiltPackage
) -> Iterator[tuple[KernelSignature, str]]:
    """Yield each kernel of the text with what its build came to, in words."""
    for signature in package.kernels:
        yield signature, f"{signature.instance} {'; '.join(_build_state(built, signature))}"


def _build_state(built: BuiltPackage, signature: KernelSignature) -> tuple[str, ...]:
    """Return what the build came to for a kernel, in words, and what to do where it does not run.

    Where its source does not compile that is the fault of its own line, else the first.
    """
    row, file = built.kernels.get(signature.key), signature.where.rpartition(":")[0]
    own = {signature.function.rpartition("::")[2], signature.cost}
    lacking = built.library.lacking
    faults = [f for f in lacking if absent_in([f]) & own or f.where == signature.where]
    if row and not row.has_body:
        return "is declared and has no body", "add the source that has it"
    if row and not faults:
        absent = _absent(built, signature)
        return (f"is built, and ends at {absent}" if absent else "is built",)
    faults += [f for f in built.library.faults if f.where.rpartition(":")[0] == file]
    faults.sort(key=lambda fault: fault.where != signature.where)
    for fault in faults[:1]:
        return f"is not built: {fault.where}: {fault.problem}", fault.remedy
    return "is not registered by the build", "write its DEF_PACKAGE_OP, or see the #if around it"


def _absent(built: BuiltPackage, signature: KernelSignature) -> str:
    """List what a kernel ends at."""
    return ", ".join(sorted(signature.reached & built.library.absent))


def _placed(package: CppPackage, op: str) -> Iterator[bool]:
    """Yield of each result whether tensor properties put it elsewhere than flat in main memory."""
    for row in package.properties:
        if row.op == op:
            for tag in row.outputs:
                flat = row.layout(tag) in (None, LayoutKind.FLAT)
                yield not flat or row.memory(tag) is Memory.TCM
    yield from repeat(False)


def _lacks(signature: KernelSignature, bodies: Bodies) -> str:
    """Say which Python function a kernel needs and does not have; empty where it runs."""
    if signature.op not in bodies.kernel_bodies:
        return f'has no Python body: --build, or @bodies.body("{signature.op}")'
    unsized = signature.hook and signature.hook not in bodies.hooks
    return f"has no Python hook {signature.hook}" * bool(
        unsized and signature.classes(Role.SCRATCH)
    )


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


def _refuse(
    op: str,
    signature: KernelSignature,
    state: Sequence[str],
    *tensors: object,
    **scratch: object,
) -> None:
    """Say why a kernel does not run: what a build came to, else that there is none."""
    if state:
        raise fail(op, f"kernel {signature.instance} {state[0]}", state[-1])
    names = [*(f"t{index}" for index in range(len(tensors))), *scratch]
    lines = (
        "run its own by --build, or write one and give it to from_cpp",
        "  from htp_mlir.lowering.packages import Bodies",
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
