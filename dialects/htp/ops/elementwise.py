"""Element-wise ops of one, two and three tensors, in the core form of rules and kernels."""

from ...value import Kind
from ..access import access
from ..base import NativeOp
from ..fields import out_def, tensor_def


class UnaryOp(NativeOp):
    """A function of every element of in [b, h, w, d]; the result has its shape and dtype."""

    ACCESS = access("in[b, h, w, d]")
    OVERWRITABLE = ("in",)

    ABOUT = """in [b, h, w, d].

    Example: `%r = {}(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>`"""

    in_ = tensor_def(Kind.NUMBER)


class UnaryLogicOp(UnaryOp):
    """The logical function of one tensor, of an integer each bit: its dtype."""

    ABOUT = """in [b, h, w, d], Bool8 or an integer.

    Example: `%r = {}(%x) : (tensor<1x8x8x32xi1>) -> tensor<1x8x8x32xi1>`"""

    in_ = tensor_def(Kind.LOGIC)


class BinaryOp(NativeOp):
    """A function of the elements of a and b, which broadcast; a's dtype, which b shares."""

    ABOUT = """a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%a, %b) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
    -> tensor<1x8x8x32xf32>`"""

    ACCESS = access("a[b?, h?, w?, d?], b[b?, h?, w?, d?]")
    OVERWRITABLE = ("a", "b")

    a = tensor_def(Kind.NUMBER)
    b = tensor_def(like="a")


class PowerOp(BinaryOp):
    """A power: the exponent may have a dtype of its own."""

    b = tensor_def()


class CompareOp(BinaryOp):
    """A comparison of a and b, which broadcast: Bool8."""

    ABOUT = """a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%a, %b) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
    -> tensor<1x8x8x32xi1>`"""

    a = tensor_def()
    b = tensor_def(like="a")
    out = out_def(Kind.BOOL)


class LogicOp(BinaryOp):
    """A logical function of a and b, of integers bit by bit, which broadcast: a's dtype."""

    ABOUT = """a and b [b, h, w, d], Bool8 or one integer dtype, each dim equal or 1.

    Example: `%r = {}(%a, %b) :
    (tensor<1x8x8x32xi1>, tensor<1x8x8x32xi1>)
    -> tensor<1x8x8x32xi1>`"""

    a = tensor_def(Kind.LOGIC)
    b = tensor_def(like="a")


class ChoiceOp(NativeOp):
    """A choice between the elements of two tensors; cond, a and b broadcast."""

    ACCESS = access("a[b?, h?, w?, d?], b[b?, h?, w?, d?], cond[b?, h?, w?, d?]")

    ABOUT = """cond Bool8, a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%c, %a, %b) :
    (tensor<1x8x8x32xi1>, tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
    -> tensor<1x8x8x32xf32>`"""

    cond = tensor_def(Kind.BOOL)
    a = tensor_def()
    b = tensor_def(like="a")
