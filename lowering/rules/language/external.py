"""Python functions that rules call by name: constraints, shapes, whole replacements.

A function sees tags as `Node`, numbers as int or float, dtypes as `DType`, shapes as tuples.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.diagnostics import HtpError, fail, raised
from ....dialects.value.dense import Array
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import Shape, TensorSpec
from ..graph.env import Env, Split
from ..graph.graph import Node
from ..graph.types import EvaluationError, Kind, Value
from ..tree.build import Builder, NoChange, Reference
from ..tree.expr import Call, External
from ..tree.function import ANYTHING, EXTERNAL, NODE, VAR, Function, builds
from .split import split_of

Constraint = Callable[..., bool]
ShapeFunction = Callable[..., "Shape | Array"]
Replacement = Callable[[Builder, Node], "Node | SSAValue"]

_FITTING = {"f": DType.Float32, "i": DType.Int32, "u": DType.Int32, "b": DType.Int32}


def external_constraint(name: str, *, takes_env: bool = False) -> Callable[[Constraint], External]:
    """Register a function of a node and more that gives a bool, for EXTERNAL_CONSTRAINT.

    With `takes_env` it gets the `Env` of the match first, which has the graph options and the
    properties and kernels of the packages in use (`env.tables`).

    Example: `external_constraint("is_deep")(lambda node, limit: node.shape[3] > limit)`
    """
    return lambda function: External(name, function, takes_env=takes_env)


def shape_function(name: str) -> Callable[[ShapeFunction], External]:
    """Register a function that gives dims, or an array for a constant, for SHAPEFN_APPLY.

    Through AUTOSPLIT_SHAPEFN_APPLY it gets the `Split` first.

    Example: `shape_function("doubled")(lambda node: tuple(2 * dim for dim in node.shape))`
    """
    return lambda function: External(name, function)


def external_replacement(name: str) -> Callable[[Replacement], External]:
    """Register a function of a builder and the root that gives a node, for EXTERNAL_REPLACE.

    Giving the root means no change.

    Example: `external_replacement("first")(lambda builder, root: root.inputs[0])`
    """
    return lambda function: External(name, function)


def _function(env: Env, call: Call) -> Callable[..., object]:
    external = call.args[0]
    if not isinstance(external, External):
        raise TypeError(f"{external} is no function")
    external = external.resolve(env)
    function = partial(external, env) if external.takes_env else external
    return partial(_guarded, external.name, function)


def _guarded(name: str, function: Callable[..., object], *args: object) -> object:
    """Call a user's function; what it raises becomes an error that names it."""
    try:
        return function(*args)
    except (HtpError, EvaluationError, NoChange):
        raise
    except Exception as error:
        raise fail(f"function {name}", raised(error)) from error


def _constraint(env: Env, call: Call) -> Value:
    answer = _function(env, call)(*[arg.evaluate(env) for arg in call.args[1:]])
    if not isinstance(answer, bool | np.bool_):
        raise fail(
            f"function {call.args[0]}", f"gave {answer!r}", "a constraint gives True or False"
        )
    return bool(answer)


def _result(env: Env, call: Call) -> Shape | Array:
    """What a shape function gives; its split tag, where it has one, comes as a Split."""
    args: list[Value | Split] = [
        split_of(env, arg) if arg.kind is Kind.VAR else arg.evaluate(env) for arg in call.args[1:]
    ]
    result = _function(env, call)(*args)
    if isinstance(result, np.ndarray):
        return result
    if isinstance(result, tuple) and all(isinstance(dim, int) for dim in result):
        return result
    raise EvaluationError(f"{call.args[0]} gave {result!r}, which is neither dims nor an array")


def _dims(env: Env, call: Call) -> Value:
    result = _result(env, call)
    if isinstance(result, tuple):
        return result
    raise EvaluationError(f"{call.args[0]} gave a constant where dims are needed")


def _apply(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    result = _result(builder.env, call)
    if isinstance(result, tuple):
        return builder.shape(result)
    dtype = _FITTING.get(result.dtype.kind)
    if dtype is None or (
        dtype is DType.Int32 and not np.array_equal(result, result.astype(np.int32))
    ):
        raise EvaluationError(f"{call.args[0]} gave {result.dtype} numbers that are no f32 or i32")
    four = result.reshape((1,) * (4 - result.ndim) + result.shape)
    with np.errstate(over="ignore"):
        array = four.astype(dtype.storage)
    return builder.const(array, TensorSpec(four.shape, dtype))


def _replace(builder: Builder, ref: Reference, call: Call) -> SSAValue:
    root = Node(builder.root.results[0])
    result = _function(builder.env, call)(builder, root)
    value = result.value if isinstance(result, Node) else result
    if not isinstance(value, SSAValue):
        raise EvaluationError(f"{call.args[0]} gave {value!r}, which is no node")
    if value is root.value:
        raise NoChange
    return value


EXTERNAL_CONSTRAINT = Function(
    "EXTERNAL_CONSTRAINT",
    (EXTERNAL, NODE),
    Kind.BOOL,
    _constraint,
    rest=ANYTHING,
    doc=(
        "What a registered function says of a node and further operands. Example: "
        '`EXTERNAL_CONSTRAINT("only_use", "C")`'
    ),
)
SHAPEFN_APPLY = Function(
    "SHAPEFN_APPLY",
    (EXTERNAL,),
    Kind.SHAPE,
    _dims,
    _apply,
    rest=ANYTHING,
    doc=(
        "The dims, or the constant, that a registered function gives. Example: "
        '`SHAPEFN_APPLY("reshape_hw_to_4d", "stride")`'
    ),
)
AUTOSPLIT_SHAPEFN_APPLY = Function(
    "AUTOSPLIT_SHAPEFN_APPLY",
    (EXTERNAL, VAR),
    Kind.SHAPE,
    _dims,
    _apply,
    rest=ANYTHING,
    doc=(
        "The same, with the slice as the function's first operand. Example: "
        '`AUTOSPLIT_SHAPEFN_APPLY("simple_split_start", "I", "X")`'
    ),
)
EXTERNAL_REPLACE = builds(
    "EXTERNAL_REPLACE",
    (EXTERNAL,),
    _replace,
    doc=(
        "What a registered function builds; the root itself means no change. Example: "
        '`EXTERNAL_REPLACE("flat_concat")`'
    ),
)
