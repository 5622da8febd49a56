"""Files as the tools of ONNX Runtime leave them, made from small models."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import ModelProto, NodeProto, helper

from ..models import Array, floats, model_of

Arrays = dict[str, Array]
HEADS, DIMS, LENGTH = 4, 32, 8


def node(op: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), outputs.split(), outputs, **attributes)


def convnet() -> tuple[ModelProto, Arrays]:
    """Convolutions, pools, a join, and what is between them."""
    nodes = [
        node("Conv", "x w1 b1", "c1", pads=[1, 1, 1, 1]),
        node("Relu", "c1", "r1"),
        node("Conv", "r1 w2 b2", "c2", pads=[1, 1, 1, 1]),
        node("Add", "c2 r1", "sum"),
        node("Sigmoid", "sum", "s"),
        node("AveragePool", "s", "p", kernel_shape=[2, 2], strides=[2, 2]),
        node("LeakyRelu", "p", "l", alpha=0.1),
        node("Concat", "l p", "j", axis=1),
        node("GlobalAveragePool", "j", "g"),
        node("Flatten", "g", "f"),
        node("Gemm", "f w3 b3", "h", transB=1),
        node("Softmax", "h", "y"),
    ]
    constants = {
        **{"w1": floats(8, 3, 3, 3) / 5, "b1": floats(8), "w2": floats(8, 8, 3, 3) / 9},
        **{"b2": floats(8), "w3": floats(10, 16), "b3": floats(10)},
    }
    feeds = {"x": floats(1, 3, 12, 12)}
    return model_of(nodes, feeds, ["y"], constants, opset=17), feeds


def perceptron() -> tuple[ModelProto, Arrays]:
    """Products of matrices and arithmetic."""
    nodes = [
        node("MatMul", "x w1", "m1"),
        node("Add", "m1 b1", "a1"),
        node("Relu", "a1", "r"),
        node("MatMul", "r w2", "m2"),
        node("Mul", "m2 m2", "q"),
        node("Sub", "q b2", "y"),
    ]
    constants = {"w1": floats(16, 32) / 4, "b1": floats(32), "w2": floats(32, 8) / 6}
    feeds = {"x": floats(2, 5, 16)}
    return model_of(nodes, feeds, ["y"], {**constants, "b2": floats(8)}, opset=17), feeds


def transformer() -> tuple[ModelProto, Arrays]:
    """A layer of an encoder as exporters write it: Attention, Gelu and norms broken apart."""
    constants = {
        **{"words": floats(50, DIMS), "places": floats(LENGTH, DIMS), "kinds": floats(2, DIMS)},
        **{"order": np.arange(LENGTH)[None], "first": np.array([1]), "second": np.array([2])},
        **{"one": np.float32(1), "low": np.float32(-10000), "half": np.float32(0.5)},
        **{"root": np.float32(np.sqrt(2)), "scale": np.float32(np.sqrt(DIMS // HEADS))},
        **{"heads": np.array([0, 0, HEADS, DIMS // HEADS]), "flat": np.array([0, 0, DIMS])},
    }
    nodes = [
        *(node("Gather", f"{table} {ids}", f"row_{table}") for table, ids in _TABLES),
        node("Add", "row_words row_kinds", "rows"),
        node("Add", "rows row_places", "embedded"),
        *_norm("embedded", "x", constants),
        node("Unsqueeze", "mask first", "mask1"),
        node("Unsqueeze", "mask1 second", "mask2"),
        node("Cast", "mask2", "maskf", to=onnx.TensorProto.FLOAT),
        node("Sub", "one maskf", "hidden"),
        node("Mul", "hidden low", "bias"),
        *_attention(constants),
        node("Add", "out x", "sum1"),
        *_norm("sum1", "n1", constants),
        *_linear("n1", "wide", DIMS, 4 * DIMS, constants),
        node("Div", "wide root", "g1"),
        node("Erf", "g1", "g2"),
        node("Add", "g2 one", "g3"),
        node("Mul", "wide g3", "g4"),
        node("Mul", "g4 half", "gelu"),
        *_linear("gelu", "narrow", 4 * DIMS, DIMS, constants),
        node("Add", "narrow n1", "sum2"),
        *_norm("sum2", "y", constants),
    ]
    mask = np.ones((1, LENGTH), np.int64)
    mask[:, -3:] = 0
    ids = np.arange(LENGTH)[None] * 5 % 50
    feeds = {"ids": ids, "mask": mask, "segments": ids % 2}
    arrays = {name: np.asarray(array) for name, array in constants.items()}
    return model_of(nodes, feeds, ["y"], arrays, opset=17), feeds


_TABLES = (("words", "ids"), ("kinds", "segments"), ("places", "order"))


def _norm(x: str, y: str, constants: Arrays) -> list[NodeProto]:
    constants |= {f"{y}_gamma": 1 + floats(DIMS) / 9, f"{y}_beta": floats(DIMS, seed=1)}
    return [node("LayerNormalization", f"{x} {y}_gamma {y}_beta", y, axis=-1, epsilon=1e-12)]


def _linear(x: str, y: str, rows: int, columns: int, constants: Arrays) -> list[NodeProto]:
    weights = floats(rows, columns, seed=len(constants)) / np.float32(np.sqrt(rows))
    constants |= {f"{y}_w": weights, f"{y}_b": floats(columns, seed=len(constants))}
    return [node("MatMul", f"{x} {y}_w", f"{y}_m"), node("Add", f"{y}_b {y}_m", y)]


def _attention(constants: Arrays) -> Iterator[NodeProto]:
    turns = {"q": [0, 2, 1, 3], "k": [0, 2, 3, 1], "v": [0, 2, 1, 3]}
    for name, perm in turns.items():
        yield from _linear("x", name, DIMS, DIMS, constants)
        yield node("Reshape", f"{name} heads", f"{name}_heads")
        yield node("Transpose", f"{name}_heads", f"{name}_t", perm=perm)
    yield node("MatMul", "q_t k_t", "scores")
    yield node("Div", "scores scale", "scaled")
    yield node("Add", "scaled bias", "masked")
    yield node("Softmax", "masked", "weights", axis=-1)
    yield node("MatMul", "weights v_t", "mixed")
    yield node("Transpose", "mixed", "mixed_t", perm=[0, 2, 1, 3])
    yield node("Reshape", "mixed_t flat", "joined")
    yield from _linear("joined", "out", DIMS, DIMS, constants)


class _Reader:
    """The data by which a quantiser measures ranges."""

    def __init__(self, feeds: Arrays) -> None:
        self._left = [feeds]

    def get_next(self) -> Arrays | None:
        return self._left.pop() if self._left else None


Tool = Callable[[Path, Path, Arrays], None]


def _dynamic(source: Path, target: Path, feeds: Arrays) -> None:
    from onnxruntime.quantization import quantize_dynamic

    quantize_dynamic(source, target)


def _static(form: str, kind: str) -> Tool:
    def quantize(source: Path, target: Path, feeds: Arrays) -> None:
        from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

        types = QuantType.from_string(kind)
        quantize_static(
            source, target, _Reader(feeds), quant_format=QuantFormat[form], activation_type=types
        )

    return quantize


def _half(*, keep: bool) -> Tool:
    def convert(source: Path, target: Path, feeds: Arrays) -> None:
        from onnxruntime.transformers.float16 import convert_float_to_float16

        onnx.save(convert_float_to_float16(onnx.load(source), keep_io_types=keep), target)

    return convert


def _optimised(source: Path, target: Path, feeds: Arrays) -> None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.graph_optimization_level = level
    options.optimized_model_filepath = str(target)
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


def _then_optimised(tool: Tool) -> Tool:
    def both(source: Path, target: Path, feeds: Arrays) -> None:
        between = target.with_suffix(".between.onnx")
        tool(source, between, feeds)
        _optimised(between, target, feeds)

    return both


def _as_transformer(source: Path, target: Path, feeds: Arrays) -> None:
    from onnxruntime.transformers.optimizer import optimize_model

    optimize_model(
        str(source), "bert", num_heads=HEADS, hidden_size=DIMS, opt_level=0
    ).save_model_to_file(str(target))


TOOLS: dict[str, Tool] = {
    "dynamic": _dynamic,
    "QDQ-uint8": _static("QDQ", "QUInt8"),
    "QDQ-int8": _static("QDQ", "QInt8"),
    "QOperator-uint8": _static("QOperator", "QUInt8"),
    "QOperator-int8": _static("QOperator", "QInt8"),
    "half": _half(keep=False),
    "half-inside": _half(keep=True),
    "extended": _optimised,
    "dynamic-extended": _then_optimised(_dynamic),
    "QDQ-extended": _then_optimised(_static("QDQ", "QUInt8")),
    "half-extended": _then_optimised(_half(keep=True)),
    "transformers": _as_transformer,
}
"""The tools, by what they leave."""

MODELS = {"convnet": convnet, "perceptron": perceptron, "transformer": transformer}


def left_by(tool: str, model: str, folder: Path) -> tuple[Path, Arrays]:
    """Return the file that a tool makes of a model, and inputs for it."""
    source, target = folder / "source.onnx", folder / "model.onnx"
    built, feeds = MODELS[model]()
    onnx.save(onnx.shape_inference.infer_shapes(built), source)
    with warnings.catch_warnings():
        # The tools warn about what they cannot keep exact.
        warnings.simplefilter("ignore")
        TOOLS[tool](source, target, feeds)
    inputs = {v.name: v.type.tensor_type.elem_type for v in onnx.load(target).graph.input}
    kinds = {name: helper.tensor_dtype_to_np_dtype(element) for name, element in inputs.items()}
    return target, {name: array.astype(kinds[name]) for name, array in feeds.items()}
