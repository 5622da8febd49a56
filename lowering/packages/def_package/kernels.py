"""DEF_PACKAGE_OP and its kin, CTOR_OPHOOK: which function runs an op, on which tensor classes."""

from collections.abc import Iterator
from dataclasses import replace

from ....dialects.suggestions import did_you_mean, listed
from ....dialects.value import LayoutKind
from ....runtime.kernel.kernel import Cost, Flag
from ....runtime.tensors.tensors import Tensor
from ...rules.language.derived import CLASS_LAYOUTS
from ..cpp.calls import MacroCall
from ..cpp.code import Code
from ..cpp.tokens import NotUnderstood, TokenKind, Tokens, bare, operands, text_of
from .language import Parser
from .package import KernelParameter, KernelSignature, Role

SHAPE_CLASS = "TensorShape<4>"
"""The class of a shape, which has dims and no data."""
DECLARED_CLASSES = (
    "Tensor",
    *(f"{name}{suffix}" for name in CLASS_LAYOUTS for suffix in ("", "_TCM")),
)
"""The tensor classes that the header declares."""
KNOWN_CLASSES = (*DECLARED_CLASSES, SHAPE_CLASS)
"""The tensor classes that a parameter may have."""
SPECIAL_CLASSES = ("Graph", "Op", "OpIoPtrs", "op_slice_spec")
"""The classes of a kernel's parameters that are not tensors: they take no part in its choice."""
_SPELLINGS = {
    f"TensorContiguous<Tdefs::{name.removesuffix('Tensor')}>": name
    for name, (layout, _) in CLASS_LAYOUTS.items()
    if layout is LayoutKind.FLAT
}
"""The older spelling of the flat classes."""


def known_class(type_: str) -> str | None:
    """Return the known class that a type is, behind its namespace or its older spelling.

    Example: `known_class("hnnx::TensorContiguous<Tdefs::Int32>") == "Int32Tensor"`
    """
    head, mark, arguments = type_.partition("<")
    short = head.rpartition("::")[2] + mark + arguments
    class_ = _SPELLINGS.get(short, short)
    return class_ if class_ in KNOWN_CLASSES else None


KERNEL_MACROS = {
    "DEF_PACKAGE_OP": 2,
    "DEF_PACKAGE_OP_AND_COST_AND_FLAGS": 3,
    "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS": 3,
}
"""The least number of operands of each macro that registers a kernel."""


def read_kernel(call: MacroCall, code: Code) -> KernelSignature:
    """Return the signature that one registration represents."""
    least = KERNEL_MACROS[call.name]
    if len(call.args) < least or (least == 2 and len(call.args) > 2):
        raise NotUnderstood(call.token, f"{call.name} with {len(call.args)} operands")
    op = Parser(call.args[1], code.values).whole()
    if not isinstance(op, str) or not op:
        raise NotUnderstood(call.token, "the op's name is no string")
    function, arguments = _instance(call, call.args[0], code)
    parameters = tuple(_parameters(function, arguments, code))
    _check_classes(call, parameters)
    reached = code.reached(function.rpartition("::")[2])
    signature = KernelSignature(
        op, function, arguments, parameters, where=call.token.where, reached=reached
    )
    if least == 2:
        return signature
    return replace(signature, cost=_cost(call, call.args[2]), flags=_flags(call.args[3:]))


def read_hook(call: MacroCall, code: Code) -> tuple[str, str]:
    """Return the function instance and the class of its constructor hook."""
    if len(call.args) != 2 or not call.args[1]:
        raise NotUnderstood(call.token, f"CTOR_OPHOOK with {len(call.args)} operands")
    function, arguments = _instance(call, call.args[0], code)
    return KernelSignature("", function, arguments).instance, text_of(call.args[1])


def _instance(call: MacroCall, tokens: Tokens, code: Code) -> tuple[str, tuple[str, ...]]:
    """`f`, `f<A>` or `(f<A, B>)` as the name and the template arguments."""
    named = bare(tokens)
    opening = next((i for i, token in enumerate(named) if token.text == "<"), len(named))
    name = named[:opening]
    plain = bool(name) and all(t.kind is TokenKind.WORD or t.text == "::" for t in name)
    if not plain or (opening < len(named) and named[-1].text != ">"):
        raise NotUnderstood(call.token, f"'{text_of(named)}' names no function")
    inner = named[opening + 1 : -1] if opening < len(named) else []
    return text_of(name), tuple(
        code.type_name(text_of(part), known_class) for part in operands(inner, angles=True)
    )


def _parameters(name: str, arguments: tuple[str, ...], code: Code) -> Iterator[KernelParameter]:
    function = code.functions.get(name.rpartition("::")[2])
    if function is None:
        return
    chosen = function.chosen(arguments)
    reads = False
    for parameter in function.parameters:
        takes = code.type_name(chosen.get(parameter.takes, parameter.takes), known_class)
        if takes in SPECIAL_CLASSES:
            yield KernelParameter(parameter.name, parameter.written(takes), Role.SPECIAL)
            continue
        reads = reads or parameter.const
        role = Role.INPUT if parameter.const else Role.SCRATCH if reads else Role.OUTPUT
        yield KernelParameter(parameter.name, takes, role)


def _check_classes(call: MacroCall, parameters: tuple[KernelParameter, ...]) -> None:
    for parameter in (p for p in parameters if p.role is not Role.SPECIAL):
        if parameter.takes not in KNOWN_CLASSES:
            problem = (
                f"parameter '{parameter.name}' is of the unknown tensor class {parameter.takes}"
            )
            hint = did_you_mean(parameter.takes, KNOWN_CLASSES, "no kernel was made")
            raise NotUnderstood(call.token, problem, hint)
        if parameter.role is Role.SCRATCH and parameter.takes == Tensor.__name__:
            problem = f"scratch '{parameter.name}' is of the generic class {parameter.takes}"
            raise NotUnderstood(call.token, problem, "scratch is of a concrete class")
        if parameter.role is not Role.INPUT and parameter.takes == SHAPE_CLASS:
            problem = f"'{parameter.name}' is a shape that the kernel may write"
            raise NotUnderstood(call.token, problem, "take it by const reference")


def _cost(call: MacroCall, tokens: Tokens) -> Cost | str:
    text = text_of(bare(tokens)).removeprefix("&")
    name = text.rpartition("::")[2]
    if call.name.endswith("COST_F_AND_FLAGS"):
        if not name.isidentifier():
            raise NotUnderstood(call.token, f"'{text}' names no cost function")
        return text
    if name not in Cost.__members__:
        known = listed(name, Cost.__members__)
        raise NotUnderstood(call.token, f"'{text}' is no cost", known)
    return Cost[name]


def _flags(parts: tuple[Tokens, ...]) -> Flag:
    flags = Flag.NONE
    for token in (token for part in parts for token in part):
        if token.kind is not TokenKind.WORD or token.text == "Flags":
            continue
        if token.text not in Flag.__members__:
            known = listed(token.text, Flag.__members__)
            raise NotUnderstood(token, f"'{token.text}' is no flag", known)
        flags |= Flag[token.text]
    return flags
