"""Models to mutate of the ops of ai.onnx.ml."""

import numpy as np
from onnx import ModelProto, helper

from ..lowering.frontend.models import floats, model_of

_ROWS: dict[str, dict[str, object]] = {
    "ArrayFeatureExtractor": {},
    "Binarizer": {"threshold": 0.25},
    "FeatureVectorizer": {"inputdimensions": [6]},
    "Imputer": {"imputed_value_floats": [1.0]},
    "LinearClassifier": {"coefficients": [0.5] * 12, "classlabels_ints": [0, 1]},
    "LinearRegressor": {"coefficients": [0.5] * 6},
    "Normalizer": {"norm": "L2"},
    "Scaler": {"offset": [0.5], "scale": [2.0]},
}
"""The attributes of a node of each op."""


def classical_models() -> list[ModelProto]:
    """Return a model of each op."""
    models = []
    for op, attributes in _ROWS.items():
        places = ["places"] if op == "ArrayFeatureExtractor" else []
        outputs = ["y", "z"] if op.endswith("Classifier") else ["y"]
        node = helper.make_node(op, ["x", *places], outputs, domain="ai.onnx.ml", **attributes)
        constants = {name: np.array([1, 3], np.int64) for name in places}
        model = model_of([node], {"x": floats(4, 6)}, outputs, constants)
        model.opset_import.add(domain="ai.onnx.ml", version=5)
        models.append(model)
    return models
