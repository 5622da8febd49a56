"""The base class of native ops: operands by position, one text form, a shape and dtype rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..assembly import parse_operands, parse_signature, print_table_op
from ..attributes import OVERWRITES, verify_attributes
from ..diagnostics import counted
from ..spec_of import require, require_results, spec_of, spec_of_type, text, type_of
from ..value import RANK, DType, LayoutKind, Quant, Shape, TensorSpec
from ..value.limits import MAX_PARAM
from .access import Access, Mismatch, result_shape
from .fields import MANY, FieldsOp, out_def
from .ops.const import constant_array
from .types import ShapeType


def _form(value: SSAValue) -> tuple[Shape, LayoutKind, int]:
    """Return what two tensors have in common that may lie on the same bytes, element on element."""
    spec = spec_of(value)
    return spec.shape, spec.layout, spec.dtype.itemsize


def has_shape(op: NativeOp, name: str, shape: Shape) -> None:
    """Check the shape of an operand."""
    own = op.spec(name).shape
    message = f"operand '{name}' has shape {text(own)}, it must be {text(shape)}"
    require(own == shape, op, message)


def replaced(shape: Shape, axis: int, size: int) -> Shape:
    """The shape with another size on one axis."""
    return (*shape[:axis], size, *shape[axis + 1 :])


N = TypeVar("N", bound="NativeOp")

_PROPERTIES = ("kernel", "scratch")


class NativeOp(FieldsOp):
    """An op of the HTP graph: inputs, then params, all as operands; results of rank 4.

    A leaf states its name, its operands as fields with their constraints, and further results than
    `out`. Families that read regularly state how as `ACCESS`, from which the result follows; others
    have an `infer` of their own. Its docstring goes on as `ABOUT` says, where it has no example.
    """

    ABOUT: ClassVar[str] = ""
    """The operands and the example of a family's ops; `{}` is where the op's name goes."""

    CORE: ClassVar[type[NativeOp] | None] = None
    """For an op that rules only rename: the op that it becomes, of the same family (`core=`)."""

    ACCESS: ClassVar[Access | None] = None

    FURTHER: ClassVar[tuple[Access, ...]] = ()
    """The access maps of further results; ops of C++ packages may declare them."""

    OVERWRITABLE: ClassVar[tuple[str, ...]] = ()
    """The operands onto whose bytes every kernel may write a result of their form."""

    OPTIONAL: ClassVar[tuple[str, ...]] = ()
    """The operands that may be left out, the last one first; ops of C++ packages have some."""

    TO_DECLARE: ClassVar[str] = ""
    """The line that declares the op, where only a guess is known; empty for a declared one."""

    out = out_def()

    def __init_subclass__(cls, core: type[NativeOp] | None = None) -> None:
        super().__init_subclass__()
        cls.CORE = core
        if core is not None:
            cls.__doc__ = (core.__doc__ or "").replace(f"{core.name}(", f"{cls.name}(")
        elif "Example:" not in (cls.__doc__ or "") and cls.ABOUT:
            cls.__doc__ = f"{cls.__doc__}\n\n    {cls.ABOUT.format(cls.name)}\n    "

    @classmethod
    def leaves_results_free(cls) -> bool:
        """Tell whether neither an access map nor an `infer` says what the results are like."""
        return cls.ACCESS is None and cls.infer is NativeOp.infer

    def infer(self) -> tuple[TensorSpec | None, ...]:
        """The results' specs from the operands; None where the op leaves a result free.

        VerifyException where the operands do not fit together.
        """
        if self.ACCESS is None:
            return (None,) * self.RESULTS
        try:
            shape = result_shape(self.ACCESS, self)
        except Mismatch as error:
            raise VerifyException(f"{self.name}: {error}") from error
        return (None if shape is None else self._result(self.ACCESS, shape),)

    def _result(self, access: Access, shape: Shape) -> TensorSpec:
        if (only := self.RESULT_KINDS[0].only) is not None:
            return TensorSpec(shape, only)
        spec = self.like(next(iter(access.operands))).with_shape(shape)
        spec = product_of(spec) if access.factors else spec
        return spec if access.moves else self.computed(spec)

    def verify_(self) -> None:
        verify_attributes(self)
        self.verify_operands()
        for index, (result, kind) in enumerate(zip(self.results, self.RESULT_KINDS, strict=False)):
            self._verify_tensor(f"result {index}", spec_of(result))
            fault = kind.fault(f"result {index}", spec_of(result).dtype)
            require(fault is None, self, fault or "")
        require_results(self, (None,) * self.RESULTS)
        self.get_irdl_definition().verify(self)
        require_results(self, self.infer())
        for index, spec in enumerate(self.scratch_specs()):
            self.verify_scratch(f"scratch {index}", spec)
        if OVERWRITES in self.attributes:
            self._verify_overwritten()

    @property
    def overwritten(self) -> SSAValue | None:
        """The operand on whose bytes the result lies: it ends in front of the op."""
        at = self.attributes.get(OVERWRITES)
        return self.operands[at.value.data] if isinstance(at, IntegerAttr) else None

    def overwritable(self) -> tuple[int, ...]:
        """List the operands onto whose bytes it may write its result."""
        positions = range(len(self.operands))
        named = [at for at in positions if self.operand_name(at) in self.OVERWRITABLE]
        return tuple(at for at in named if _form(self.operands[at]) == _form(self.results[0]))

    def _verify_overwritten(self) -> None:
        at, able = self.attributes[OVERWRITES], self.overwritable()
        number = at.value.data if isinstance(at, IntegerAttr) else -1
        allowed = " or ".join(map(str, able)) or "none"
        what = f"overwrites operand {number}"
        require(number in able, self, f"{what}, it may overwrite {allowed}")
        places = [spec_of(value).place for value in (self.operands[number], self.results[0])]
        require(places[0] == places[1], self, f"{what}, which lies in another place")

    def scratch_specs(self) -> tuple[TensorSpec, ...]:
        """The scratch tensors of the op's kernel; VerifyException for what is not a tensor type."""
        return tuple(
            self._scratch_spec(f"scratch {index}", type_)
            for index, type_ in enumerate(self.scratch or ())
        )

    def _scratch_spec(self, what: str, type_: Attribute) -> TensorSpec:
        require(isinstance(type_, TensorType), self, f"{what} is {type_}, no tensor type")
        try:
            return spec_of_type(type_)
        except VerifyException as error:
            raise VerifyException(f"{self.name}: {what}: {error}") from error

    def verify_scratch(self, what: str, spec: TensorSpec) -> None:
        """Check a scratch tensor: its op names a kernel, it has a place, its steps are of 1."""
        require(self.kernel is not None, self, f"has {what} and names no kernel")
        self._verify_tensor(what, spec)
        require(spec.place is not None, self, f"{what} has no place")
        plain = spec.quant is None or spec.quant == Quant((1.0,), (0,))
        require(plain, self, f"{what} is quantised with another scale than 1 or zero point than 0")

    def verify_operands(self) -> None:
        """Check the number of operands and which of them are shapes."""
        names, count = self.OPERANDS, len(self.operands)
        operands = counted(count, "operand")
        if names and names[-1].endswith(MANY):
            least = len(names) - 1
            require(count >= least, self, f"has {operands}, at least {least} are needed")
        else:
            wanted = f"{len(names)} ({', '.join(names)})"
            require(count == len(names), self, f"has {operands}, it takes {wanted}")
        for index, operand in enumerate(self.operands):
            name = self.operand_name(index)
            is_shape = isinstance(operand.type, ShapeType)
            wants = "a shape" if name in self.SHAPES else "a tensor"
            require(is_shape == (name in self.SHAPES), self, f"operand '{name}' must be {wants}")
            if not is_shape:
                self._verify_tensor(f"operand '{name}'", spec_of(operand))
        for name, constraint in self.CONSTRAINTS.items():
            fault = constraint.fault(self, name)
            require(fault is None, self, fault or "")

    def _verify_tensor(self, what: str, spec: TensorSpec) -> None:
        """Check that HTP has tensors of this element type and rank."""
        dtype = spec.dtype.name
        require(spec.dtype.on_htp, self, f"{what} is {dtype}, which no tensor on HTP is")
        self.verify_rank(what, spec)

    def verify_rank(self, what: str, spec: TensorSpec) -> None:
        """Check the rank of a tensor; Reshape, which stands at the boundary, takes any."""
        message = f"{what} has rank {spec.rank}, native tensors have rank {RANK}"
        require(spec.rank == RANK, self, message)

    @classmethod
    def mnemonic(cls) -> str:
        """The op's name without its dialect: `ConvLayer_valid`."""
        return cls.name.partition(".")[2]

    @classmethod
    def names_of(cls, count: int) -> tuple[str, ...] | None:
        """Return the names of `count` operands in order; None for a number it never has."""
        many = cls.OPERANDS[-1:] if "".join(cls.OPERANDS[-1:]).endswith(MANY) else ()
        named = cls.OPERANDS[: len(cls.OPERANDS) - len(many)]
        more = count - len(named)
        if more >= 0:
            repeated = [name.removesuffix(MANY) for name in many] * more
            return (*named, *repeated) if len(repeated) == more else None
        absent = [name for name in cls.OPTIONAL if name in named][more:]
        return tuple(n for n in named if n not in absent) if len(absent) == -more else None

    @classmethod
    def least_operands(cls) -> int:
        """The least number of operands; some of those that represent any number count as one."""
        return len(cls.OPERANDS) - len(cls.OPTIONAL)

    @classmethod
    def takes(cls) -> str:
        """The number of operands in words: `2`, `2 to 3`, `1 or more`."""
        many = "".join(cls.OPERANDS[-1:]).endswith(MANY)
        most = len(cls.OPERANDS) - many
        least = most - sum(not name.endswith(MANY) for name in cls.OPTIONAL)
        if many:
            return f"{least} or more"
        return f"{least}" if least == most else f"{least} to {most}"

    def operand_name(self, index: int) -> str:
        """The name of the operand at a position."""
        return self.OPERANDS[min(index, len(self.OPERANDS) - 1)].removesuffix("...")

    def operand(self, name: str) -> SSAValue:
        """The operand of this name."""
        return self.operands[self.OPERANDS.index(name)]

    def spec(self, name: str) -> TensorSpec:
        """The spec of the tensor operand of this name."""
        return spec_of(self.operand(name))

    def like(self, name: str) -> TensorSpec:
        """The spec of the tensor operand of this name, without its place."""
        return self.spec(name).with_place(None)

    def dims(self, name: str) -> tuple[int, ...]:
        """The dims of the operand of this name, a shape or a tensor."""
        type_ = self.operand(name).type
        return type_.get_shape() if isinstance(type_, ShapeType) else self.spec(name).shape

    def dtype(self, name: str) -> DType:
        """The dtype of the tensor operand of this name."""
        return self.spec(name).dtype

    def ints(self, name: str) -> tuple[int, ...] | None:
        """The numbers of an integer param; None where no Const makes it."""
        dtype = self.spec(name).dtype
        fits = dtype.is_integer or dtype is DType.Bool8
        require(fits, self, f"param '{name}' is {dtype.name}, it must hold integers")
        array = constant_array(self.operand(name))
        if array is None:
            return None
        message = f"param '{name}' has {array.size} numbers, at most {MAX_PARAM} are taken"
        require(array.size <= MAX_PARAM, self, message)
        return tuple(int(value) for value in array.flat)

    def integer(self, name: str) -> int | None:
        """The first number of an integer param; None where no Const makes it."""
        numbers = self.ints(name)
        return numbers[0] if numbers else None

    def computed(self, spec: TensorSpec, result: int = 0) -> TensorSpec:
        """`spec`, or with the quantisation that the op already gives this result.

        What is computed from quantised data may be quantised in any way.
        """
        if spec.dtype.is_quantized and result < len(self.results):
            stated = spec_of(self.results[result])
            return spec.with_type(stated) if stated.dtype.is_quantized else spec
        return spec

    @classmethod
    def parse(cls: type[N], parser: Parser) -> N:
        start = parser.pos
        slots = parse_operands(parser)
        named = next((name for name, _ in slots if name is not None), None)
        if named is not None:
            order = ", ".join(cls.OPERANDS) or "none"
            message = f"{cls.name}: operand '{named}' is named; operands go by position: {order}"
            parser.raise_error(message, start)
        attributes, operands, results = parse_signature(parser, slots)
        properties = {name: v for name, v in attributes.items() if name in _PROPERTIES}
        rest = {name: v for name, v in attributes.items() if name not in _PROPERTIES}
        return cls.create(
            operands=operands, result_types=results, properties=properties, attributes=rest
        )

    def print(self, printer: Printer) -> None:
        print_table_op(self, printer)


def product_of(spec: TensorSpec) -> TensorSpec:
    """The spec of sums of products: integers narrower than 32 bits give Int32."""
    narrow = spec.dtype.is_integer and spec.dtype.itemsize < DType.Int32.itemsize
    return spec.with_dtype(DType.Int32) if narrow else spec


def inferred(op_class: type[N], operands: Sequence[SSAValue]) -> N:
    """A new native op whose results follow from its operands.

    Raises VerifyException where they do not, or where a rule of the op is broken.
    """
    probe = op_class.create(operands=operands)
    try:
        probe.verify_operands()
        specs = [spec for spec in probe.infer() if spec is not None]
        complete = len(specs) == op_class.RESULTS
        require(complete, probe, "its results do not follow from its operands; state their types")
    finally:
        probe.erase()
    return native(op_class, operands, *specs)


def native(op_class: type[N], operands: Sequence[SSAValue], *results: TensorSpec) -> N:
    """A new native op with the given results."""
    return op_class.create(operands=operands, result_types=[type_of(spec) for spec in results])
