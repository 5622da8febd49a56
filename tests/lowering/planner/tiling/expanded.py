"""The steps of a whole plan."""

from collections.abc import Mapping, Sequence

from htp_mlir.lowering.planner.allocation.step_list import StepList
from htp_mlir.lowering.planner.tiling import TileProgram
from htp_mlir.lowering.planner.tiling.program import Cuts
from htp_mlir.lowering.planner.tiling.steps import Expansion
from htp_mlir.lowering.planner.tiling.tilings import Windows


def expand(
    program: TileProgram,
    plan: Mapping[int, Cuts],
    leaders: Sequence[int],
    capacity: int,
    windows: Mapping[int, Windows],
) -> StepList:
    """Expand a plan, whose segments are led by some ops."""
    expansion = Expansion(program, plan, capacity, windows)
    assert expansion.run_all(leaders)
    return expansion.list
