"""Which ops run tile by tile, in which tiles: value objects in, a plan out."""

from .program import SUMMED, Operand, Reach, Tensor, TileOp, TileProgram
from .search import Plan, Segment, plan_tiles

__all__ = [
    "SUMMED",
    "Operand",
    "Plan",
    "Reach",
    "Segment",
    "Tensor",
    "TileOp",
    "TileProgram",
    "plan_tiles",
]
