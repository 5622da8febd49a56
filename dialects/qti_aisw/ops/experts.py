"""A mixture of experts. Source: ONNX Runtime's operator spec, MoE; QNN has no such op."""

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, int_def
from ..guards import has_shape, same_dtype, tensor

ACTIVATIONS = ("Relu", "Gelu", "GeluTanh", "Swish")
"""The functions between the products of an expert, in the order of their numbers."""
ROUTINGS = ("all", "shared", "chosen")
"""The weights of the chosen experts in the order of their numbers."""


@irdl_op_definition
class RoutedExpertsOp(GraphOp):
    """Each row's sum of the results of its `k` best experts, weighted by their scores.

    inp[t, d], scores[t, e], up[e, d, f], down[e, f, g] -> [t, g]. Expert i makes of a row x
    activation(x * up[i]) * down[i]; with gate[e, d, f] it is
    (activation(x * gate[i]) o (x * up[i])) * down[i], where o goes element by element.
    `activation` is 0 for Relu, 1 for Gelu, 2 for GeluTanh and 3 for Swish with alpha 1. `routing`
    is 0 where the weights are the Softmax of all scores, at its k largest; 1 where these are
    divided by their sum; 2 where the weights are the Softmax of the k largest scores. f16 is
    computed in f32 and rounded once. The op is the project's own: QNN has none.

    Constraints: (C1) all operands are floats of one dtype, inp and scores of rank 2, the
    others of rank 3; (C2) scores have inp's rows, and a column for each expert; (C3) up has inp's
    depth, down a row for each column of up, and gate the shape of up; (C4) k is from 1 to the
    number of experts; (C5) activation is from 0 to 3 and routing from 0 to 2.

    Example: `%y = qti_aisw.RoutedExperts(%x, %s, %u, %d, gate = %g) {k = 2 : i64} :
    (tensor<6x8xf32>, tensor<6x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>,
    tensor<4x8x16xf32>) -> tensor<6x8xf32>`
    """

    name = "qti_aisw.RoutedExperts"

    inp = operand_def()
    scores = operand_def()
    up = operand_def()
    down = operand_def()
    gate = opt_operand_def()
    k = int_def()
    activation = int_def(ACTIVATIONS.index("Swish"))
    routing = int_def(ROUTINGS.index("chosen"))
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.FLOAT, rank=2, rule="(C1) ")
        others = {"scores": 2, "up": 3, "down": 3, "gate": 3}
        specs = {
            name: tensor(self, name, value, Kind.FLOAT, rank=others[name], rule="(C1) ")
            for name, value in self.named_operands().items()
            if name in others
        }
        for name, spec in specs.items():
            same_dtype(self, name, spec, "inp", data, rule="(C1) ")
        (rows, depth), (experts, _, width) = data.shape, specs["up"].shape
        has_shape(self, "scores", specs["scores"], (rows, experts), rule="(C2) ")
        columns = specs["down"].shape[2]
        shapes = {"up": (experts, depth, width), "down": (experts, width, columns)}
        shapes["gate"] = shapes["up"]
        for name in filter(specs.__contains__, shapes):
            has_shape(self, name, specs[name], shapes[name], rule="(C3) ")
        count = self.k.value.data
        message = f"(C4) param 'k' is {count}, it must be from 1 to {experts}"
        require(1 <= count <= experts, self, message)
        for name, names in (("activation", ACTIVATIONS), ("routing", ROUTINGS)):
            code = self.int_param(name)
            message = f"(C5) param '{name}' is {code}, it must be from 0 to {len(names) - 1}"
            require(0 <= code < len(names), self, message)
        return (data.with_shape((rows, columns)),)


OPS: tuple[type[GraphOp], ...] = (RoutedExpertsOp,)
