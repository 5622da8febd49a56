"""Steps of a buffer and ids of sequences, which Buffer and MaskedSoftmax become."""

from ...spec_of import require, spec_of, text
from ...value import RANK, DType, Kind, TensorSpec
from ..base import NativeOp, has_shape, replaced
from ..fields import out_def, param_def, shape_def, tensor_def


class BufferStepOp(NativeOp):
    """One inference of a buffer: (out, content, counters) from content, counters and rows.

    content [b, h, w, d], counters i32 [1, 1, 1, 2] (rows filled, 1 if full since the last reset),
    inp like content but with k rows on the axis dim; dim, stride and mode i32 scalars, mode 1 or
    2 (NON_BLOCKING_LEFT, NON_BLOCKING_RIGHT).

    Constraints: (C1) dim is 0 to 3; (C2) inp and content agree in every other dim, in dtype and
    quantisation; (C3) k divides the rows of content; (C4) the stride is a multiple of k, at least
    k and at most the rows of content; (C5) the mode is 1 or 2.

    Example: `%out, %new, %count = htp.BufferStep(%content, %counters, %x, %dim, %stride, %mode) :
    (tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x2x32xf32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
    -> (tensor<1x1x8x32xf32>, tensor<1x1x8x32xf32>, tensor<1x1x1x2xi32>)`
    """

    name = "htp.BufferStep"

    content = tensor_def()
    counters = tensor_def(Kind.LENGTH)
    inp = tensor_def()
    dim = param_def(1, least=0, most=RANK - 1)
    stride = param_def(1, least=1)
    mode = param_def(1, least=1, most=2)
    new_content = out_def()
    new_counters = out_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        content, counters = self.like("content"), self.like("counters")
        has_shape(self, "counters", (1, 1, 1, 2))
        same = content.same_encoding(spec_of(self.inp))
        require(same, self, "operands 'content' and 'inp' differ in dtype or quantisation")
        self.verify_rows()
        return content, content, counters

    def verify_rows(self) -> None:
        """Check the rows of inp and the stride against the rows of content."""
        axis, stride = self.integer("dim"), self.integer("stride")
        if axis is None:
            return
        shape, rows = spec_of(self.content).shape, spec_of(self.inp).shape[axis]
        size = shape[axis]
        has_shape(self, "inp", replaced(shape, axis, rows))
        fits = rows >= 1 and size % rows == 0
        require(fits, self, f"{rows} rows an input do not divide the {size} rows of 'content'")
        if stride is not None:
            legal = rows <= stride <= size and stride % rows == 0
            message = f"param 'stride' is {stride}, it must be a multiple of {rows}"
            require(legal, self, f"{message} from {rows} to {size}")


class SequenceIdsOp(NativeOp):
    """For each of c positions, which of M sequences packed back to back it belongs to.

    lengths i32 [1, 1, b, M], size !htp.shape<b x 1 x 1 x c> -> i32 [b, 1, 1, c]; positions past
    all sequences get M. A negative length or a sum above c fails the run.

    Constraints: (C1) size is b x 1 x 1 x c; (C2) lengths are Int32.

    Example: `%r = htp.SequenceIds(%lengths, %size) :
    (tensor<1x1x2x3xi32>, !htp.shape<2x1x1x8>) -> tensor<2x1x1x8xi32>`
    """

    name = "htp.SequenceIds"

    lengths = tensor_def(Kind.LENGTH)
    size = shape_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        _, _, batch, count = spec_of(self.lengths).shape
        has_shape(self, "lengths", (1, 1, batch, count))
        size = self.dims("size")
        message = f"operand 'size' is {text(size)}, it must be {batch}x1x1xc"
        require(size[:3] == (batch, 1, 1), self, message)
        return (TensorSpec(size, DType.Int32),)


OPS: tuple[type[NativeOp], ...] = (BufferStepOp, SequenceIdsOp)
