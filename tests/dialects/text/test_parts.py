"""Large constants are printed in parts, and texts are written in parts."""

from io import StringIO

import numpy as np
from htp_mlir.dialects.text.printer import print_dense
from htp_mlir.runtime.tools.tool import encoded
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.printer import Printer

DATA = np.arange(3 << 17)
PART = 1 << 21


class Noting(StringIO):
    """A stream that notes what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = list[str]()

    def write(self, text: str) -> int:
        self.parts.append(text)
        return len(text)


def test_a_constant_is_printed_in_parts() -> None:
    stream = Noting()
    type_ = TensorType(i64, DATA.shape)
    print_dense(Printer(stream), DenseIntOrFPElementsAttr.from_list(type_, DATA.tolist()))
    assert max(map(len, stream.parts)) <= PART
    expected = f'dense<"0x{DATA.tobytes().hex().upper()}"> : tensor<393216xi64>'
    assert "".join(stream.parts) == expected


def test_a_text_is_encoded_in_parts() -> None:
    text = "\N{GREEK SMALL LETTER ALPHA}b" * PART
    parts = [bytes(part) for part in encoded("x.txt", text)]
    assert max(map(len, parts)) <= PART
    assert b"".join(parts) == text.encode()
