"""The base class of all ops of both dialects: an error shows the op, and not its whole module."""

from typing import NoReturn

from xdsl.irdl import IRDLOperation


class OwnOp(IRDLOperation):
    """An op whose verifier does not print the module, which may hold gigabytes of constants."""

    def emit_error(self, message: str, underlying_error: Exception) -> NoReturn:
        """Raise the error with the op's own text as a note."""
        from ..faults.op_faults import printed

        underlying_error.add_note("\n".join((message, *printed(self))))
        raise underlying_error
