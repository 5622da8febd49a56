"""A pass that is written as a function: called on a module, or named in a pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, make_dataclass
from functools import update_wrapper
from typing import ClassVar, Generic, ParamSpec

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import fail
from ...dialects.faults.op_faults import invalid
from ...runtime.passes.run import naming, run_pass
from .options import Option

P = ParamSpec("P")
Work = Callable[..., None]
"""A function of a module, and options by keyword."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_name(name: str, kind: str = "pass") -> None:
    """Refuse a name that pipelines cannot hold; `kind` is what it names."""
    if not _NAME.fullmatch(name):
        raise fail(f"{kind} '{name}'", "this is no name", f"write words like my-{kind}")


@dataclass(frozen=True)
class _FunctionPass(ModulePass):
    """A pass whose work a function does; the options are fields."""

    work: ClassVar[Work]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = {option.name: getattr(self, option.name) for option in fields(self)}
        with naming(self):
            type(self).work(op, **options)


class PassFunction(Generic[P]):
    """A pass as a function of a module.

    To call it is to run the pass: `drop(module, limit=3)`. HtpError where it fails, or leaves the
    module so that it does not verify.
    """

    def __init__(self, name: str, function: Work, work: Work, options: Sequence[Option]) -> None:
        check_name(name)
        self.name: str = name
        """The name in pipelines."""
        namespace = {
            "name": name,
            "work": staticmethod(work),
            "__doc__": function.__doc__,
            "__module__": function.__module__,
        }
        self.pass_type: type[ModulePass] = make_dataclass(
            function.__name__,
            options,
            bases=(_FunctionPass,),
            namespace=namespace,
            frozen=True,
            kw_only=True,
        )
        """The class that xDSL's tools run."""
        update_wrapper(self, function)

    def __call__(self, module: ModuleOp, *args: P.args, **options: P.kwargs) -> None:
        run_pass(Context(), module, self.pass_type(*args, **options))
        try:
            module.verify()
        except VerifyException as error:
            raise invalid(error, "", "correct the pass", self.name) from error
