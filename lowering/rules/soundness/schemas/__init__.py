"""The constraints between operands and results of each op, for making graphs of them."""

from .table import schema_of, stated

__all__ = ["schema_of", "stated"]
