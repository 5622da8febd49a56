"""What backends cannot do is reported op by op, and the module stays as it is."""

from collections.abc import Callable

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.lowering.passes.graph.check_backend import BACKENDS, CheckBackend
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.support.faults import told
from tests.support.graph import I32, Graph
from tests.support.roundtrip import to_text


def buffer(mode: BufferMode = BufferMode.NON_BLOCKING_LEFT) -> ModuleOp:
    graph = Graph()
    x = graph.input(1, 4)
    graph.give("y", graph.op("Buffer", x, buffer_size=3, buffer_dim=0, mode=mode))
    return graph.model().module


def blocking() -> ModuleOp:
    return buffer(BufferMode.BLOCKING)


def masked_softmax() -> ModuleOp:
    graph = Graph()
    data, mask = graph.input(1, 2, 4, 4), graph.input(1, 4, of=I32)
    graph.give("y", graph.op("MaskedSoftmax", data, mask))
    return graph.model().module


def recurrent(kind: str) -> ModuleOp:
    graph = Graph()
    gates = {"StatefulLstm": 4, "StatefulGru": 3}[kind]
    weights = graph.weights(1, gates * 2, 3), graph.weights(1, gates * 2, 2)
    graph.give("y", graph.op(kind, graph.input(2, 1, 3), *weights, hidden_size=2))
    return graph.model().module


def gru() -> ModuleOp:
    return recurrent("StatefulGru")


def lstm() -> ModuleOp:
    return recurrent("StatefulLstm")


def plain() -> ModuleOp:
    graph = Graph()
    graph.give("y", graph.op("Relu", graph.input(2)))
    return graph.model().module


def deep() -> ModuleOp:
    graph = Graph()
    graph.give("y", graph.op("Relu", graph.input(2, 2, 2, 2, 2)))
    return graph.model().module


def deep_buffer() -> ModuleOp:
    graph = Graph()
    mode = BufferMode.NON_BLOCKING_LEFT
    x = graph.input(1, 2, 2, 2, 2)
    graph.give("y", graph.op("Buffer", x, buffer_size=3, buffer_dim=0, mode=mode))
    return graph.model().module


SUPPORT: dict[Callable[[], ModuleOp], set[str]] = {
    buffer: {"cpu", "lpai", "htp"},
    blocking: {"cpu", "lpai"},
    masked_softmax: {"cpu", "aic", "htp"},
    gru: {"cpu", "lpai", "htp"},
    lstm: {"cpu", "lpai", "htp"},
    plain: {"cpu", "aic", "lpai", "htp"},
    deep: {"cpu", "aic", "lpai", "htp"},
    deep_buffer: {"cpu", "lpai"},
}
"""Which backends take which graph."""


@pytest.mark.one_per("make")
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("make", SUPPORT, ids=lambda make: make.__name__)
def test_support(make: Callable[[], ModuleOp], backend: str) -> None:
    module = make()
    before = to_text(module)
    if backend in SUPPORT[make]:
        CheckBackend(backend).apply(Context(), module)
    else:
        with pytest.raises(HtpError) as error:
            CheckBackend(backend).apply(Context(), module)
        told(str(error.value))
    assert to_text(module) == before
    module.verify()


def test_a_decomposed_op_is_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    CheckBackend("htp").apply(Context(), masked_softmax())
    assert capsys.readouterr().err == (
        "note: %2 = qti_aisw.MaskedSoftmax: is no op of backend htp; it is decomposed\n"
    )
    CheckBackend("cpu").apply(Context(), masked_softmax())
    assert capsys.readouterr().err == ""


def test_nodes_that_one_reason_keeps_off_are_one_fault() -> None:
    graph = Graph()
    x = graph.input(1, 4)
    for index in range(4):
        graph.give(f"y{index}", graph.op("Buffer", x, buffer_size=3 + index, buffer_dim=0))
    deep = graph.input(1, 2, 2, 2, 2)
    mode = BufferMode.NON_BLOCKING_LEFT
    graph.give("z", graph.op("Buffer", deep, buffer_size=3, buffer_dim=0, mode=mode))
    with pytest.raises(HtpError) as error:
        CheckBackend("htp").apply(Context(), graph.model().module)
    blocking, deep_fault = error.value.faults
    assert blocking.where == "4 nodes (qti_aisw.Buffer): '%2', '%3', '%4', ..."
    assert "shape 3x2x2x2x2 has rank 5" in deep_fault.problem


def test_an_unknown_backend_brings_the_known_ones() -> None:
    with pytest.raises(HtpError, match="known are aic, cpu, htp, lpai"):
        CheckBackend("gpu").apply(Context(), plain())
