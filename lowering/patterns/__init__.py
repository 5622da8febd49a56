"""The project's own rules: one table per purpose, all of package `htp`."""

from .cleanup import CLEANUP_RULES, MADE_ANEW_RULES
from .fusion import FUSION_RULES
from .groups import GROUP_RULES, PATCH_RULES, TAP_RULES, TRANSPOSED_RULES
from .packed import PACKED, RESHAPES, SHUFFLES, VIEW_SLICES
from .qnn import QNN_RULES
from .raising import RAISING_RULES
from .tiling import ATTENTION_RULES, RECURRENCE_RULES, TILING_RULES

HTP_RULES = (
    RAISING_RULES
    + QNN_RULES
    + TAP_RULES
    + GROUP_RULES
    + PATCH_RULES
    + TRANSPOSED_RULES
    + RESHAPES
    + CLEANUP_RULES
    + SHUFFLES
    + PACKED
    + VIEW_SLICES
    + FUSION_RULES
    + MADE_ANEW_RULES
    + RECURRENCE_RULES
    + TILING_RULES
    + ATTENTION_RULES
)
"""Every rule of the project, in the order of writing."""

__all__ = ["HTP_RULES"]
