"""A mutated graph on its way out as ONNX: what onnx's checker takes, or refused in words."""

from collections.abc import Callable
from functools import cache
from random import Random

from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.base import GraphOp, float_attr, int_attr, ints, ints_attr
from htp_mlir.lowering import import_model
from htp_mlir.lowering.interop.onnx.save import saved
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import Raise, RaiseBlockOps
from htp_mlir.lowering.quantization.quantize import take_encodings
from onnx import ModelProto, checker, shape_inference
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from ..lowering.conversion.cases import CASES
from ..lowering.patterns.raised import RAISED
from ..lowering.patterns.redrawn import redrawn
from .model_case import dims_of, model_of
from .texts import SMALL, tensor_bytes


def _raise(module: ModuleOp) -> None:
    Raise().apply(installed().context(), module)


def _raise_blocks(module: ModuleOp) -> None:
    RaiseBlockOps(reset="reset").apply(installed().context(), module)


_CHANGES: tuple[Callable[[ModuleOp], object], ...] = (_raise, _raise_blocks, take_encodings)
_NUMBERS = (-(2**31), -2, -1, 0, 1, 2, 3, 7, 2**31)


@cache
def _sources() -> tuple[ModuleOp, ...]:
    """Return a module for each graph op, and those that spell out what rules find."""
    return (*(make().module for make in CASES.values()), *(make() for make in RAISED.values()))


def written_of(seed: int) -> ModelProto | ModuleOp:
    """Return the model or the module of a seed, by turns."""
    random = Random(f"written {seed}")
    if seed % 2 == 0:
        return model_of(seed)
    module = random.choice(_sources()).clone()
    for _ in range(random.randrange(4)):
        module = redrawn(module, random) or module
    for _ in range(random.randrange(6)):
        _change_param(random, module)
    return module


def _change_param(random: Random, module: ModuleOp) -> None:
    """Put another number into a param of an op, which need not verify then."""
    ops = [op for op in module.walk() if isinstance(op, GraphOp) and op.properties]
    if not ops:
        return
    op = random.choice(ops)
    name = random.choice(sorted(op.properties))
    before = op.properties[name]
    op.properties[name] = _other(random, before)
    try:
        op.verify()
    except (VerifyException, HtpError):
        op.properties[name] = before


def _other(random: Random, value: Attribute) -> Attribute:
    if isinstance(value, IntegerAttr):
        return int_attr(random.choice(_NUMBERS))
    if isinstance(value, FloatAttr):
        return float_attr(random.choice((0.0, -1.5, 1e-30, 3e38)))
    if isinstance(value, DenseArrayBase):
        numbers = list(ints(value)) or [0]
        numbers[random.randrange(len(numbers))] = random.choice(_NUMBERS)
        return ints_attr(numbers)
    return value


def written_case(seed: int) -> None:
    """Write what a seed gives, raised or not, beside its encodings or not.

    A model that is edited counts where it was right.
    """
    random, source = Random(f"change {seed}"), written_of(seed)
    is_right = isinstance(source, ModuleOp) or _is_right(source)
    if isinstance(source, ModelProto):
        source = import_model(source, dims=dims_of(source))
    module = source
    if tensor_bytes(module) > SMALL:
        return
    if random.random() < 0.3:
        # A clone has no source, and is written anew.
        module, is_right = module.clone(), True
    for change in random.sample(_CHANGES, random.randrange(3)):
        change(module)
    model = saved(module, floats=random.random() < 0.3).model
    if is_right:
        checker.check_model(model, full_check=True)


def _is_right(model: ModelProto) -> bool:
    try:
        checker.check_model(model, full_check=True)
    except (checker.ValidationError, shape_inference.InferenceError, ValueError):
        return False
    return True
