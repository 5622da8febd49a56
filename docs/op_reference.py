"""The pages of ops: what each takes, gives and demands, its example at every level, its kernels."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from inspect import cleandoc, getmodule
from itertools import groupby

import constraint_reference
import support_reference
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops import const, state
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, ConstOp, CustomOp
from htp_mlir.dialects.qti_aisw.base import param_value
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.patterns.properties import PROPERTIES
from reference_text import EXAMPLE, bullets, headline, table, value_text, wrapped
from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.irdl import (
    IRDLOperation,
    OptOperandDef,
    OptPropertyDef,
    PropertyDef,
    VarOperandDef,
    VarResultDef,
)

_KINDS = {
    DenseArrayBase: "list of ints",
    IntegerAttr: "int",
    FloatAttr: "float",
    StringAttr: "text",
}
MODULE_OPS = (const.ConstOp, const.ShapeOp, state.StateOp, state.StateReadOp, state.StateWriteOp)


@dataclass(frozen=True)
class Documented:
    """A docstring in its parts."""

    paragraphs: tuple[str, ...]
    constraints: tuple[str, ...]
    example: str


def documented(op: type[IRDLOperation]) -> Documented:
    """The parts of an op's docstring; ValueError where it shows no example."""
    text = cleandoc(op.__doc__ or "")
    match = EXAMPLE.search(text)
    if match is None:
        raise ValueError(f"{op.name}: the docstring has no `Example: ...`")
    paragraphs = [part.strip() for part in EXAMPLE.sub("", text).split("\n\n") if part.strip()]
    prose = [part for part in paragraphs if not part.startswith("Constraints:")]
    constraints = constraint_reference.constraints(op)
    return Documented(tuple(prose), constraints, wrapped(" ".join(match[1].split())))


def graph_ops() -> Iterable[str]:
    return _families([("Const", ConstOp), *GRAPH_OPS.items(), ("Custom", CustomOp)])


def native_ops() -> Iterable[str]:
    ops: list[type[IRDLOperation]] = [*MODULE_OPS, *NATIVE_OPS.values()]
    return _families([(op.name.removeprefix("htp."), op) for op in ops])


def _families(ops: Iterable[tuple[str, type[IRDLOperation]]]) -> Iterable[str]:
    for module, family in groupby(ops, lambda item: getmodule(item[1])):
        yield f"## {headline(module.__doc__)}"
        for mnemonic, op in family:
            yield _op(mnemonic, op)


def _op(mnemonic: str, op: type[IRDLOperation]) -> str:
    text = documented(op)
    native = issubclass(op, NativeOp)
    signature = _native_signature(op) if native else _signature(op)
    constraints = ("Constraints:", bullets(text.constraints)) if text.constraints else ()
    return "\n\n".join(
        (
            f"### {mnemonic}",
            *text.paragraphs,
            bullets(f"{what}: {items}" for what, items in signature.items() if items),
            *constraints,
            f"```mlir\n{text.example}\n```",
            *(_levels(text.example) if mnemonic in GRAPH_OPS and not native else ()),
            *(_kernels(op) if native else ()),
        )
    )


def _levels(example: str) -> Iterator[str]:
    """The example of a graph op at each level."""
    rows = support_reference.levels_of_example(example, installed().context())
    yield table(("level", "the example there"), rows)


def _kernels(op: type[NativeOp]) -> Iterator[str]:
    yield "Kernels, with the tensors that they give:"
    yield bullets(support_reference.kernels_of(op)) or "- none: it is folded or made a view"


def _signature(op: type[IRDLOperation]) -> dict[str, str]:
    definition = op.get_irdl_definition()
    properties = [
        (name, field)
        for name, field in definition.properties.items()
        if name not in ("operandSegmentSizes", "resultSegmentSizes")
    ]
    properties.sort(key=lambda item: item[1].default_value is not None)
    return {
        "operands": ", ".join(f"`{name}`{_arity(field)}" for name, field in definition.operands),
        "params": "; ".join(_param(name, field) for name, field in properties),
        "results": ", ".join(f"`{name}`{_arity(field)}" for name, field in definition.results),
    }


def _native_signature(op: type[NativeOp]) -> dict[str, str]:
    core = CORE_OF.get(op.mnemonic())
    return {
        "operands": ", ".join(f"`{name}`" for name in op.OPERANDS),
        "params among them": ", ".join(
            f"`{name}` (shape)" if name in op.SHAPES else f"`{name}`" for name in op.PARAMS
        ),
        "results": "" if op.RESULTS == 1 else str(op.RESULTS),
        "core form": f"[{core}](#{core.lower()})" if core else "",
        "levels": support_reference.levels_of(op),
        **_demands(op),
    }


def _demands(op: type[NativeOp]) -> dict[str, str]:
    """The layouts and memories that an op wants its tensors in, once they are placed."""
    wanted = PROPERTIES.get(op.mnemonic())
    if wanted is None:
        return {}
    operands = dict(zip(wanted.inputs, op.OPERANDS, strict=False))
    names = {tag: f"`{operands.get(tag, tag)}`" for tag in wanted.inputs + wanted.outputs}
    names["*"] = "the result"
    placed = [tag for tag in names if operands.get(tag) not in op.SHAPES]
    return {
        "layouts": _grouped((names[tag], wanted.layout(tag)) for tag in placed),
        "memories": _grouped((names[tag], wanted.memory(tag)) for tag in placed),
    }


def _grouped(pairs: Iterable[tuple[str, LayoutKind | Memory | None]]) -> str:
    groups: dict[str, list[str]] = {}
    for name, value in pairs:
        if value is not None:
            groups.setdefault(value.value, []).append(name)
    parts = [f"{value} {', '.join(names)}" for value, names in groups.items()]
    return "; ".join(parts) or "any"


def _arity(definition: object) -> str:
    match definition:
        case OptOperandDef():
            return " (optional)"
        case VarOperandDef() | VarResultDef():
            return " (any number)"
        case _:
            return ""


def _param(name: str, definition: PropertyDef) -> str:
    if isinstance(definition.default_value, DictionaryAttr):
        return f"`{name}` (dictionary, empty by default)"
    if definition.default_value is not None:
        return f"`{name}` = {value_text(param_value(definition.default_value))}"
    bases = definition.constr.get_bases() or set()
    kind = next((text for base, text in _KINDS.items() if base in bases), "attribute")
    optional = ", optional" if isinstance(definition, OptPropertyDef) else ""
    return f"`{name}` ({kind}{optional})"
