"""Checks of a whole module between passes: its verifiers, and whether its text reads back."""

from io import StringIO
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import HtpError, fail
from ....dialects.faults.op_faults import invalid
from ....dialects.text.printer import ModulePrinter
from ....runtime.passes import Instrument, passes_around
from ....runtime.tools.source import LocatingParser

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


_FORMS = {"pretty": False, "generic": True}


def check_roundtrip(ctx: Context, module: ModuleOp, name: str) -> None:
    """Print a module in both forms, read each back, and compare; HtpError names what differs.

    The order of an op's attributes has no meaning, and each form has its own.
    """
    expected = _sorted_text(module.clone())
    for form, generic in _FORMS.items():
        text = _text(module, generic)
        try:
            again = _sorted_text(LocatingParser(ctx, text, f"{name}, {form} form").module())
        except HtpError as error:
            first = error.faults[0]
            problem = f"its {form} form does not read back: {first.line()}"
            raise fail(name, problem, "fix the format of that op") from error
        if again != expected:
            lines = zip(expected.splitlines(), again.splitlines(), strict=False)
            old, new = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
            problem = f"its {form} form reads back as `{new.strip()}`, not `{old.strip()}`"
            raise fail(name, problem, "fix the format of that op")


def _sorted_text(module: ModuleOp) -> str:
    """Return the generic form, for which the attributes of each op are put in order."""
    for op in module.walk():
        op.properties = dict(sorted(op.properties.items()))
        op.attributes = dict(sorted(op.attributes.items()))
    return _text(module, generic=True)


def _text(module: ModuleOp, generic: bool) -> str:
    stream = StringIO()
    ModulePrinter(stream, print_generic_format=generic, print_debuginfo=False).print_op(module)
    return stream.getvalue()
