"""Verification between passes, as an instrument."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...runtime.passes.instrument import Instrument
from .dominance import check_dominance
from .verifier import Verifier


class Verification(Instrument):
    """Verifies after each pass what it changed, dominance included; HtpError names the pass."""

    hears_trials: ClassVar[bool] = True

    def __init__(self) -> None:
        self._verifier = Verifier()

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._verifier.check(module, step.name)
        check_dominance(module)
