"""Rules that move a Batchnorm into the weights and the bias of the layer before it."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..rules import (
    AND,
    EARLY,
    EXTERNAL_REPLACE,
    IS_FLOAT32,
    IS_QUANT_TYPE,
    LET,
    OPCONST,
    WITH_SAME_OUTPUT,
    Op,
    external_replacement,
    rule,
    rules,
)
from ..rules.graph.graph import Node
from ..rules.graph.names import DEFAULT_PACKAGE
from ..rules.language.scaled import scaled
from ..rules.tree.build import Builder, Reference
from .conditions import LAYERS, fusible


@external_replacement("scaled_filters")
def scaled_filters(builder: Builder, root: Node) -> Node | SSAValue:
    """Multiply the scales of stored weights, where the product is an encoding of their type."""
    layer, scale, offset = root.inputs
    act, weights, stride, bias = layer.inputs
    array, by = weights.constant, scale.constant
    product = None if array is None or by is None else scaled(array, weights.spec, by)
    if product is None:
        return root
    like = Reference(bias.spec)
    sum_ = builder.native("Mul", [bias.value, scale.value], like)
    sum_ = builder.native("Add", [sum_, offset.value], like)
    inputs = [act.value, builder.const(*product), stride.value, sum_]
    name = layer.name.removeprefix(f"{DEFAULT_PACKAGE}.")
    return builder.native(name, inputs, Reference(root.spec))


_SCALED_BIAS = WITH_SAME_OUTPUT(
    "B", Op("Add", WITH_SAME_OUTPUT("B", Op("Mul", "B", "Scale")), "Offset")
)

BATCH_NORMS = rules(
    *(
        rule(
            EARLY + 1,
            Op(
                "Batchnorm",
                LET("C", Op(layer, "A", OPCONST("W"), "S", OPCONST("B"))),
                OPCONST("Scale"),
                OPCONST("Offset"),
            ),
            AND(IS_FLOAT32("*"), condition, fusible("C")),
            replacement,
        )
        for layer in LAYERS
        for condition, replacement in (
            (
                IS_FLOAT32("W"),
                Op(layer, "A", WITH_SAME_OUTPUT("W", Op("Mul", "W", "Scale")), "S", _SCALED_BIAS),
            ),
            (IS_QUANT_TYPE("W"), EXTERNAL_REPLACE(scaled_filters)),
        )
    ),
)
"""The weights' last dim is the output channel, so scale and offset broadcast onto them."""
