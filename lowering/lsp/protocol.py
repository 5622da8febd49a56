"""Messages that cannot be read: an answer with an error, and one line in the log."""

import logging

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

UNREADABLE = "a message cannot be read"
"""The words of the log for such a message, before the reason."""


class Protocol(LanguageServerProtocol):
    """Answers a request that cannot be read with an error, where pygls lets the editor wait."""

    def structure_message(self, data: dict[str, object]) -> object:
        """Read a message."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if isinstance(number, int | str) and "method" in data:
                self._send_response(number, error=error.to_response_error())
            raise


def _in_one_line(record: logging.LogRecord) -> bool:
    """Have the log say once, in one line, not in a traceback, that a message cannot be read."""
    if record.exc_info and (error := record.exc_info[1]):
        record.msg, record.args = f"{UNREADABLE}: %r", (error,)
        record.exc_info = None
    return not record.getMessage().startswith("Unable to deserialize message")


for _name in ("pygls.server", "pygls.protocol.json_rpc"):
    logging.getLogger(_name).addFilter(_in_one_line)
