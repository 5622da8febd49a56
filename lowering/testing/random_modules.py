"""Modules of the graph level that are grown op by op, by any way to choose."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...dialects.diagnostics import fail, listed
from ...dialects.qti_aisw import GRAPH_OPS, build
from ...dialects.qti_aisw.base import bool_attr, int_attr, ints_attr
from ...dialects.spec_of import spec_of, type_of
from ...dialects.value import DType, TensorSpec

T = TypeVar("T")
Params = dict[str, Attribute]
Shape = tuple[int, ...]


class Choose(Protocol):
    """A way to choose one of several: a generator's, or that of a strategy."""

    def __call__(self, choices: Sequence[T], /) -> T:
        """Return one of the choices, of which there is at least one."""


def _axis(choose: Choose, shape: Shape) -> Params:
    return {"axis": int_attr(choose(range(len(shape))))}


def _reduced(choose: Choose, shape: Shape) -> Params:
    return {"axes": ints_attr([choose(range(len(shape)))]), "keep_dims": bool_attr(True)}


def _perm(choose: Choose, shape: Shape) -> Params:
    left, perm = list(range(len(shape))), list[int]()
    while left:
        perm.append(left.pop(left.index(choose(left))))
    return {"perm": ints_attr(perm)}


def _none(choose: Choose, shape: Shape) -> Params:
    return {}


ParamsOf = Callable[[Choose, Shape], Params]

_UNARY = ("Relu", "Sigmoid", "Tanh", "HardSwish", "Gelu", "Elu")
_REAL = ("Abs", "Neg", "Sin", "Cos")
_BINARY = ("Add", "Subtract", "Multiply", "Maximum", "Minimum")

STEPS: Mapping[str, tuple[int, ParamsOf]] = {
    **dict.fromkeys(_UNARY, (1, _none)),
    **dict.fromkeys((f"ElementWise{name}" for name in _REAL), (1, _none)),
    **dict.fromkeys((f"ElementWise{name}" for name in _BINARY), (2, _none)),
    "Softmax": (1, _axis),
    "ReduceMean": (1, _reduced),
    "ReduceMax": (1, _reduced),
    "Transpose": (1, _perm),
    "Concat": (2, _axis),
}
"""The ops of random modules: how many operands of one shape each takes, and its params."""


def grow(choose: Choose, count: int, shape: Shape, ops: Sequence[str] | None) -> ModuleOp:
    """Return a verified module of `count` ops; HtpError for an op that is not in the table."""
    names = [*STEPS] if ops is None else [*ops]
    for name in names:
        if name not in STEPS:
            raise fail(name, "is no op of random modules", listed(name, STEPS))
    block = Block(arg_types=[type_of(TensorSpec(shape, DType.Float32))])
    values: list[SSAValue] = [*block.args]
    for _ in range(count):
        values.append(_step(choose, choose(names), block, values))
    outputs = [value for value in values if not value.uses] or values[-1:]
    block.add_op(ReturnOp(*outputs))
    function = FuncOp(
        "main",
        ([arg.type for arg in block.args], [value.type for value in outputs]),
        Region(block),
        arg_attrs=_names("x", len(block.args)),
        res_attrs=_names("y", len(outputs)),
    )
    module = ModuleOp([function])
    module.verify()
    return module


def _step(choose: Choose, name: str, block: Block, values: Sequence[SSAValue]) -> SSAValue:
    count, params_of = STEPS[name]
    first = choose(values)
    alike = [value for value in values if value.type == first.type]
    operands = [first, *(choose(alike) for _ in range(count - 1))]
    params = params_of(choose, spec_of(first).shape)
    op = build(GRAPH_OPS[name], [operands] if name == "Concat" else operands, params)
    block.add_op(op)
    return op.results[0]


def _names(letter: str, count: int) -> ArrayAttr[DictionaryAttr]:
    names = [f"{letter}{index}" for index in range(count)]
    return ArrayAttr([DictionaryAttr({"htp.name": StringAttr(name)}) for name in names])
