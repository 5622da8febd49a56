"""From rules that place copies by hand to tensor properties: a proposal, with reasons.

Source: QNN HTP op package documentation, before and after TCM migration.
"""

from .migration import MigratedRule, Migration, Proposal, migrate

__all__ = ["MigratedRule", "Migration", "Proposal", "migrate"]
