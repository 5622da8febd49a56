"""Every op of ONNX: imported, expanded into simpler ones, or refused for a reason that is here."""

from htp_mlir.lowering.frontend.onnx.preparation.supported import Supported
from htp_mlir.lowering.packages import Packages
from onnx import defs

TEXT = "text is no tensor of numbers"
CLASSICAL = "it left: no processor for tensors runs it"
GRADIENT = "what it derives is another graph, which it does not hold"
DATA_SHAPE = "the shape of its result follows from data"

REFUSED = {
    **dict.fromkeys(("RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit"), TEXT),
    **dict.fromkeys(("ai.onnx.ml.CastMap", "ai.onnx.ml.CategoryMapper"), TEXT),
    **dict.fromkeys(("ai.onnx.ml.DictVectorizer", "ai.onnx.ml.ZipMap"), "a map is no tensor"),
    **dict.fromkeys(("Det", "TfIdfVectorizer"), CLASSICAL),
    **{
        f"ai.onnx.ml.{op}": CLASSICAL
        for op in (
            *("LabelEncoder", "OneHotEncoder", "SVMClassifier", "SVMRegressor"),
            *("TreeEnsemble", "TreeEnsembleClassifier", "TreeEnsembleRegressor"),
        )
    },
    "ai.onnx.preview.training.Gradient": GRADIENT,
    "ImageDecoder": "a file format is no tensor computation",
}
"""Ops that no tensor computation of static shape can say, or that left."""


def test_every_op_is_accounted_for() -> None:
    supported = Supported(Packages())
    newest = defs.onnx_opset_version()
    unsupported = set()
    for schema in defs.get_all_schemas():
        if schema.domain == "qti_aisw":
            continue
        key = ("" if schema.domain == "ai.onnx" else schema.domain, schema.name)
        version = schema.since_version if key[0] else newest
        if key not in supported and not supported.has_body(key, version):
            unsupported.add(".".join(filter(None, key)))
    assert unsupported == REFUSED.keys()
