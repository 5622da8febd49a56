"""External constraints of the project's rules; explanations quote their first lines."""

from ...dialects.attributes import DRAINED, GATHERED
from ...dialects.diagnostics import fail
from ..rules import (
    AND,
    DIM_OF,
    ELEMENTSIZE_OF,
    EXTERNAL_CONSTRAINT,
    GT,
    IS_FLOAT16,
    IS_FLOAT32,
    MUL,
    OR,
    TCM_MAXTENSOR_SIZE,
    external_constraint,
)
from ..rules.graph.env import Env
from ..rules.graph.graph import Node
from ..rules.language.tile_plan import plan_of
from ..rules.tree.expr import Expr
from .tcm_need import needs_more


@external_constraint("only_use")
def only_use(node: Node) -> bool:
    """The outputs of the node's op are read once altogether."""
    return sum(len(list(output.value.uses)) for output in node.outputs) == 1


@external_constraint("rounds_alike")
def rounds_alike(root: Node, node: Node) -> bool:
    """The node is a float, or on the grid of the root."""
    return node.spec.quant is None or node.spec.same_encoding(root.spec)


@external_constraint("exceeds", takes_env=True)
def exceeds(env: Env, node: Node, limit: int) -> bool:
    """The node's op takes more bytes of TCM than the limit while it runs.

    Never so where a tile plan says how large the op is to be. HtpError for rules without tables.
    """
    if env.tables is None:
        problem = "the rules have neither the properties nor the kernels of ops"
        raise fail("function exceeds", problem, "run those of Packages, as in packages.rules")
    return plan_of(node.op) is None and needs_more(env.tables, node, limit)


@external_constraint("scales_stay")
def scales_stay(*cut: Node | int) -> bool:
    """No node but a constant is quantised along the dim that is to be cut."""
    nodes = [node for node in cut[::2] if isinstance(node, Node)]
    return not any(
        node.constant is None and node.spec.quant and node.spec.quant.axis == dim
        for node, dim in zip(nodes, cut[1::2], strict=True)
    )


@external_constraint("runs_over")
def runs_over(axes: Node, dim: int) -> bool:
    """The dim is one of the axes, which are known."""
    return axes.constant is not None and dim in axes.constant.reshape(-1)


EXCEEDS_ITS_SHARE = EXTERNAL_CONSTRAINT(exceeds, "*", TCM_MAXTENSOR_SIZE)
"""The rule's op takes more than half of the TCM."""

IS_FLOAT = OR(IS_FLOAT32("*"), IS_FLOAT16("*"))
"""The rule's op gives f32 or f16."""


def is_large(tag: str) -> Expr:
    """Ask that a tensor takes more than its share of the TCM."""
    return GT(MUL(ELEMENTSIZE_OF(tag), *(DIM_OF(tag, dim) for dim in range(4))), TCM_MAXTENSOR_SIZE)


LAYERS = ("ConvLayer_valid", "DepthwiseConvLayer_valid")
"""Convolutions with a bias: operands act, weights, stride, bias."""


def fusible(tag: str) -> Expr:
    """Ask that the root alone reads this op, and that no other grid than the root's rounds it.

    So fusing it away repeats no work and changes no number by more than a step.
    """
    return AND(EXTERNAL_CONSTRAINT(only_use, tag), EXTERNAL_CONSTRAINT(rounds_alike, "*", tag))


def is_drained(joined: Node) -> bool:
    """Tell whether a plan has what moves elements read a Concat in main memory."""
    return has(joined, DRAINED) or has(joined, GATHERED)


def has(node: Node, name: str) -> bool:
    """Tell whether a node's op has an attribute."""
    return node.op is not None and name in node.op.attributes
