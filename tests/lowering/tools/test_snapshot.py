"""Snapshots of modules: made anew they are what they were, to the last location."""

from io import StringIO

from htp_mlir.dialects.text.printer import ModulePrinter
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.tools.instruments.interruption import put_back, snapshot
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.cf import Cf
from xdsl.dialects.func import Func
from xdsl.parser import Parser

from ...support.paths import SPOTTER_MODEL


def text(module: ModuleOp) -> str:
    stream = StringIO()
    ModulePrinter(stream, print_debuginfo=True).print_op(module)
    return stream.getvalue()


def test_a_snapshot_brings_a_module_back() -> None:
    module = lower(load_module(SPOTTER_MODEL), level="native")
    before, kept = text(module), snapshot(module)
    module.attributes["other"] = next(iter(module.ops)).properties["sym_name"]
    for op in [*module.ops][:-1]:
        op.detach()
    assert text(module) != before
    put_back(module, kept)
    assert text(module) == before
    module.verify()


def test_a_snapshot_knows_blocks_and_branches() -> None:
    ctx = Context()
    for dialect in (Builtin, Cf, Func):
        ctx.load_dialect(dialect)
    source = """func.func @f(%c: i1, %x: i32) -> i32 {
      cf.cond_br %c, ^bb1(%x : i32), ^bb2
    ^bb1(%a: i32):
      func.return %a : i32
    ^bb2:
      cf.br ^bb1(%x : i32)
    }"""
    module = Parser(ctx, source).parse_module()
    before, kept = text(module), snapshot(module)
    for op in [*module.ops]:
        op.detach()
    put_back(module, kept)
    assert text(module) == before
    module.verify()
