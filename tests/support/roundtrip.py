"""Text round trips: through our two forms, and through upstream's mlir-opt as the outside judge."""

import subprocess
from collections.abc import Callable, Sequence
from io import StringIO

import pytest
from htp_mlir.dialects.text.parser import ModuleParser
from htp_mlir.dialects.text.printer import ModulePrinter
from htp_mlir.dialects.text.universe import DIALECTS
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func

from .hooks.needs import program


def context() -> Context:
    """A fresh context with builtin, func and the project's dialects."""
    loaded = Context()
    loaded.load_dialect(Builtin)
    loaded.load_dialect(Func)
    for name, dialect in DIALECTS.all_dialects.items():
        loaded.register_dialect(name, dialect)
    return loaded


def parse(text: str) -> ModuleOp:
    """Parse and verify a module."""
    module = ModuleParser(context(), text).parse_module()
    module.verify()
    return module


def to_text(module: ModuleOp, generic: bool = False) -> str:
    """Print a module in its pretty or its generic form."""
    stream = StringIO()
    ModulePrinter(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue() + "\n"


def assert_round_trips(text: str) -> str:
    """Check text -> IR -> text -> IR in both forms; give the generic form for upstream."""
    module = parse(text)
    for generic in (False, True):
        printed = to_text(module, generic)
        again = parse(printed)
        assert module.is_structurally_equivalent(again), f"differs after a round trip:\n{printed}"
        assert to_text(again, generic) == printed, f"prints otherwise the second time:\n{printed}"
    return to_text(module, generic=True)


def assert_upstream_accepts(generic_texts: Sequence[str]) -> None:
    """Check that mlir-opt parses, verifies and round-trips each module, in one process."""
    printed = upstream("// -----\n".join(generic_texts))
    assert printed.count("module") >= len(generic_texts)


def _assert_round_trips_upstream(text: str) -> None:
    assert_upstream_accepts([assert_round_trips(text)])


ROUND_TRIPS = pytest.mark.parametrize(
    "round_trips",
    [
        pytest.param(assert_round_trips, id="ours"),
        pytest.param(
            _assert_round_trips_upstream, id="upstream", marks=pytest.mark.needs("mlir-opt")
        ),
    ],
)
"""A test takes both checks of a round trip, each as a case."""
CheckText = Callable[[str], object]


def upstream(generic_text: str, *flags: str) -> str:
    """What mlir-opt prints, with these flags too, for a text that it round-trips."""
    always = ["--allow-unregistered-dialect", "--verify-roundtrip", "--split-input-file"]
    done = run_mlir_opt(generic_text, *always, *flags)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_mlir_opt(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run mlir-opt on a text. FileNotFoundError where it is not installed."""
    return subprocess.run(
        [program("mlir-opt") or "mlir-opt", *arguments, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
