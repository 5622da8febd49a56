"""Verification of a whole module between passes, as `htp-opt` does it."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ....dialects.faults.op_faults import invalid
from ....runtime.passes.instrument import Instrument
from ....runtime.passes.run import passes_around

INVALID = "correct the module, or the passes before"


class WholeModule(Instrument):
    """Verifies all of the module after each pass of the command line; HtpError names the pass.

    With `each` it does so after each pass inside another too, also of those on a trial copy.
    """

    hears_trials: ClassVar[bool] = True

    def __init__(self, name: str, each: bool) -> None:
        self._name = name
        self._each = each

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if not self._each and len(passes_around()) > 1:
            return
        try:
            module.verify()
        except VerifyException as error:
            raise invalid(error, self._name, INVALID, step.name) from error
