"""Copies and conversions that a rule places by hand, and what is left of it without them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ....dialects.htp.named import meaning_of
from ....dialects.value import LayoutKind, Memory
from ...rules.graph.graph import DEFAULT_PACKAGE, resolve
from ...rules.tree.expr import Expr, OpForm, Text
from ...rules.tree.function import Call
from ..report_lines import place_text

PlacementConstraint = tuple[LayoutKind | None, Memory | None]
"""A layout and a memory; None where nothing is said of it."""

_FLAT, _CROUTON = LayoutKind.FLAT, LayoutKind.CROUTON
_MOVES: dict[str, tuple[PlacementConstraint, PlacementConstraint]] = {
    "htp.ForceFormat_Flat": ((None, None), (_FLAT, None)),
    "htp.ForceFormat_Crouton": ((None, None), (_CROUTON, None)),
    "htp.flat_to_vtcm": ((_FLAT, Memory.DDR), (_FLAT, Memory.TCM)),
    "htp.crouton_to_vtcm": ((_CROUTON, Memory.DDR), (_CROUTON, Memory.TCM)),
    "htp.flat_from_vtcm": ((_FLAT, Memory.TCM), (_FLAT, Memory.DDR)),
    "htp.crouton_from_vtcm": ((_CROUTON, Memory.TCM), (_CROUTON, Memory.DDR)),
}
"""The placement that each copy takes, and the one it gives."""
_WRAPS = ("WrapOp", "WrapOpAlways")
_MODIFIERS = (
    *("WITH_SIZE", "WITH_TYPE", "WITH_SAME_OUTPUT", "WITH_OUTPUT_TYPE", "WITH_SAME_ID"),
    *("WITH_SPLIT_HISTORY", "ResizeDim"),
)
_SPLITS = ("AUTOSPLIT", "AUTOTHREAD_HVX", "AUTOTHREAD_HMX")


@dataclass(frozen=True)
class Peeled:
    """A part of a replacement without the copies around it.

    `chain` names them, the outermost first. `source` is where the first of them takes the core
    from, `destination` where the last one leaves it, `clash` which two do not fit each other.
    """

    core: Expr
    chain: tuple[str, ...] = ()
    source: PlacementConstraint = (None, None)
    destination: PlacementConstraint = (None, None)
    clash: str = ""


@dataclass(frozen=True)
class PlacementRequest:
    """A placement that a rule gives one tensor of an op: operand `index`, or the first output."""

    op: str
    index: int | None
    constraint: PlacementConstraint
    words: str


@dataclass
class Stripper:
    """Takes the copies out of the replacement of a rule of `package`.

    `requests` and `clashes` are collected on the way, `built` are the ops that the replacement
    makes, each as often as it does, by IR name.
    """

    package: str
    requests: list[PlacementRequest] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)
    built: dict[str, list[OpForm]] = field(default_factory=dict)

    def strip(self, expr: Expr) -> Expr:
        """Return a part that no op takes, such as a whole replacement, without copies."""
        peeled = self._peel(expr)
        if peeled.chain:
            self._note_source(peeled)
        return self._inside(peeled.core)

    def _inside(self, core: Expr) -> Expr:
        if isinstance(core, OpForm):
            return self._op(core)
        if isinstance(core, Call) and core.function.name in (*_MODIFIERS, *_SPLITS):
            return replace(core, args=(*core.args[:-1], self.strip(core.args[-1])))
        if isinstance(core, Call) and any(places_by_hand(a, self.package) for a in core.args):
            self.clashes.append(f"copies stand inside {core.function.name}()")
        return core

    def _op(self, form: OpForm) -> OpForm:
        name = resolve(form.name, self.package)
        self.built.setdefault(name, []).append(form)
        return replace(form, inputs=tuple(self._inputs(name, form)))

    def _inputs(self, name: str, form: OpForm) -> Iterator[Expr]:
        for index, part in enumerate(form.inputs):
            peeled = self._peel(part)
            if peeled.chain:
                words = "(".join(peeled.chain) + "(...)" + ")" * (len(peeled.chain) - 1)
                self.requests.append(PlacementRequest(name, index, peeled.destination, words))
                self._note_source(peeled)
            yield self._inside(peeled.core)

    def _note_source(self, peeled: Peeled) -> None:
        """Request the output placement that the first copy states; a clash is kept."""
        if peeled.clash:
            self.clashes.append(peeled.clash)
        below = built_op(peeled.core)
        if below is not None:
            constraint = peeled.source
            words = f"{peeled.chain[-1]} takes its output"
            self.requests.append(
                PlacementRequest(resolve(below.name, self.package), None, constraint, words)
            )

    def _peel(self, expr: Expr) -> Peeled:
        if isinstance(expr, Call) and expr.function.name in _MODIFIERS:
            inner = self._peel(expr.args[-1])
            builds = isinstance(inner.core, OpForm | Call)
            core = replace(expr, args=(*expr.args[:-1], inner.core)) if builds else inner.core
            return replace(inner, core=core) if inner.chain else Peeled(expr)
        copy = _copied(expr, self.package)
        return _wrapped(copy[0], self._peel(copy[1])) if copy else Peeled(expr)


def places_by_hand(expr: Expr, package: str) -> bool:
    """Tell whether a match or a replacement holds copies."""
    inside = any(places_by_hand(part, package) for part in expr.parts())
    return inside or _copied(expr, package) is not None


def _copied(expr: Expr, package: str) -> tuple[str, Expr] | None:
    """Return the name of a copy and what it copies; None for anything else."""
    if isinstance(expr, OpForm) and len(expr.inputs) == 1:
        name, below = expr.name, expr.inputs[0]
    elif isinstance(expr, Call) and expr.function.name in _WRAPS:
        text, below = expr.args
        name = text.text if isinstance(text, Text) else ""
    else:
        return None
    owner, _, op = resolve(name, package).partition(".")
    full = f"{owner}.{meaning_of(op)}" if owner == DEFAULT_PACKAGE else ""
    return (full, below) if full in _MOVES else None


def _wrapped(name: str, inner: Peeled) -> Peeled:
    """Add a copy around others: its places win, and those that it leaves open are kept."""
    (takes, gives), short = _MOVES[name], name.partition(".")[2]
    clash = inner.clash
    for wanted, present in zip(takes, inner.destination, strict=True):
        if wanted is not None and present not in (None, wanted):
            clash = (
                clash
                or f"{short} takes {place_text(*takes)}, it gets {place_text(*inner.destination)}"
            )
    return Peeled(
        inner.core,
        (short, *inner.chain),
        inner.source if inner.chain else takes,
        (gives[0] or inner.destination[0], gives[1] or inner.destination[1]),
        clash,
    )


def built_op(core: Expr) -> OpForm | None:
    """Return the op that a replacement makes below its modifiers, if it is one."""
    while isinstance(core, Call) and core.function.name in _MODIFIERS:
        core = core.args[-1]
    return core if isinstance(core, OpForm) else None
