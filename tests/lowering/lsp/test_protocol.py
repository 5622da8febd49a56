"""Messages that cannot be read, sent to the real server in a process."""

from pathlib import Path
from typing import Any

import pytest

from .client import Client

pytestmark = [pytest.mark.needs("pygls"), pytest.mark.slow]


@pytest.mark.parametrize("line", [-1, 1 << 40, "a", None])
def test_a_place_that_cannot_be_is_answered_with_an_error(line: Any, tmp_path: Path) -> None:
    with Client(tmp_path / "model.mlir") as client:
        client.open("")
        answer = client.answer("textDocument/hover", client.place(line, 0))
        assert answer["error"]["code"] == -32602


BROKEN = (b"{", b"\xff\xfe", b"[1]", b"3", b"[" * 3000)


def test_what_is_no_message_is_said_in_one_line_of_the_log(tmp_path: Path) -> None:
    with Client(tmp_path / "model.mlir") as client:
        for data in BROKEN:
            client.send(data)
        client.send(b'{"jsonrpc": "2.0", "id": "x", "method": 5}')
        assert client.open("") == []
    from htp_mlir.lowering.lsp.protocol import UNREADABLE

    lines = client.log.splitlines()
    assert len(lines) == len(BROKEN) + 1
    assert all(line.startswith(f"{UNREADABLE}: ") for line in lines)
