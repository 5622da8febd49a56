"""Models to mutate, made on the spot: one for each case of each op, and those with parts inside."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from ..lowering.frontend.cases.case import case, f32, i64
from ..lowering.frontend.cases.cases_microsoft import ALL as MICROSOFT
from ..lowering.frontend.models import Array, floats, model_of
from ..lowering.frontend.ops import test_training as training
from ..lowering.frontend.ops.test_index_ops import ALL as INDEX_OPS
from ..lowering.frontend.ops.test_microsoft import modelled
from ..lowering.frontend.ops.test_ops import ALL
from ..lowering.frontend.ops.test_recurrent import HIDDEN, arrays
from .classical_models import classical_models

WEIGHTS = "w.bin"
"""The file that the models with external data read."""

SQUARE = floats(4, 6)
_ONE = np.array(1, np.int64)
OTHER_OPS = [
    case("NonZero", SQUARE, fixed=0),
    case("Unique", SQUARE, fixed=0),
    case("CumProd", SQUARE, np.array(0, np.int32), opset=26),
    case("TensorScatter", floats(2, 5, 3), floats(2, 2, 3), i64(0, 3), fixed=3, opset=24, axis=1),
    case("GroupNormalization", floats(2, 4, 3), floats(4), floats(4), num_groups=2),
    case("Attention", *(floats(1, 2, 5, 4) for _ in range(3)), fixed=3, opset=23, is_causal=1),
    case("RotaryEmbedding", floats(1, 2, 5, 4), *(floats(1, 5, 2) for _ in "cs"), opset=23),
    case("Swish", SQUARE, opset=24, alpha=0.5),
    case("BitCast", SQUARE, opset=26, to=TensorProto.INT32),
    case("Shrink", np.arange(24, dtype=np.uint8).reshape(4, 6), lambd=5.0, bias=1.0),
    case("MelWeightMatrix", *(np.array(n, np.int64) for n in (8, 16, 8192)), f32(0), f32(4096)),
    case("NonMaxSuppression", floats(1, 6, 4), floats(1, 1, 6), _ONE, fixed=2),
    case("RNN", floats(3, 2, 4), floats(1, 5, 4), floats(1, 5, 5), hidden_size=5),
    *(case(f"Random{kind}Like", SQUARE, seed=1.0) for kind in ("Normal", "Uniform")),
    *(case(f"Random{kind}", fixed=0, shape=[2, 3], seed=1.0) for kind in ("Normal", "Uniform")),
    case("Bernoulli", np.abs(np.tanh(SQUARE)), seed=1.0),
    case("Multinomial", SQUARE, seed=1.0, sample_size=3),
]
"""Cases of ops that other tests than those of one op each touch."""


def weights() -> bytes:
    """Return what the file of external data holds."""
    return SQUARE.tobytes() * 4


@cache
def models() -> tuple[ModelProto, ...]:
    """Return the models in a fixed order; those with parts inside count as much as the plain."""
    cases = [*ALL, *INDEX_OPS, *OTHER_OPS]
    plain = [
        *(one.model()[1] for one in cases),
        *_recurrent(),
        *_blocks(),
        *_quantized(),
        _static_shapes(),
        *_steps(),
    ]
    plain += [*_small_types(), *classical_models(), *(modelled(one)[1] for one in MICROSOFT)]
    inside = [_functions(), _branches(), _loop(), _external(), _symbolic(), _stack()]
    return (*plain, *inside * (len(plain) // len(inside) // 2))


def _steps() -> list[ModelProto]:
    """Return a step of each optimiser."""
    return [
        training.model("Adagrad", 3, 1, **training.NORM),
        training.model("Adam", 4, 1, **training.NORM),
        training.model("Momentum", 3, 1, **training.MOMENTUM, mode="nesterov"),
    ]


def _recurrent() -> list[ModelProto]:
    models = []
    for kind, names in (("LSTM", "X W R B lens h c P"), ("GRU", "X W R B lens h")):
        every = arrays(kind, 1)
        node = helper.make_node(kind, names.split(), ["Y", "Y_h"], hidden_size=HIDDEN)
        feeds = {name: every[name] for name in ("X", "lens", "h")}
        constants = {name: every[name] for name in names.split() if name not in feeds}
        models.append(model_of([node], feeds, ["Y", "Y_h"], constants))
    return models


def _blocks() -> list[ModelProto]:
    rows = {"x": floats(1, 2, 6), "reset": np.array(False)}
    masked = {"x": floats(1, 2, 4, 4), "m": np.zeros((1, 4), np.int32)}
    buffer = _block("Buffer", list(rows), buffer_size=4, buffer_dim=1, buffer_padding=2, stride=2)
    codes: dict[str, Array] = {"c": np.full((4, 3), 0x21, np.uint8), "z": np.ones((1, 1), np.uint8)}
    coded = [
        _block("DecodeWeights", ["c", "t", "s", "z"]),
        helper.make_node("Add", ["x", "y"], ["sum"]),
    ]
    models = [
        model_of([buffer], rows, ["y"]),
        model_of([_block("MaskedSoftmax", list(masked), mode=1)], masked, ["y"]),
        model_of(coded, {"x": SQUARE}, ["sum"], {**codes, "t": floats(16), "s": floats(1, 2)}),
    ]
    for kind in ("GRU", "LSTM"):
        every = arrays(kind, 1)
        node = _block(f"Stateful{kind.capitalize()}", ["X", "W", "R", "B"], hidden_size=HIDDEN)
        constants = {name: every[name] for name in ("W", "R", "B")}
        models.append(model_of([node], {"X": every["X"]}, ["y"], constants))
    return models


def _block(op: str, inputs: list[str], **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs, ["y"], name="it", domain="qti_aisw", **attributes)


def _quantized() -> list[ModelProto]:
    per_tensor: dict[str, Array] = {"s": np.array(0.05, np.float32), "z": np.array(3, np.uint8)}
    per_axis = {"s": np.array([0.05, 0.1, 0.02], np.float32), "z": np.zeros(3, np.int8)}
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=1),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=1),
    ]
    x = {"x": floats(2, 3, 4)}
    return [model_of(nodes, x, ["y"], constants) for constants in (per_tensor, per_axis)]


def _small_types() -> list[ModelProto]:
    """Return models of types that HTP lacks: weights in blocks of 4 bits, casts of bf16."""
    constants = {"w": np.ones((4, 6), "int4"), "s": floats(4, 2), "z": np.ones((4, 2), "int4")}
    weights = [
        helper.make_node("DequantizeLinear", ["w", "s", "z"], ["d"], axis=1, block_size=3),
        helper.make_node("MatMul", ["x", "d"], ["y"]),
    ]
    casts = [
        helper.make_node("Add", ["x", "x"], ["a"]),
        helper.make_node("Cast", ["a"], ["e"], to=TensorProto.FLOAT8E8M0, round_mode="down"),
        helper.make_node("Cast", ["e"], ["f"], to=TensorProto.FLOAT8E5M2),
        helper.make_node("CastLike", ["f", "w"], ["y"]),
    ]
    rows, small = {"x": floats(2, 4)}, {"x": np.ones((2, 3), "bfloat16")}
    return [
        model_of(weights, rows, ["y"], constants, 25),
        model_of(casts, small, ["y"], {"w": constants["w"]}, 25),
    ]


def _static_shapes() -> ModelProto:
    """Return a model whose shapes are computed: Shape, Size, Range, ConstantOfShape, Trilu."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Size", ["x"], ["n"]),
        helper.make_node("Constant", [], ["zero"], value_int=0),
        helper.make_node("Range", ["zero", "n", "one"], ["ramp"]),
        helper.make_node("Cast", ["ramp"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Reshape", ["real", "s"], ["r"]),
        helper.make_node("ConstantOfShape", ["s"], ["c"]),
        helper.make_node("Expand", ["half", "s"], ["e"]),
        helper.make_node("Trilu", ["e"], ["t"]),
        helper.make_node("Sum", ["x", "r", "c", "t"], ["y"]),
    ]
    return model_of(nodes, {"x": SQUARE}, ["y"], {"one": _ONE, "half": np.float32(0.5)[None]})


def _functions() -> ModelProto:
    """Return a model whose function calls another one, twice; domains and attributes included."""
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("mine", 1)]
    call = ["mine.Inner", "mine.Outer"]
    inner = helper.make_node("Neg", ["a"], ["b"])
    twice = [
        helper.make_node("Inner", ["a"], ["t"], domain="mine"),
        helper.make_node("Inner", ["t"], ["b"], domain="mine"),
    ]
    model = model_of([helper.make_node("Outer", ["x"], ["y"], domain="mine")], {"x": SQUARE}, ["y"])
    for name, nodes in zip(call, ([inner], twice), strict=True):
        name = name.removeprefix("mine.")
        model.functions.append(helper.make_function("mine", name, ["a"], ["b"], nodes, opsets))
    model.opset_import.add(domain="mine", version=1)
    return model


def _graph(node: NodeProto, result: str, inputs: Sequence[ValueInfoProto] = ()) -> object:
    output = helper.make_tensor_value_info(result, TensorProto.FLOAT, SQUARE.shape)
    weight = numpy_helper.from_array(SQUARE, f"{result}_w")
    return helper.make_graph([node], result, inputs, [output], [weight])


def _branches() -> ModelProto:
    add = _graph(helper.make_node("Add", ["x", "t_w"], ["t"]), "t")
    sub = _graph(helper.make_node("Sub", ["x", "e_w"], ["e"]), "e")
    nodes = [helper.make_node("If", ["c"], ["y"], then_branch=add, else_branch=sub)]
    return model_of(nodes, {"x": SQUARE}, ["y"], {"c": np.array(True)})


def _loop() -> ModelProto:
    def value(name: str, element: int, shape: Sequence[int]) -> ValueInfoProto:
        return helper.make_tensor_value_info(name, element, shape)

    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["on"]),
            helper.make_node("Relu", ["before"], ["after"]),
        ],
        "body",
        [
            value("i", TensorProto.INT64, ()),
            value("go", TensorProto.BOOL, ()),
            value("before", TensorProto.FLOAT, SQUARE.shape),
        ],
        [value("on", TensorProto.BOOL, ()), value("after", TensorProto.FLOAT, SQUARE.shape)],
    )
    nodes = [helper.make_node("Loop", ["n", "c", "x"], ["y"], body=body)]
    constants: dict[str, Array] = {"n": np.array(3, np.int64), "c": np.array(True)}
    return model_of(nodes, {"x": SQUARE}, ["y"], constants)


def _external() -> ModelProto:
    nodes = [
        helper.make_node("Add", ["x", "w"], ["a"]),
        helper.make_node("Constant", [], ["v"], value=_outside("v")),
        helper.make_node("Mul", ["a", "v"], ["y"]),
    ]
    model = model_of(nodes, {"x": SQUARE}, ["y"])
    model.graph.initializer.append(_outside("w"))
    return model


def _outside(name: str) -> TensorProto:
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=SQUARE.shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, text in (("location", WEIGHTS), ("length", SQUARE.nbytes), ("offset", SQUARE.nbytes)):
        tensor.external_data.add(key=key, value=str(text))
    return tensor


def _symbolic() -> ModelProto:
    nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("MatMul", ["a", "w"], ["y"])]
    model = model_of(nodes, {"x": SQUARE}, ["y"], {"w": floats(6, 5)})
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    return model


def _stack() -> ModelProto:
    """Return a few layers, channels first, so that Transposes move."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Gemm", ["f", "m"], ["y"]),
    ]
    constants = {"w": floats(4, 3, 3, 3), "m": floats(16, 5)}
    return model_of(nodes, {"x": floats(1, 3, 4, 4)}, ["y"], constants)
