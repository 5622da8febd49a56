"""Hints: a rule's constraint narrows the variables of a graph template before they are drawn.

The expression is walked once, in time linear in its size. Comparisons become bounds and linear
sums, dtype tests become sets of allowed dtypes, and of an OR one part is drawn. Other functions are
left to chance: the constraint itself is evaluated on each graph and decides.

Example: `AND(IS_FLOAT32("X"), LT(DIM_DEPTH("X"), 4))` allows one dtype for X and bounds the
variable of its depth by 3.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from .....dialects.value import DType
from ...graph.graph import ExprKind
from ...tree.expr import Expr, Literal, text_of
from ...tree.function import Call
from .constraint_system import Contradiction, Sum
from .template import ELEMENTS, GraphTemplate, Linear, LinearReader, Slot, Source

_DTYPES: dict[str, tuple[DType, ...]] = {
    "IS_QUINT8": (DType.QUInt8,),
    "IS_QINT8": (DType.QInt8,),
    "IS_QUINT16": (DType.QUInt16,),
    "IS_QINT16": (DType.QInt16,),
    "IS_QINT32": (DType.QInt32,),
    "IS_INT32": (DType.Int32,),
    "IS_FLOAT16": (DType.Float16,),
    "IS_FLOAT32": (DType.Float32,),
    "IS_FLOAT": (DType.Float32,),
    "IS_QUANT_TYPE": tuple(dtype for dtype in ELEMENTS if dtype.is_quantized),
}
_OPPOSITE = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT"}
_SLACK = 8
"""Usual range of the slack variable of an inequality."""
Consume = Callable[[str, Slot], None]
"""Adds an op of this name that reads a slot."""


class Hints:
    """A constraint that narrows a template; Contradiction where it cannot hold."""

    def __init__(self, template: GraphTemplate, reader: LinearReader, consume: Consume) -> None:
        self._template = template
        self._reader = reader
        self._consume = consume

    def demand(self, expr: Expr, wanted: bool = True) -> None:
        """Demand that the expression have this truth value."""
        if isinstance(expr, Literal):
            if bool(expr.value) is not wanted:
                raise Contradiction("the constraint is false")
        elif isinstance(expr, Call):
            self._call(expr, wanted)

    def _call(self, call: Call, wanted: bool) -> None:
        name = call.function.name
        if name == "NOT":
            self.demand(call.args[0], not wanted)
        elif name in ("AND", "OR"):
            self._several(call, name, wanted)
        elif name in ("MESSAGE_IF", "MESSAGE_IFNOT", "MESSAGE_VALUE"):
            self.demand(call.args[0], wanted)
        elif name in _OPPOSITE:
            self._compare(call, name if wanted else _OPPOSITE[name])
        elif name in _DTYPES:
            self._dtype(call, wanted)
        elif wanted and name in _FACTS:
            _FACTS[name](self, call)

    def _several(self, call: Call, name: str, wanted: bool) -> None:
        """Demand all parts, or one of them where one is enough."""
        if (name == "AND") is wanted:
            for part in call.args:
                self.demand(part, wanted)
        else:
            self.demand(self._template.choices.pick(call.args), wanted)

    def _dtype(self, call: Call, wanted: bool) -> None:
        slot, named = self._reader.slot(call.args[0]), _DTYPES[call.function.name]
        if slot is not None and not slot.is_shape:
            self._template.dtype_in(slot, *(d for d in ELEMENTS if (d in named) is wanted))

    def _compare(self, call: Call, relation: str) -> None:
        left, right = call.args
        if left.kind is ExprKind.DTYPE:
            self._compare_dtypes(left, right, relation)
            return
        if relation == "EQ" and (self._infinite(left, right) or self._infinite(right, left)):
            return
        a, b = self._reader.linear(left), self._reader.linear(right)
        if a is not None and b is not None:
            self._relate(a.plus(b, Fraction(-1)), relation)

    def _infinite(self, element: Expr, wanted: Expr) -> bool:
        """Demand an infinity of CONSTVAL_FLOAT, which is not a whole number of units."""
        value = wanted.value if isinstance(wanted, Literal) else None
        if not isinstance(value, float) or not math.isinf(value) or not isinstance(element, Call):
            return False
        if element.function.name == "CONSTVAL_FLOAT":
            slot, index = self._reader.slot(element.args[0]), self._reader.whole(element.args[1])
            if slot is not None and index is not None:
                slot.exact[index] = value
        return True

    def _compare_dtypes(self, left: Expr, right: Expr, relation: str) -> None:
        a, b = self._typed(left), self._typed(right)
        if relation == "EQ" and a is not None and b is not None:
            self._template.same_dtype(a, b)
        for slot, other in ((a, right), (b, left)):
            if slot is not None and isinstance(other, Literal):
                allowed = (d for d in ELEMENTS if (d is other.value) is (relation == "EQ"))
                self._template.dtype_in(slot, *allowed)

    def _typed(self, expr: Expr) -> Slot | None:
        """Return the slot in DTYPE_OF(slot)."""
        if isinstance(expr, Call) and expr.function.name == "DTYPE_OF":
            return self._reader.slot(expr.args[0])
        return None

    def _relate(self, total: Linear, relation: str) -> None:
        """Demand `total relation 0`; a slack variable turns an inequality into an equation."""
        scale = math.lcm(*(share.denominator for _, share in total.terms))
        whole = total.times(Fraction(scale * total.constant.denominator))
        if relation == "NE":
            relation = self._template.choices.pick(("LT", "GT"))
        if relation in ("GT", "GE"):
            whole = whole.times(Fraction(-1))
        strict = 1 if relation in ("GT", "LT") else 0
        if relation == "EQ":
            self._equate(whole)
        elif len(whole.terms) <= 1:
            self._bound(whole, strict)
        else:
            slack = self._template.number(0, spread=_SLACK)
            gap = Linear(((slack, Fraction(1)),), Fraction(strict))
            self._equate(whole.plus(gap))

    def _bound(self, whole: Linear, strict: int) -> None:
        """Demand `share * x + constant + strict <= 0`."""
        rest = whole.constant + strict
        if not whole.terms:
            if rest > 0:
                raise Contradiction("the constraint is false")
            return
        ((var, share),) = whole.terms
        limit = -rest / share
        if share > 0:
            var.narrow(high=math.floor(limit), hinted=True)
        else:
            var.narrow(low=math.ceil(limit), hinted=True)

    def _equate(self, whole: Linear) -> None:
        """Demand that the sum be 0."""
        if not whole.terms:
            if whole.constant:
                raise Contradiction("the constraint is false")
        elif len(whole.terms) == 1:
            ((var, share),) = whole.terms
            value = -whole.constant / share
            if value.denominator != 1:
                raise Contradiction("no whole number fits")
            var.narrow(int(value), int(value), hinted=True)
        elif len(whole.terms) == 2 and not whole.constant and not sum(s for _, s in whole.terms):
            (a, _), (b, _) = whole.terms
            a.join(b)
        else:
            terms = ((var, int(share)) for var, share in whole.terms)
            self._template.system.add(Sum(terms, int(whole.constant)))

    def same_shape(self, call: Call) -> None:
        """SAME_SHAPE."""
        pair = self._pair(call)
        if pair:
            self._template.same_dims(*pair)

    def same_encoding(self, call: Call) -> None:
        """SAME_ENCODING."""
        pair = self._pair(call)
        if pair:
            self._template.same_encoding(*pair)

    def same_quant(self, call: Call) -> None:
        """SAME_QUANT."""
        pair = self._pair(call)
        if pair:
            pair[0].zero.join(pair[1].zero)
            pair[0].step.join(pair[1].step)

    def scalar(self, call: Call) -> None:
        """IS_SCALAR."""
        slot = self._reader.slot(call.args[0])
        if slot is not None:
            self._template.dims_are(slot, (1, 1, 1, 1))

    def row(self, call: Call) -> None:
        """IS_SHAPE_1x1x1xd."""
        slot = self._reader.slot(call.args[0])
        if slot is not None:
            self._template.dims_are(slot, (1, 1, 1, slot.dims[3]))

    def constant(self, call: Call) -> None:
        """CONSTVAL_..._VALID."""
        slot = self._reader.slot(call.args[0])
        if slot is not None and slot.source is None:
            slot.source = Source.CONST

    def number(self, call: Call) -> None:
        """CONSTVAL_IS."""
        slot, wanted = self._reader.slot(call.args[0]), call.args[1]
        if slot is not None and isinstance(wanted, Literal) and slot.source is not Source.INPUT:
            slot.filled = float(str(wanted.value))

    def consumer(self, call: Call) -> None:
        """PRODUCER_FOR."""
        slot = self._reader.slot(call.args[0])
        if slot is not None:
            self._consume(text_of(call.args[1]), slot)

    def _pair(self, call: Call) -> tuple[Slot, Slot] | None:
        a, b = (self._reader.slot(arg) for arg in call.args)
        return None if a is None or b is None else (a, b)


_FACTS: dict[str, Callable[[Hints, Call], None]] = {
    "SAME_SHAPE": Hints.same_shape,
    "SAME_ENCODING": Hints.same_encoding,
    "SAME_QUANT": Hints.same_quant,
    "IS_SCALAR": Hints.scalar,
    "IS_SHAPE_1x1x1xd": Hints.row,
    "CONSTVAL_INT_VALID": Hints.constant,
    "CONSTVAL_FLOAT_VALID": Hints.constant,
    "CONSTVAL_IS": Hints.number,
    "PRODUCER_FOR": Hints.consumer,
}
