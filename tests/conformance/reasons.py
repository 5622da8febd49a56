"""Reasons for which a case does not pass: of the model itself, or of what is said about it."""

from enum import StrEnum

from htp_mlir.lowering.frontend.onnx.preparation.nodes import op_of, opsets_of
from htp_mlir.lowering.frontend.onnx.preparation.supported import Supported
from htp_mlir.lowering.importers.support.types import DTYPES
from onnx import ModelProto, TensorProto, ValueInfoProto

_SHAPES = "the shape of its result follows from data, and HTP's graphs are static"
_RANDOM = "random numbers: no two runs are alike"
_NO_TENSOR = "HTP's graphs have tensors alone"
_NO_NUMBERS = "its elements are no real numbers"
_TEXT = "text is no tensor of numbers"
_LEFT = "its import was taken out again, as nobody runs it on such a processor"

BY_DESIGN = {
    **dict.fromkeys(("NonZero", "Compress", "Unique"), _SHAPES),
    **dict.fromkeys(("Bernoulli", "Multinomial", "RandomNormal", "RandomUniform"), _RANDOM),
    **dict.fromkeys(("RandomNormalLike", "RandomUniformLike"), _RANDOM),
    "Gradient": "what it derives is another graph, which it does not hold",
    **dict.fromkeys(("StringNormalizer", "StringSplit", "StringConcat"), _TEXT),
    **dict.fromkeys(("RegexFullMatch",), _TEXT),
    **dict.fromkeys(("SequenceEmpty", "SequenceConstruct", "SequenceMap"), _NO_TENSOR),
    **dict.fromkeys(("SplitToSequence", "OptionalHasElement", "OptionalGetElement"), _NO_TENSOR),
    **dict.fromkeys(("Det", "LabelEncoder", "SVMClassifier", "SVMRegressor"), _LEFT),
    **dict.fromkeys(("OneHotEncoder", "TfIdfVectorizer", "TreeEnsemble"), _LEFT),
    **dict.fromkeys(("TreeEnsembleClassifier", "TreeEnsembleRegressor"), _LEFT),
    "ImageDecoder": "a file format is no tensor computation",
}
"""ONNX ops that are no part of a static graph of tensors, or no longer imported, and why."""

PADDED = ("NonMaxSuppression",)
"""Ops whose result has as many rows as it may have, those behind the wanted ones -1."""

OFF = {
    **dict.fromkeys(
        ("test_dft_inverse", "test_dft_inverse_opset19"),
        "the expected zeros hold noise of 1.9e-7, more than the tolerance of 1e-7",
    ),
    **dict.fromkeys(
        ("test_bernoulli_seed", "test_bernoulli_seed_expanded"),
        "the expected numbers are those of numpy's generator; ONNX names none",
    ),
    "test_maxunpool_export_with_output_shape": (
        "the expected places count in another shape than the stated one, which ONNX Runtime takes"
    ),
    "test_attention_4d_causal_fp16_expanded": (
        "each op is rounded to f16 once; the expected Softmax is at each step, "
        "ONNX Runtime's whole graph at its end"
    ),
    **dict.fromkeys(
        (
            "test_resize_downsample_scales_cubic_align_corners",
            "test_resize_downsample_scales_linear_align_corners",
        ),
        "the expected corners are those of a fraction of an element, which no runtime has",
    ),
}
"""Cases whose numbers differ for a reason that is known; they are bugs as long as they do."""


class Kind(StrEnum):
    """The end of a case at one level; `LACKED` is one of types that HTP has no tensors of."""

    PASSES = "passes"
    CONSTANTS = "passes with constants"
    PADDED = "passes with padded rows"
    FOLDED = "evaluated on import"
    DESIGN = "by design"
    MISSING = "missing op"
    REFUSED = "refused"
    BUG = "bug"
    LACKED = "not holdable"

    @property
    def passes(self) -> bool:
        """Tell whether a graph that runs gives the right numbers."""
        return self in (Kind.PASSES, Kind.CONSTANTS, Kind.PADDED)


def why_not(model: ModelProto, supported: Supported) -> tuple[Kind, str] | None:
    """Return the reason that a model has in itself; None where it should be taken."""
    values = [*model.graph.input, *model.graph.output]
    reasons = [_of_value(value) for value in values]
    reasons += [BY_DESIGN.get(node.op_type, "") for node in model.graph.node]
    reason = next(filter(None, reasons), "")
    if reason:
        return Kind.DESIGN, reason
    opsets = opsets_of(model)
    missing = {op for node in model.graph.node if (op := op_of(node)) not in supported}
    missing -= {op for op in missing if supported.has_body(op, opsets.get(op[0], 1))}
    missing -= {(function.domain, function.name) for function in model.functions}
    missing.discard(("", "Constant"))
    if missing:
        return Kind.MISSING, ", ".join(sorted(".".join(filter(None, op)) for op in missing))
    return None


def _of_value(value: ValueInfoProto) -> str:
    kind = value.type.WhichOneof("value")
    if kind != "tensor_type":
        return f"{str(kind).removesuffix('_type')} values: {_NO_TENSOR}"
    element = value.type.tensor_type.elem_type
    known = element in DTYPES or element == TensorProto.UNDEFINED
    name = TensorProto.DataType.Name(TensorProto.DataType.ValueType(element))
    return "" if known else f"element type {name.lower()}: {_NO_NUMBERS}"
