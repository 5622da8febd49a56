"""Takes ops of a graph apart, as exporters that know no such op write them."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, ConstOp, GraphOp, build, const
from htp_mlir.dialects.qti_aisw.base import Operand, bool_attr, ints_attr
from htp_mlir.dialects.spec_of import Array, plain_element_type, spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter


@dataclass
class Parts:
    """Puts the parts of an op before it, and the states that it keeps at the function's border."""

    function: FuncOp
    op: GraphOp
    states: dict[str, str]

    def __call__(self, name: str, *operands: Operand, **params: Attribute) -> SSAValue:
        """Add an op."""
        missing = len(GRAPH_OPS[name].get_irdl_definition().operands) - len(operands)
        return self._add(build(GRAPH_OPS[name], [*operands, *[None] * missing], params))

    def const(self, array: Array | float) -> SSAValue:
        """Add a constant."""
        data = np.asarray(array, np.float32)
        return self._add(const(data, TensorSpec(data.shape, DType.Float32)))

    def reshape(self, value: SSAValue, *shape: int) -> SSAValue:
        """Add a Reshape."""
        return self("Reshape", value, shape=ints_attr(shape))

    def state(self, shape: tuple[int, ...]) -> SSAValue:
        """Add an input of the function for a state, zeros at first; `keep` gives its next value."""
        block, name = self.function.body.block, f"state{len(self.states)}"
        self.states[name] = f"{name}.next"
        value = block.insert_arg(type_of(TensorSpec(shape, DType.Float32)), len(block.args))
        named = DictionaryAttr({"htp.name": StringAttr(name)})
        self.function.properties["arg_attrs"] = ArrayAttr([*(self.function.arg_attrs or ()), named])
        return value

    def keep(self, state: SSAValue, value: SSAValue) -> None:
        """Add an output of the function with a state's next value."""
        end = self.function.body.block.last_op
        name = list(self.states.values())[self.function.body.block.args.index(state) - self.inputs]
        assert isinstance(end, ReturnOp)
        end.operands = [*end.operands, value]
        named = DictionaryAttr({"htp.name": StringAttr(name)})
        self.function.properties["res_attrs"] = ArrayAttr([*(self.function.res_attrs or ()), named])

    @property
    def inputs(self) -> int:
        """The number of the function's inputs that are no states."""
        return len(self.function.body.block.args) - len(self.states)

    def _add(self, op: Operation) -> SSAValue:
        assert self.op.parent is not None
        self.op.parent.insert_op_before(op, self.op)
        return op.results[0]


def decompose(module: ModuleOp) -> tuple[ModuleOp, dict[str, str]]:
    """A copy with every op of PARTS taken apart, and the output that each state's input goes on."""
    module, states = module.clone(), dict[str, str]()
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    for op in list(function.body.block.ops):
        if isinstance(op, GraphOp) and op.name.removeprefix("qti_aisw.") in PARTS:
            apart = PARTS[op.name.removeprefix("qti_aisw.")]
            Rewriter.replace_op(op, [], apart(op, Parts(function, op, states)))
    end = function.body.block.last_op
    assert isinstance(end, ReturnOp)
    types = [
        [value.type for value in values] for values in (function.body.block.args, end.operands)
    ]
    function.properties["function_type"] = FunctionType.from_lists(*types)
    module.verify()
    return module, states


def masked_softmax(op: GraphOp, add: Parts) -> list[SSAValue | None]:
    """Cast, Add, Softmax."""
    data, mask = op.operands
    batch, _, _, depth = spec_of(data).shape
    real = add("Cast", mask, to=plain_element_type(DType.Float32))
    return [add("Softmax", add("ElementWiseAdd", data, add.reshape(real, batch, 1, 1, depth)))]


def layer_norm(op: GraphOp, add: Parts) -> list[SSAValue | None]:
    """Mean, difference, its square, variance, root, quotient, product and sum."""
    params, operands = op.params(), op.named_operands()
    over = {"axes": op.properties["axes"], "keep_dims": bool_attr(True)}
    mean = add("ReduceMean", operands["inp"], **over)
    centred = add("ElementWiseSubtract", operands["inp"], mean)
    square = add("ElementWiseMultiply", centred, centred)
    variance = add("ReduceMean", square, **over)
    epsilon = add.const(float(str(params["epsilon"])))
    root = add("ElementWiseSquareRoot", add("ElementWiseAdd", variance, epsilon))
    scaled = add("ElementWiseMultiply", add("ElementWiseDivide", centred, root), operands["gamma"])
    return [add("ElementWiseAdd", scaled, operands["beta"])]


def gelu(op: GraphOp, add: Parts) -> list[SSAValue | None]:
    """Quotient, Erf, sum and two products."""
    (data,) = op.operands
    erf = add("ElementWiseErf", add("ElementWiseDivide", data, add.const(sqrt(2))))
    product = add("ElementWiseMultiply", data, add("ElementWiseAdd", erf, add.const(1)))
    return [add("ElementWiseMultiply", product, add.const(0.5))]


def _gates(op: GraphOp, add: Parts, count: int, h: SSAValue) -> list[tuple[SSAValue, SSAValue]]:
    """The products of input and state with each gate's weights, biases added."""
    arrays = {
        n: v.owner.array for n, v in op.named_operands().items() if isinstance(v.owner, ConstOp)
    }
    data = add.reshape(op.operands[0], *spec_of(op.operands[0]).shape[1:])
    wide = arrays["R"].shape[2]
    parts = []
    for gate in range(count):
        rows = slice(gate * wide, (gate + 1) * wide)
        own, past = arrays["B"][0][rows], arrays["B"][0][count * wide :][rows]
        parts.append(
            (
                add("FullyConnected", data, add.const(arrays["W"][0][rows]), add.const(own)),
                add("FullyConnected", h, add.const(arrays["R"][0][rows]), add.const(past)),
            )
        )
    return parts


def lstm(op: GraphOp, add: Parts) -> list[SSAValue | None]:
    """One cell: its state goes in and out of the function."""
    shape = spec_of(op.results[1]).shape[1:]
    h, c = add.state(shape), add.state(shape)
    sums = [add("ElementWiseAdd", own, past) for own, past in _gates(op, add, 4, h)]
    i, o, f = (add("Sigmoid", value) for value in sums[:3])
    candidate = add("ElementWiseMultiply", i, add("Tanh", sums[3]))
    cell = add("ElementWiseAdd", add("ElementWiseMultiply", f, c), candidate)
    hidden = add("ElementWiseMultiply", o, add("Tanh", cell))
    add.keep(h, hidden)
    add.keep(c, cell)
    shapes = [spec_of(result).shape for result in op.results]
    return [add.reshape(v, *s) for v, s in zip((hidden, hidden, cell), shapes, strict=True)]


def gru(op: GraphOp, add: Parts) -> list[SSAValue | None]:
    """One cell that is linear before its reset."""
    assert op.params()["linear_before_reset"] == 1
    h = add.state(spec_of(op.results[1]).shape[1:])
    (zx, zh), (rx, rh), (hx, hh) = _gates(op, add, 3, h)
    z, r = (add("Sigmoid", add("ElementWiseAdd", a, b)) for a, b in ((zx, zh), (rx, rh)))
    candidate = add("Tanh", add("ElementWiseAdd", hx, add("ElementWiseMultiply", r, hh)))
    rest = add("ElementWiseSubtract", add.const(1), z)
    kept = add("ElementWiseMultiply", z, h)
    hidden = add("ElementWiseAdd", add("ElementWiseMultiply", rest, candidate), kept)
    add.keep(h, hidden)
    return [add.reshape(hidden, *spec_of(result).shape) for result in op.results]


PARTS: dict[str, Callable[[GraphOp, Parts], list[SSAValue | None]]] = {
    "MaskedSoftmax": masked_softmax,
    "LayerNorm": layer_norm,
    "Gelu": gelu,
    "StatefulLstm": lstm,
    "StatefulGru": gru,
}
"""The way in which each op is taken apart."""
