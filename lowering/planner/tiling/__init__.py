"""Tiles: the ops that run tile by tile, and their tiles; value objects in, a plan out."""

from .access_map import AccessMap
from .choice import choose_plan
from .program import SUMMED, TileProgram, TilingOp, TilingOperand, TilingTensor
from .search import Segment, TilingPlan, plan_tiles
from .single import least_need

__all__ = [
    "SUMMED",
    "AccessMap",
    "Segment",
    "TileProgram",
    "TilingOp",
    "TilingOperand",
    "TilingPlan",
    "TilingTensor",
    "choose_plan",
    "least_need",
    "plan_tiles",
]
