"""Ops of op packages at the graph level: they run as what they are converted to."""

from collections.abc import Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region

from ...dialects.qti_aisw import ConstOp, GraphOp
from ...runtime import Array, Session
from ...runtime.kernel.library import Inputs, Library
from ..conversion.convert import Converting, convert_module

CUSTOM = "Custom"
"""The mnemonic under which a library finds the evaluator."""


class Runnable(Converting, Protocol):
    """Packages that convert graph ops and run native ones."""

    @property
    def library(self) -> Library:
        """The kernels and evaluators of all packages."""


class CustomEvaluator:
    """Evaluates `qti_aisw.Custom` with the conversions and kernels of some packages.

    Every tensor has the default placement, flat in DDR, so mostly the reference kernels run.
    """

    def __init__(self, packages: Runnable) -> None:
        self._packages = packages
        self._sessions: WeakKeyDictionary[Operation, Session] = WeakKeyDictionary()

    def __call__(self, op: GraphOp, inputs: Inputs) -> Sequence[Array]:
        """Return the results' stored values; HtpError where no package in use has the op."""
        session = self._sessions.get(op)
        if session is None:
            module = _alone(op)
            convert_module(module, self._packages)
            session = self._sessions[op] = Session(module, library=self._packages.library)
        pairs = zip(op.operands, inputs, strict=True)
        arrays = (array for value, array in pairs if not isinstance(value.owner, ConstOp))
        feeds = {n: a for n, a in zip(session.inputs, arrays, strict=True) if a is not None}
        return [array for array in session.run(feeds).values() if array is not None]


def _alone(op: GraphOp) -> ModuleOp:
    """Return a module whose function does what one op does; constants stay constants."""
    block, copy = Block(), op.clone()
    for index, value in enumerate(op.operands):
        if isinstance(value.owner, ConstOp):
            constant = value.owner.clone()
            block.add_op(constant)
            copy.operands[index] = constant.results[0]
        else:
            copy.operands[index] = block.insert_arg(value.type, len(block.args))
    block.add_ops([copy, ReturnOp(*copy.results)])
    signature = ([a.type for a in block.args], [r.type for r in copy.results])
    return ModuleOp([FuncOp("main", signature, Region(block))])
