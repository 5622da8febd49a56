"""Tiles: the ops that run tile by tile, and their tiles; value objects in, a plan out."""

from .program import SUMMED, AccessMap, Operand, Tensor, TileOp, TileProgram
from .search import Plan, Segment, plan_tiles

__all__ = [
    "SUMMED",
    "AccessMap",
    "Operand",
    "Plan",
    "Segment",
    "Tensor",
    "TileOp",
    "TileProgram",
    "plan_tiles",
]
