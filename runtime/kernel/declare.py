"""Declaring kernels.

A kernel is a function of tensors: outputs first (parameters whose names start with `out`), then
the op's operands in their order. Its annotations are the signature that selection goes by:

* a concrete tensor class fits just that class; the generic `Tensor` fits any operand, and as an
  output it fits a tensor that is flat in main memory;
* a TypeVar over tensor classes gives one kernel per class, as a C++ template does, and a union of
  classes one kernel that takes any of them;
* `ShapeParam` fits an operand of type !htp.shape; a last `*parts: X` takes any number of operands;
* keyword-only parameters, after a `*`, are scratch: each of a concrete class, without a part in
  the choice. They have the shape (1, 1, 1, 1) unless `scratch=` names a function that sizes them:
  from the specs of the results and the operands to shapes by name;
* one of them whose annotation is an attribute class of xDSL takes the op's attribute of its name.

A kernel that returns None is direct: it is called at each run. One that returns a callable is
binding: it is called once, makes its views, scratch and hoisted constants, and what it returns is
called at each run.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from ...dialects.diagnostics import fail
from ...dialects.registrar import Registrar
from ..tensors.tensors import ShapeParam, Tensor
from .annotations import Parameters, Takes, parameters, slots
from .kernel import BoundCall, Cost, CostFunction, Flag, Kernel, describe
from .scratch import ScratchHook, scratch_of

Function = TypeVar("Function", bound=Callable[..., BoundCall | None])

_REMEDY = "give the op tensors that a specialised kernel takes, or write one for these classes"


class KernelSet(Registrar[Kernel]):
    """The kernels of one module for ops of one package, in the order of their declarations.

    The decorator is `kernel = KernelSet().kernel`; one function may carry it several times.
    Kernels that a table makes are declared with `add`, without annotations.
    """

    def __init__(self, package: str = "htp") -> None:
        self._package = package
        super().__init__()

    def kernel(
        self,
        op: str,
        *,
        cost: Cost | CostFunction = Cost.GLACIAL,
        flags: Flag = Flag.RESOURCE_HVX,
        name: str | None = None,
        scratch: ScratchHook | None = None,
    ) -> Callable[[Function], Function]:
        """Declare a function as a kernel of an op, by its annotations.

        `name` replaces the function's own. `scratch` sizes its keyword-only parameters, such as in
        `scratch=lambda outputs, operands: {"rows": outputs[0].shape}`. HtpError where an annotation
        is not a class of tensors, or where the kernel sizes scratch and has none.
        """

        def declare(function: Function) -> Function:
            label = name or function.__name__
            where = f"{self._package}.{op}, kernel {label}"
            declared = parameters(where, function)
            if scratch is not None and not declared.scratch:
                remedy = "write it as keyword-only parameters"
                raise fail(where, "sizes scratch and has none", remedy)
            self._declare(op, label, function, declared, cost, flags, scratch)
            return function

        return declare

    def add(
        self,
        op: str,
        function: Callable[..., BoundCall | None],
        outputs: Mapping[str, Takes],
        inputs: Mapping[str, Takes],
        *,
        name: str,
        variadic: bool = False,
        cost: Cost | CostFunction = Cost.GLACIAL,
        flags: Flag = Flag.RESOURCE_HVX,
    ) -> None:
        """Declare a binding function as a kernel of an op, by the classes of its parameters.

        It is called with the outputs, then the inputs; `variadic` repeats the last input.
        """
        declared = Parameters(outputs, inputs, variadic=variadic)
        self._declare(op, name, function, declared, cost, flags, None)

    def refuse(self, op: str, reason: str, outputs: int = 1) -> None:
        """Declare the generic kernel that always fails, to catch what should be specialised.

        It takes whatever no cheaper kernel does; its failure, when it is bound, says that it is
        deliberate, gives the reason and names the classes that it met. Constants are not folded
        through it.
        """
        self.add(
            op,
            partial(_refuse, f"{self._package}.{op}", reason, outputs),
            {f"out{index or ''}": Tensor for index in range(outputs)},
            {"operands": (Tensor, ShapeParam)},
            name="refuse",
            variadic=True,
            flags=Flag.RESOURCE_HVX | Flag.INHIBIT_CONST_PROP,
        )

    def _declare(
        self,
        op: str,
        name: str,
        function: Callable[..., BoundCall | None],
        declared: Parameters,
        cost: Cost | CostFunction,
        flags: Flag,
        hook: ScratchHook | None,
    ) -> None:
        """Add the kernels of one declaration: one, or one per choice of its TypeVars."""
        where = f"{self._package}.{op}, kernel {name}"
        if not isinstance(cost, Cost) and not callable(cost):
            raise fail(where, f"its cost is {cost!r}", "give Cost.FAST or the like, or a function")
        for chosen in declared.choices():
            kernel = Kernel(
                op=f"{self._package}.{op}",
                name=".".join([name, *(class_.__name__ for class_ in chosen.values())]),
                function=function,
                outputs=slots(declared.outputs, chosen),
                inputs=slots(declared.inputs, chosen),
                variadic=declared.variadic,
                binding=declared.binding,
                cost=cost,
                flags=flags,
                scratch=tuple(
                    scratch_of(where, parameter, chosen.get(takes) or takes)
                    for parameter, takes in declared.scratch.items()
                ),
                hook=hook,
                attributes=declared.attributes,
            )
            self._rows.append(kernel)


def _refuse(op: str, reason: str, outputs: int, *tensors: Tensor | ShapeParam) -> BoundCall:
    """The kernel that fails on purpose, bound to its op, reason and number of results."""
    classes = [describe(t if isinstance(t, ShapeParam) else t.spec) for t in tensors]
    results, operands = (", ".join(p) or "nothing" for p in (classes[:outputs], classes[outputs:]))
    met = f"it met {operands} for a result of {results}"
    raise fail(op, f"its generic kernel refuses on purpose: {reason}; {met}", _REMEDY)
