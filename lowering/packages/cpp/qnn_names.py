"""The macros QNN_OP_... by which sources may name ops and params, without the header that has them.

A macro is the name of an op in capitals, with underscores between its words: QNN_OP_CONV_2D is
"Conv2d", and QNN_OP_CONV_2D_PARAM_PAD_AMOUNT "pad_amount".
"""

from __future__ import annotations

import re
from functools import cache

_MACRO = re.compile(r"\bQNN_OP_(\w+?)(?:_PARAM_(\w+))?\b")


def qnn_names(text: str) -> dict[str, str]:
    """Return the names that macros in a text mean; one of an op that is not known is left out."""
    known = _ops()
    named: dict[str, str] = {}
    for match in _MACRO.finditer(text):
        op = known.get(match[1].replace("_", "").lower())
        if name := (match[2].lower() if match[2] else op):
            named[match[0]] = name
    return named


@cache
def _ops() -> dict[str, str]:
    from ....dialects.htp.named import QNN_NAMES
    from ....dialects.qti_aisw import GRAPH_OPS

    return {name.lower(): name for name in (*QNN_NAMES, *GRAPH_OPS)}
