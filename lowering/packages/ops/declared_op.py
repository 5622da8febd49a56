"""Ops of C++ packages: their declarations in Python, and the classes made from these."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from keyword import iskeyword
from typing import ClassVar

from xdsl.ir import SSAValue, SSAValues
from xdsl.irdl import AnyAttr, VarOperandDef
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import counted, fail
from ....dialects.faults.op_faults import raised
from ....dialects.htp.access import Access, Mismatch, result_shape
from ....dialects.htp.base import NativeOp, product_of
from ....dialects.htp.constraints import ANY, ParamConstraint, ShapeConstraint, TensorConstraint
from ....dialects.htp.fields import MANY, Field, out_def
from ....dialects.htp.types import ShapeType
from ....dialects.spec_of import require, spec_of
from ....dialects.value import Kind, TensorSpec
from ..def_package.declared import (
    DeclaredOperand,
    DeclaredResult,
    InferResult,
    OpDeclaration,
    declared,
    op_comment,
    result,
)

_IMPORTS = {
    "htp_mlir.dialects.htp": ("param_def", "shape_def", "tensor_def", "tensors_def"),
    "htp_mlir.lowering.packages": ("optional",),
}
"""The words of a declaration in Python, by where they are."""


def optional(operand: Field[object]) -> DeclaredOperand:
    """Declare an operand that may be left out.

    Example: `bodies.op("Conv", "act", act=tensor_def(), bias=optional(tensor_def()))`
    """
    return replace(_operand(operand), optional=True)


def declaration(
    op: str,
    results: tuple[str | InferResult | DeclaredResult, ...],
    operands: Mapping[str, Field[object] | DeclaredOperand],
) -> OpDeclaration:
    """Return an op's declaration; HtpError where a result speaks of an operand that is not there.

    A name that Python keeps to itself takes a `_`: `in_` is the operand `in`.
    """
    named = {
        name.removesuffix("_") + MANY * operand.many: operand
        for name, operand in ((n, _operand(each)) for n, each in operands.items())
    }
    own = tuple(each if isinstance(each, DeclaredResult) else result(each) for each in results)
    if not own:
        raise fail(f"op {op}", "is declared without a result", f'name one: op("{op}", "in", ...)')
    return declared(op, named, own)


def python_text(op: OpDeclaration) -> str:
    """Return the lines of Python that declare an op, each result by its text."""
    results = ("..." if each.text == "..." else f'"{each.text}"' for each in op.results)
    parts = [f'"{op.op}"', *results]
    parts += [f"{_keyword(name)}={_text(operand)}" for name, operand in op.operands.items()]
    text = f"@bodies.op({', '.join(parts)})"
    used = {module: [w for w in words if f"{w}(" in text] for module, words in _IMPORTS.items()}
    lines = [f"from {module} import {', '.join(words)}" for module, words in used.items() if words]
    return "\n".join([*lines, text])


def _operand(operand: Field[object] | DeclaredOperand) -> DeclaredOperand:
    if isinstance(operand, DeclaredOperand):
        return operand
    return DeclaredOperand(operand.constraint, many=operand.many)


def _keyword(name: str) -> str:
    word = name.removesuffix(MANY)
    return f"{word}_" if iskeyword(word) else word


def _text(operand: DeclaredOperand) -> str:
    text = "".join(_calls(operand))
    return f"optional({text})" if operand.optional else text


def _calls(operand: DeclaredOperand) -> Iterator[str]:
    if operand.many:
        yield "tensors_def()"
    elif isinstance(operand.constraint, ShapeConstraint):
        yield "shape_def()"
    elif isinstance(operand.constraint, ParamConstraint):
        usual = operand.constraint.usual
        yield f"param_def({'' if usual is None else f'usual={usual!r}'})"
    else:
        yield "tensor_def()"


class DeclaredOp(NativeOp):
    """An op that a package declares in words; without results in them its results are free."""

    DECLARATION: ClassVar[OpDeclaration]

    values = Field[SSAValues[SSAValue]](VarOperandDef(AnyAttr()))

    @classmethod
    def leaves_results_free(cls) -> bool:
        return not cls.DECLARATION.results

    def infer(self) -> tuple[TensorSpec | None, ...]:
        if not self.DECLARATION.results:
            return (None,) * self.RESULTS
        return tuple(self._inferred(at, each) for at, each in enumerate(self.DECLARATION.results))

    def _inferred(self, at: int, declared: DeclaredResult) -> TensorSpec | None:
        if not isinstance(declared.shape, Access):
            return self._computed_by(declared.shape)
        names = self.names_of(len(self.operands)) or ()
        present = {n: at for n, at in declared.shape.operands.items() if n in names}
        try:
            shape = result_shape(replace(declared.shape, operands=present), self)
        except Mismatch as error:
            raise VerifyException(f"{self.name}: {error}") from error
        if shape is None:
            return None
        if declared.kind.only is not None:
            return TensorSpec(shape, declared.kind.only)
        spec = self.like(next(iter(declared.shape.operands))).with_shape(shape)
        if declared.kind is not Kind.ANY:
            return spec.with_type(spec_of(self.results[at])) if self.results else None
        return self.computed(product_of(spec) if declared.shape.factors else spec, at)

    def _computed_by(self, function: InferResult) -> TensorSpec:
        """Call a package's function; VerifyException where it fails."""
        try:
            return function(self)
        except VerifyException:
            raise
        except Exception as error:
            raise VerifyException(f"{self.name}: its result fails: {raised(error)}") from error

    def operand_name(self, index: int) -> str:
        names = self.names_of(len(self.operands)) or self.OPERANDS
        return names[min(index, len(names) - 1)].removesuffix("...")

    def operand(self, name: str) -> SSAValue:
        names = self.names_of(len(self.operands)) or self.OPERANDS
        require(name in names, self, f"operand '{name}' is left out")
        return self.operands[names.index(name)]

    def verify_operands(self) -> None:
        """Check the number of operands, their rank and, where they are declared, all else."""
        count = len(self.operands)
        names = self.names_of(count)
        operands = counted(count, "operand")
        require(names is not None, self, f"has {operands}, it takes {self.takes()}")
        for name, operand in zip(names or (), self.operands, strict=True):
            is_shape = isinstance(operand.type, ShapeType)
            if not is_shape:
                self.verify_rank(f"operand '{name}'", spec_of(operand))
            if self.DECLARATION.results:
                wants = "a shape" if name in self.SHAPES else "a tensor"
                message = f"operand '{name}' must be {wants}"
                require(is_shape == (name in self.SHAPES), self, message)
                fault = self.CONSTRAINTS.get(name, ANY).fault(self, name)
                require(fault is None, self, fault or "")


def op_class(package: str, declared: OpDeclaration, in_python: bool = False) -> type[NativeOp]:
    """Make the class of an op that is declared, or inferred, in a package.

    Messages propose to declare an inferred one in Python, or by a comment of the C++ text.
    """
    kinds = [each.kind for each in declared.results] or [Kind.ANY] * declared.count
    members = {
        "name": f"{package}.{declared.op}",
        "__doc__": f"The op {declared.op} of the C++ package {package}.",
        "__module__": __name__,
        "DECLARATION": declared,
        **{f"out{at or ''}": out_def(kind) for at, kind in enumerate(kinds)},
    }
    op: type[DeclaredOp] = type(declared.op, (DeclaredOp,), members)
    constraints = {name: operand.constraint for name, operand in declared.operands.items()}
    op.OPERANDS = tuple(constraints)
    op.PARAMS = tuple(n for n, c in constraints.items() if not isinstance(c, TensorConstraint))
    op.SHAPES = tuple(n for n, c in constraints.items() if isinstance(c, ShapeConstraint))
    op.CONSTRAINTS = {n: c for n, c in constraints.items() if c != ANY}
    op.OPTIONAL = declared.optional
    maps = [each.shape for each in declared.results if isinstance(each.shape, Access)]
    if maps and len(maps) == len(declared.results):
        op.ACCESS, op.FURTHER = maps[0], tuple(maps[1:])
    written = python_text if in_python else op_comment
    op.TO_DECLARE = "" if declared.results else written(declared.suggested())
    return op
