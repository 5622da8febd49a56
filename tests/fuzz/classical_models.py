"""Models to mutate of the ops of ai.onnx.ml."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, helper, numpy_helper

from ..lowering.frontend.classical.test_trees import MODES, classifier, regressor
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
    "TreeEnsembleRegressor": regressor(MODES[:1]),
    "TreeEnsembleClassifier": classifier((0,)) | {"classlabels_int64s": [3, 1]},
    "SVMClassifier": {
        "vectors_per_class": [1, 1],
        "support_vectors": [0.5] * 12,
        "coefficients": [0.5, -0.5],
        "rho": [0.25],
        "kernel_type": "RBF",
        "kernel_params": [0.5, 0.0, 2.0],
        "classlabels_ints": [0, 1],
    },
    "SVMRegressor": {
        "n_supports": 2,
        "support_vectors": [0.5] * 12,
        "coefficients": [0.5, -0.5],
        "rho": [0.25],
        "kernel_params": [0.5, 0.0, 2.0],
    },
    "OneHotEncoder": {"cats_int64s": [0, 1]},
    "LabelEncoder": {"keys_floats": [0.5, 1.0], "values_int64s": [1, 2]},
    "TreeEnsemble": {
        "nodes_splits": numpy_helper.from_array(np.array([0.5], np.float32)),
        "nodes_featureids": [0],
        "nodes_modes": numpy_helper.from_array(np.array([0], np.uint8)),
        "nodes_truenodeids": [0],
        "nodes_falsenodeids": [1],
        "nodes_trueleafs": [1],
        "nodes_falseleafs": [1],
        "tree_roots": [0],
        "leaf_targetids": [0, 0],
        "leaf_weights": numpy_helper.from_array(np.array([1, 2], np.float32)),
        "n_targets": 1,
    },
}
"""The attributes of a node of each op."""


def classical_models() -> list[ModelProto]:
    """Return a model of each op, with a forest of one tree."""
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
