"""Pass group PRE_TRANSLATE: one graph op in place of the many that exporters write for it.

The rules that find block ops are in a group of their own in front of it.
"""

from .attention import CORES, ROTARIES
from .cells import CELLS
from .experts import EXPERTS, STACKS
from .functions import ACTIVATIONS, NORMS, SOFTMAXES
from .heads import AROUND, FRONTS, PAGED
from .masks import BLOCK_OPS, MASKED_SOFTMAXES
from .spellings import SPELLINGS, TURNS
from .training import CROSS_ENTROPIES, OPTIMISERS
from .weights import WEIGHTS

_PARTS = WEIGHTS + MASKED_SOFTMAXES + SPELLINGS + SOFTMAXES + NORMS + ACTIVATIONS
_ATTENTION = FRONTS + CORES + AROUND + TURNS + PAGED
RAISING_RULES = (
    _PARTS + ROTARIES + CELLS + OPTIMISERS + CROSS_ENTROPIES + _ATTENTION + STACKS + EXPERTS
)
"""First common spellings of one function become one spelling, then ops are found."""

__all__ = ["BLOCK_OPS", "RAISING_RULES"]
