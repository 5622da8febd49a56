"""The base class of graph ops: shape inference, its check, params as Python values, text form."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import Float32Type
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import OpDef, OperandDef, OptionalDef, OptOperandDef, VarOperandDef, VarResultDef
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..assembly import parse_operands, parse_signature, place_operands, print_table_op
from ..attributes import verify_attributes
from ..checks import require, require_results
from ..spec_of import spec_of, type_of
from ..suggestions import listed
from ..text.own_op import OwnOp
from ..value import TensorSpec
from .params import ParamValue, param_fault, param_value

Operand = SSAValue | Sequence[SSAValue] | None
G = TypeVar("G", bound="GraphOp")


class GraphOp(OwnOp, ABC):
    """A node of the source model: tensors in, params as properties, tensors out.

    A leaf states its name, its docstring and what is its own; a family base class holds the
    operands, the params and `infer`.
    """

    KEEPS_ENCODING: ClassVar[bool] = False
    """True where a quantised result has the encoding that `infer` gives; else it is free."""

    @property
    def keeps_encoding(self) -> bool:
        """True as KEEPS_ENCODING says, unless a param decides."""
        return self.KEEPS_ENCODING

    @abstractmethod
    def infer(self) -> tuple[TensorSpec, ...]:
        """The results' specs from operands and params; VerifyException where a rule is broken."""

    def verify(self, verify_nested_ops: bool = True) -> None:
        self.verify_params()
        super().verify(verify_nested_ops)

    def verify_params(self) -> None:
        """Check that each param is of the type that the op declares."""
        fault = param_fault(self.get_irdl_definition(), self.properties)
        require(fault is None, self, fault or "")

    def verify_(self) -> None:
        for value in (*self.operands, *self.results):
            require(spec_of(value).place is None, self, "a graph tensor carries no #htp.place")
        for name in (name for name in self.attributes if "." not in name):
            # A misspelt param: what is not a param has the prefix of a dialect.
            known = listed(name, self.params(), "its params are")
            raise VerifyException(f"{self.name}: unknown param '{name}'; {known}")
        verify_attributes(self)
        require_results(self, self._allowed(self.infer()))

    def params(self) -> dict[str, ParamValue]:
        """Every param that is set or has a default, by its name in the op's specification."""
        return {
            name: param_value(value)
            for name, value in self.properties.items()
            if name != "operandSegmentSizes"
        }

    def int_param(self, name: str) -> int:
        """The value of an int param; TypeError for a param of another type."""
        value = self.params()[name]
        if not isinstance(value, int):
            raise TypeError(f"{self.name}: param '{name}' is no int")
        return value

    def ints_param(self, name: str) -> tuple[int, ...]:
        """The values of a list param; TypeError for a param of another type."""
        value = self.params()[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{self.name}: param '{name}' is no list")
        return value

    def named_operands(self) -> dict[str, SSAValue]:
        """The operands that are there, by the names of the op's definition; no variadic ones."""
        names = [name for name, _ in self.get_irdl_definition().operands]
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if isinstance(value, SSAValue)}

    def _allowed(self, inferred: Sequence[TensorSpec]) -> list[TensorSpec]:
        """`inferred` with the scale and zero point that was found, where they are free."""
        if self.keeps_encoding or len(inferred) != len(self.results):
            return list(inferred)
        specs = [spec_of(result) for result in self.results]
        return [
            expected.with_type(spec)
            if expected.dtype.is_quantized is spec.dtype.is_quantized is True
            else expected
            for expected, spec in zip(inferred, specs, strict=True)
        ]

    @classmethod
    def parse(cls: type[G], parser: Parser) -> G:
        start = parser.pos
        slots = parse_operands(parser)
        attributes, operands, results = parse_signature(parser, slots)
        definition = cls.get_irdl_definition()
        variadic = any(isinstance(result, VarResultDef) for _, result in definition.results)
        known = definition.properties
        segments = place_operands(cls, parser, slots, operands)
        _check_counts(parser, start, definition, segments, results)
        op = cls.build(
            operands=segments,
            result_types=[list(results)] if variadic else list(results),
            properties={name: value for name, value in attributes.items() if name in known},
            attributes={name: value for name, value in attributes.items() if name not in known},
        )
        try:
            op.verify_params()
        except VerifyException as error:
            parser.raise_error(str(error), start)
        return op

    def print(self, printer: Printer) -> None:
        print_table_op(self, printer)


def _check_counts(
    parser: Parser,
    start: int,
    definition: OpDef,
    operands: Sequence[Sequence[SSAValue]],
    results: Sequence[Attribute],
) -> None:
    for (name, operand), values in zip(definition.operands, operands, strict=True):
        least, most = _bounds(operand)
        if not least <= len(values) <= most:
            surplus = [] if isinstance(operand, OptOperandDef) else values[1:]
            problem = f"{definition.name}: operand '{name}' is given {len(values)} times"
            parser.raise_error(problem + _by_name(definition, operands, surplus), start)
    wanted = len(definition.results)
    if len(results) != wanted and not isinstance(definition.results[0][1], VarResultDef):
        problem = f"{definition.name}: has {len(results)} results, it gives {wanted}"
        parser.raise_error(problem, start)


def _by_name(
    definition: OpDef, operands: Sequence[Sequence[SSAValue]], surplus: Sequence[SSAValue]
) -> str:
    """Say how to write surplus operands by the names of optional ones that are absent."""
    free = [
        name
        for (name, operand), values in zip(definition.operands, operands, strict=True)
        if isinstance(operand, OptOperandDef) and not values
    ]
    named = [
        f"{name} = %{value.name_hint or 'value'}"
        for name, value in zip(free, surplus, strict=False)
    ]
    return f"; write optional ones by name: {', '.join(named)}" if named else ""


def _bounds(operand: OperandDef) -> tuple[int, float]:
    if isinstance(operand, OptOperandDef):
        return 0, 1
    return (0, inf) if isinstance(operand, VarOperandDef) else (1, 1)


def build(
    op_class: type[G], operands: Sequence[Operand], properties: dict[str, Attribute] | None = None
) -> G:
    """A new op whose result types follow from its operands and params.

    Operands in the order of the op's definition: None for an absent optional one, a list for a
    variadic one. Raises VerifyException where the op's rules are broken.
    """
    present = [
        [] if operand is None else [operand] if isinstance(operand, SSAValue) else list(operand)
        for operand in operands
    ]
    results = op_class.get_irdl_definition().results
    variadic = [isinstance(result, VarResultDef) for _, result in results]
    probe = op_class.build(
        operands=present,
        result_types=[[] if many else Float32Type() for many in variadic],
        properties=dict(properties or {}),
    )
    try:
        _check_mandatory(probe)
        probe.verify_params()
        types = [type_of(spec) for spec in probe.infer()]
    finally:
        probe.erase()
    return op_class.build(
        operands=present,
        result_types=[types] if any(variadic) else list(types),
        properties=dict(properties or {}),
    )


def _check_mandatory(op: GraphOp) -> None:
    for name, definition in op.get_irdl_definition().properties.items():
        present = name in op.properties or isinstance(definition, OptionalDef)
        require(present, op, f"param '{name}' is missing")
