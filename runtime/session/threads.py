"""A limit on the threads of the linear algebra library under numpy."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from types import TracebackType

from ...dialects.diagnostics import fail


class ThreadLimit(AbstractContextManager[None]):
    """A limit that holds inside a `with`; None leaves things unchanged. Can be entered again."""

    def __init__(self, threads: int | None) -> None:
        self._stack = ExitStack()
        self._threads = threads
        self._controller = None
        if threads is None:
            return
        if threads < 1:
            raise fail("threads", f"is {threads}", "give at least 1")
        try:
            from threadpoolctl import ThreadpoolController
        except ImportError as error:
            remedy = "install threadpoolctl: pip install htp-mlir[threads]"
            raise fail("threads", "a limit needs the package threadpoolctl", remedy) from error
        self._controller = ThreadpoolController()

    def __enter__(self) -> None:
        if self._controller is not None:
            self._stack.enter_context(self._controller.limit(limits=self._threads))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
