"""What holds between the operands and results of each op, for making graphs of them."""

from .table import SCHEMAS, schema_of

__all__ = ["SCHEMAS", "schema_of"]
