"""Importers have the signatures of their ops: names, defaults and numbers of parameters."""

import inspect
from dataclasses import is_dataclass
from inspect import Parameter

import pytest
from htp_mlir.lowering.importers.onnx import SETS
from htp_mlir.lowering.importers.support.registry import BLOCK_OPS, NodeContext, OnnxImporter
from onnx import defs, helper

ROWS = [
    row
    for rows in SETS
    for row in rows
    if row.domain != BLOCK_OPS and not defs.get_schema(row.op, row.domain).deprecated
]

FEWER_INPUTS = {"SoftmaxCrossEntropyLoss": "a node with weights becomes its body"}
OTHER_DEFAULTS = {("RNN", "activations"): "each direction has those of its kind"}
"""What differs from the schema, with the reason."""


def parameters_of(function: object) -> list[Parameter]:
    """The parameters, with the fields of a dataclass in place of one."""
    parameters = []
    for each in inspect.signature(function, eval_str=True).parameters.values():
        kind = each.annotation
        fields = each.kind is Parameter.KEYWORD_ONLY and is_dataclass(kind)
        parameters += parameters_of(kind) if fields else [each]
    return parameters


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.op)
def test_the_signature_is_that_of_the_op(row: OnnxImporter) -> None:
    schema = defs.get_schema(row.op, row.domain)
    function = inspect.signature(row.function, eval_str=True).parameters.values()
    inputs = [
        each
        for each in function
        if each.kind is not Parameter.KEYWORD_ONLY and each.annotation is not NodeContext
    ]
    variadic = any(each.kind is Parameter.VAR_POSITIONAL for each in inputs)
    assert variadic or row.op in FEWER_INPUTS or len(inputs) == schema.max_input
    attributes = {each.name: each for each in parameters_of(row.function) if each not in inputs}
    for name, declared in schema.attributes.items():
        parameter = attributes.get(name)
        if parameter is None or declared.required or (row.op, name) in OTHER_DEFAULTS:
            continue
        assert parameter.default is not Parameter.empty, name
        if declared.default_value.type:
            stated = helper.get_attribute_value(declared.default_value)
            stated = stated.decode() if isinstance(stated, bytes) else stated
            assert parameter.default == pytest.approx(stated), name
