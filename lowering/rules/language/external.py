"""Python functions that rules call by name: constraints, shapes, whole replacements.

A function sees tags as `Node`, numbers as int or float, dtypes as `DType`, shapes as tuples.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.diagnostics import HtpError, fail
from ....dialects.faults.op_faults import raised
from ....dialects.spec_of import Array
from ....dialects.value import DType, Shape, TensorSpec
from ..graph.env import Env, Split
from ..graph.graph import EvaluationError, ExprKind, Node, Value
from ..tree.build import Builder, NoChange, Reference
from ..tree.expr import External
from ..tree.function import Anything, Call, Function, FunctionParameters, builds, declared, function

Constraint = Callable[..., bool]
ShapeFunction = Callable[..., "Shape | Array"]
Replacement = Callable[[Builder, Node], "Node | SSAValue"]
DimsOrArray = Annotated[object, ExprKind.SHAPE]

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


def external_replacement(
    name: str, *, all_outputs: bool = False
) -> Callable[[Replacement], External]:
    """Register a function of a builder and the root that gives a node, for EXTERNAL_REPLACE.

    The root as the result means no change. With `all_outputs` it also puts the other outputs of the
    root and what takes their place into `builder.further`; without, no op may read them.

    Example: `external_replacement("first")(lambda builder, root: root.inputs[0])`
    """
    return lambda function: External(name, function, all_outputs=all_outputs)


def called(env: Env, external: External, *args: object) -> object:
    """Call a user's function; what it raises becomes an error that names it."""
    called = external.resolve(env)
    try:
        return called(env, *args) if called.takes_env else called(*args)
    except (HtpError, EvaluationError, NoChange):
        raise
    except Exception as error:
        raise fail(f"function {external}", raised(error), "fix the function") from error


@function
def EXTERNAL_CONSTRAINT(env: Env, external: External, node: Node, *rest: Anything) -> bool:
    """The answer of a registered function about a node and further operands.

    Example: `EXTERNAL_CONSTRAINT("only_use", "C")`
    """
    answer = called(env, external, node, *rest)
    if not isinstance(answer, bool | np.bool_):
        raise fail(f"function {external}", f"gave {answer!r}", "a constraint gives True or False")
    return bool(answer)


def _shape_call(body: Callable[..., object]) -> Function:
    """Declare a function that calls a shape function: dims as a value, dims or a constant built."""
    called = FunctionParameters(body).applied(body)

    def result(env: Env, call: Call) -> Shape | Array:
        result = called(env, call)
        if isinstance(result, np.ndarray):
            return result
        if isinstance(result, tuple) and all(isinstance(dim, int) for dim in result):
            return result
        raise EvaluationError(f"{call.args[0]} gave {result!r}, which is neither dims nor an array")

    def dims(env: Env, call: Call) -> Value:
        value = result(env, call)
        if isinstance(value, tuple):
            return value
        raise EvaluationError(f"{call.args[0]} gave a constant where dims are needed")

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        value = result(builder.env, call)
        return builder.shape(value) if isinstance(value, tuple) else _const(builder, value, call)

    return declared(body, dims, build)


def _const(builder: Builder, array: Array, call: Call) -> SSAValue:
    """Make a constant of rank 4 of the numbers of a shape function, as f32 or i32."""
    dtype = _FITTING.get(array.dtype.kind)
    if dtype is None or (
        dtype is DType.Int32 and not np.array_equal(array, array.astype(np.int32))
    ):
        raise EvaluationError(f"{call.args[0]} gave {array.dtype} numbers that are no f32 or i32")
    four = array.reshape((1,) * (4 - array.ndim) + array.shape)
    with np.errstate(over="ignore"):
        return builder.const(four.astype(dtype.storage), TensorSpec(four.shape, dtype))


@_shape_call
def SHAPEFN_APPLY(env: Env, external: External, *rest: Anything) -> DimsOrArray:
    """The dims, or the constant, that a registered function gives.

    Example: `SHAPEFN_APPLY("reshape_hw_to_4d", "stride")`
    """
    return called(env, external, *rest)


@_shape_call
def AUTOSPLIT_SHAPEFN_APPLY(
    env: Env, external: External, cut: Split, *rest: Anything
) -> DimsOrArray:
    """The same, with the slice as the function's first operand.

    Example: `AUTOSPLIT_SHAPEFN_APPLY("simple_split_start", "I", "X")`
    """
    return called(env, external, cut, *rest)


@builds
def EXTERNAL_REPLACE(builder: Builder, ref: Reference, external: External) -> SSAValue:
    """The result of a registered function; the root itself means no change.

    Example: `EXTERNAL_REPLACE("flat_concat")`
    """
    root = Node(builder.root.results[0])
    result = called(builder.env, external, builder, root)
    value = result.value if isinstance(result, Node) else result
    if not isinstance(value, SSAValue):
        raise EvaluationError(f"{external} gave {value!r}, which is no node")
    if value is root.value:
        raise NoChange
    return value
