"""The tile plans of a run of `htp-opt`: printed by `--explain-tiles`, kept by `--save-tiles`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.diagnostics import fail
from ...runtime.files.atomic import Parts
from .flags.rule_flags import EXPLAIN_TILES, FORMATS

if TYPE_CHECKING:
    from ..passes.tiling.plan_table import PlanTable
    from ..passes.tiling.plan_tiles import Tables

_SAVE = "--save-tiles"
_DIFFERENCE = 50
"""The part of the planned bytes by which those that move may differ without a word."""


def add_tile_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    parser.add_argument(
        EXPLAIN_TILES,
        choices=FORMATS,
        help="print to stderr which ops run in which tiles, what stays in TCM meanwhile, the bytes "
        "that are planned, and the next best tiles; text unless =json",
    )
    parser.add_argument(
        _SAVE,
        metavar="F.json",
        help="write the tile plan, which -p 'htp-lower{tiles=\"F.json\"}' reads",
    )


@contextmanager
def following_tiles(arguments: Namespace) -> Iterator[Tables | None]:
    """Collect the tile plans of the passes inside the block, where a flag asks for them."""
    if not (arguments.explain_tiles or arguments.save_tiles):
        yield None
        return
    if arguments.save_tiles and arguments.split_input_file:
        problem = "one file goes with one module, and --split-input-file reads several"
        raise fail(_SAVE, problem, "leave one of them out")
    from ..passes.tiling.plan_tiles import collecting_plans

    with collecting_plans() as tables:
        yield tables


def told_tiles(
    arguments: Namespace, tables: Tables | None, module: ModuleOp
) -> dict[str | Path, Parts]:
    """Print the plans of a module's functions as the flags say; return the files to write.

    HtpError where no tiles were planned.
    """
    if tables is None:
        return {}
    if not tables:
        flag = EXPLAIN_TILES if arguments.explain_tiles else _SAVE
        raise fail(flag, "no pass planned tiles", "give -p htp-lower, without tiling=false")
    from ..passes.tiling.plan_table import table_json

    functions = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    # A function that came out better without tiles is none of those that were planned.
    plans = {function.sym_name.data: tables.get(function) for function in functions}
    if arguments.explain_tiles:
        lines = _lines(plans, module) if arguments.explain_tiles == "text" else [table_json(plans)]
        print(*lines, sep="\n", file=sys.stderr)
    return {arguments.save_tiles: [table_json(plans).encode()]} if arguments.save_tiles else {}


def _lines(plans: Mapping[str, PlanTable | None], module: ModuleOp) -> Iterator[str]:
    from ...runtime.program.placing import declared_tcm
    from ..passes.tiling.plan_table import table_text
    from ..passes.traffic import traffic

    for name, table in plans.items():
        if table is None:
            yield f"{name}: no op is cut, without tiles fewer bytes move"
        else:
            yield from table_text(name, table)
    if declared_tcm(module) is not None:
        moved = traffic(module).bytes
        planned = sum(table.bytes for table in plans.values() if table)
        differs = planned and abs(moved - planned) * _DIFFERENCE > planned
        yield f"moved: {moved:,} bytes" + (f", planned {planned:,}" if differs else "")
