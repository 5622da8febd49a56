"""The rows of a sweep as one table, in CSV or Parquet."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path

from ...dialects.diagnostics import fail
from ...dialects.faults.suggestions import listed
from .outcome import Cell, Row

_LAST = ("seconds", "problem", "remedy", "command")
"""The columns behind the figures."""
_CSV, _PARQUET = FORMATS = (".csv", ".parquet")
"""The suffixes of tables."""


def check_format(path: Path) -> None:
    """HtpError for a suffix that no table has, and for Parquet without pyarrow."""
    if path.suffix not in FORMATS:
        remedy = listed(path.suffix, FORMATS)
        raise fail(str(path), f"a table has no suffix '{path.suffix}'", remedy)
    if path.suffix == _PARQUET and importlib.util.find_spec("pyarrow") is None:
        remedy = "pip install 'htp-mlir[sweep]', or write a .csv file"
        raise fail(str(path), "pyarrow is not installed", remedy)


def table_of(rows: Sequence[Row], suffix: str) -> bytes:
    """Return the table as the bytes of a file; a figure that a row lacks is an empty cell."""
    cells = [row.cells() for row in rows]
    names = dict.fromkeys(name for each in cells for name in each if name not in _LAST)
    columns = [*names, *_LAST]
    return (_parquet if suffix == _PARQUET else _csv)(columns, cells)


def _csv(columns: Sequence[str], cells: Sequence[dict[str, Cell]]) -> bytes:
    text = StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(cells)
    return text.getvalue().encode()


def _parquet(columns: Sequence[str], cells: Sequence[dict[str, Cell]]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    data = BytesIO()
    table = pyarrow.table({name: [row.get(name) for row in cells] for name in columns})
    parquet.write_table(table, data)
    return data.getvalue()
