"""The graphs that spell out what one graph op does, by name."""

from .attention_spellings import ATTENTION
from .cell_spellings import CELLS
from .decoder_spellings import DECODERS
from .fused_spellings import FUSED
from .optimiser_spellings import STEPS
from .spellings import RAISED as ONES

RAISED = ONES | ATTENTION | CELLS | DECODERS | FUSED | STEPS
