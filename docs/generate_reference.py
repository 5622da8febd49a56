"""Writes docs/reference/ from the docstrings and declarations of ops, passes, rules and modules.

Run it after a change to one of them: `python docs/generate_reference.py`. A test compares the pages
with what it would write.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, fields
from functools import cache
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path

import core_reference
import pipeline_reference
import python_reference
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering.universe import PASSES
from op_reference import MODULE_OPS, documented, graph_ops, native_ops
from reference_text import table, value_text
from rule_reference import rule_sections

FOLDER = Path(__file__).parent / "reference"
GENERATED = "<!-- Written by docs/generate_reference.py: change the docstrings, not this page. -->"

GRAPH_INTRO = """\
The ops of a model as it is imported. Operands are tensors of any rank and static shape, data NHWC,
filters HWIO. Params are properties; one with a default may be left out. Negative axes count from
the end. An optional operand is written by name, `bias = %b`, where an earlier one is absent.

A constraint that speaks of an element type alone leaves the scale and the zero point of a quantised
tensor open. The last table of each op follows its example down the levels, lowered on its own for
SM8650: the native ops that it becomes, where their results are placed, and the kernels that run
them."""
NATIVE_INTRO = """\
The ops that the tensor processor runs. Every tensor has rank 4, with dims b, h, w, d. Params are
operands that `htp.Const` makes, or `htp.Shape` where a shape is wanted. From the placed level on, a
tensor's type has its place: `tensor<1x8x8x32xf32, #htp.place<flat, tcm>>`. *Layouts* and *memories*
are the demands of the op there; a tensor that is not named may be anywhere, and an op without
either wants all of its tensors flat in ddr.

All ops take tensors of rank 4 with an element type that HTP has; that is not repeated. The last
list of each op names its kernels: name, cost class, then dtypes and places of the first result.
`reference` takes any tensor and is chosen where no other kernel fits.

An element-wise op with the attribute `overwrites = N` writes its result onto the bytes
of operand N, which ends there: the allocator says so where TCM is full."""
PASSES_INTRO = """\
The project's passes, for `htp-opt model.mlir -p 'name{option=value},name'` and for any other tool
built on xDSL."""
RULES_INTRO = """\
A rule is `rule(priority, match, constraint, replacement)`. A bare string is a tag: the match binds
it to a node, `"*"` is the root. Numbers are int (32 bits, with a sign), size (64 bits, without) or
float, as in C++; a mix of int and size is a size. A rule that does not type-check is an error where
it is written. All names come from `htp_mlir.lowering.rules`.

A replacement is built against a *reference*: the shape, dtype and quantisation that the next op
gives. At the start it is the root's; modifiers change it for what they hold; inside a split it is
the slice."""
INDEX_INTRO = "Generated from the code's docstrings, whose examples run as tests."


@cache
def page(name: str) -> str:
    """The page with a file name; that of PyTorch needs PyTorch."""
    title, intro, make = PAGES[name]
    return "\n\n".join((GENERATED, f"# {title}", intro, *make())) + "\n"


def main() -> None:
    """Write the pages, without that of PyTorch where this is not installed."""
    FOLDER.mkdir(exist_ok=True)
    for name in PAGES:
        if name != TORCH_PAGE or find_spec("torch"):
            (FOLDER / name).write_text(page(name), encoding="utf-8")


def _index() -> Iterable[str]:
    titles = {name: title for name, (title, _, _) in PAGES.items() if name != INDEX}
    yield "\n".join(f"- [{title}]({name})" for name, title in titles.items())


def _passes() -> Iterable[str]:
    yield pipeline_reference.pipeline()
    for name, load in sorted(PASSES.all_passes.items()):
        pass_class = load()
        options = "\n".join(_option(field) for field in fields(pass_class))
        yield "\n\n".join(filter(None, (f"## {name}", cleandoc(pass_class.__doc__ or ""), options)))


def _option(field: Field[object]) -> str:
    default = (
        "" if field.default is MISSING or field.default == "" else f" = {value_text(field.default)}"
    )
    type_ = field.type.__name__ if isinstance(field.type, type) else field.type
    return f"- `{field.name.replace('_', '-')}` ({type_}){default}"


def _core() -> Iterable[str]:
    entries = core_reference.entries({op: documented(op).example for op in GRAPH_OPS.values()})
    graph, native = core_reference.graph_rows(entries), core_reference.core_rows(entries)
    yield f"## Graph ops\n\n{table(('graph op', 'role', 'becomes', 'above rank 4'), graph)}"
    yield f"## The ops of the core\n\n{table(('native op', 'why', 'graph ops'), native)}"


def _python() -> Iterable[str]:
    return _sections(python_reference.MODULES)


def _torch() -> Iterator[str]:
    return _sections(python_reference.TORCH_MODULES)


def _sections(modules: Iterable[str]) -> Iterator[str]:
    ops = [*MODULE_OPS, *NATIVE_OPS.values()]
    return python_reference.sections(modules, "\n".join(rule_sections()), ops)


INDEX = "README.md"
TORCH_PAGE = "pytorch.md"
"""The page that stays as it is where PyTorch is not installed."""
PAGES: dict[str, tuple[str, str, Callable[[], Iterable[str]]]] = {
    INDEX: ("Reference", INDEX_INTRO, _index),
    "qti_aisw.md": ("Graph ops: `qti_aisw`", GRAPH_INTRO, graph_ops),
    "htp.md": ("Native ops: `htp`", NATIVE_INTRO, native_ops),
    "core.md": ("The core", core_reference.INTRO, _core),
    "passes.md": ("Passes", PASSES_INTRO, _passes),
    "rules.md": ("Rewrite rules", RULES_INTRO, rule_sections),
    "python.md": ("Python", python_reference.INTRO, _python),
    TORCH_PAGE: ("PyTorch", python_reference.TORCH_INTRO, _torch),
}


if __name__ == "__main__":
    main()
