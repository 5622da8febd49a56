"""Steps of optimisers. Source: ONNX operator spec, ai.onnx.preview.training; QNN has none."""

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, traits_def, var_result_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, bool_def, float_def
from ..guards import has_shape, same_dtype, tensor


@irdl_op_definition
class AdamOp(GraphOp):
    """One step of Adam or AdamW: the weights, their two moments, and the largest second one.

    mean' = beta1 * mean + (1 - beta1) * gradient, square' = beta2 * square + (1 - beta2) *
    gradient^2, weights' = weights - lr / c1 * mean' / (sqrt(square') / sqrt(c2) + epsilon), where
    c1 = 1 - beta1^step and c2 = 1 - beta2^step; both are 1 where step, which counts this one, is
    not above 0. With `epsilon_hat` the division is lr * sqrt(c2) / c1 * mean' / (sqrt(square') +
    epsilon). `weight_decay` times the weights is added to the gradient; where it is `decoupled`,
    the weights are first multiplied by 1 - lr * weight_decay. With largest, as in AMSGrad, the
    element-wise maximum of it and square' stands in the root, and is a fourth result. 1 - beta is
    taken of beta's shortest decimal: of 0.999 it is 0.001. f16 is computed in f32 and rounded once.
    The op is the project's own: QNN has none.

    Constraints: (C1) weights are floats; (C2) gradient, mean, square and largest have their dtype
    and shape; (C3) lr and step are floats of one element, of rank 0 or 1; (C4) beta1 and beta2 are
    at least 0 and below 1; (C5) epsilon and weight_decay are not negative; (C6) there are as many
    results as of weights, mean, square and largest are there, like them.

    Example: `%w1, %m1, %v1 = qti_aisw.Adam(%w, %g, %m, %v, %r, %t) {weight_decay = 0.01 : f32,
    decoupled = true} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>,
    tensor<f32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)`
    """

    name = "qti_aisw.Adam"

    weights = operand_def()
    gradient = operand_def()
    mean = operand_def()
    square = operand_def()
    lr = operand_def()
    step = operand_def()
    largest = opt_operand_def()
    beta1 = float_def(0.9)
    beta2 = float_def(0.999)
    epsilon = float_def(1e-8)
    weight_decay = float_def(0.0)
    decoupled = bool_def(False)
    epsilon_hat = bool_def(False)
    outs = var_result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "weights", self.weights, Kind.FLOAT, rule="(C1) ")
        operands = self.named_operands()
        alike = [name for name in ("gradient", "mean", "square", "largest") if name in operands]
        for name in alike:
            spec = tensor(self, name, operands[name], Kind.FLOAT, rule="(C2) ")
            same_dtype(self, name, spec, "weights", data, rule="(C2) ")
            has_shape(self, name, spec, data.shape, rule="(C2) ")
        for number in ("lr", "step"):
            spec = tensor(self, number, operands[number], Kind.FLOAT, rule="(C3) ")
            message = f"(C3) operand '{number}' has rank {spec.rank} and {spec.elements} elements"
            one = spec.rank <= 1 and spec.elements == 1
            require(one, self, f"{message}; it must be one number, of rank 0 or 1")
        self._check_params()
        # A result for the weights, the mean, the square and, where it is there, the largest.
        return (data,) * len(alike)

    def _check_params(self) -> None:
        params = {
            name: value.value.data
            for name, value in (
                ("beta1", self.beta1),
                ("beta2", self.beta2),
                ("epsilon", self.epsilon),
                ("weight_decay", self.weight_decay),
            )
        }
        for name in ("beta1", "beta2"):
            message = f"(C4) param '{name}' is {params[name]}, it must be at least 0 and below 1"
            require(0 <= params[name] < 1, self, message)
        for name in ("epsilon", "weight_decay"):
            message = f"(C5) param '{name}' is {params[name]}, it must be at least 0"
            require(params[name] >= 0, self, message)


OPS: tuple[type[GraphOp], ...] = (AdamOp,)
