"""Arguments of another kind: two lines that name function, argument and value."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.faults.arguments import MODULE, PATH, PATHS, TEXT, WHOLE, arguments
from htp_mlir.lowering import api, import_model, packages, quantization, sweep, testing
from htp_mlir.lowering.frontend.onnx import blocks, load_onnx
from htp_mlir.lowering.report.run import run_page
from htp_mlir.lowering.rules.lint import lint
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.runtime import (
    Session,
    Tap,
    load_module,
    new_tensor,
    parse_module,
    passes,
    prepare,
    save_module,
)
from onnx import ModelProto
from onnx.parser import parse_model

RELU = """<ir_version: 8, opset_import: ["": 17]>
g (float[1, 2, 3, 4] x) => (float[1, 2, 3, 4] y) { y = Relu(x) }"""
MODEL = parse_model(RELU)
GRAPH = import_model(MODEL)
CONTEXT = packages.load_packages().context()
ENCODINGS = quantization.Encodings()
FEEDS = [{"x": np.zeros((1, 2, 3, 4), np.float32)}]
GRU = {"X": "x", "W": "x", "R": "x"}

Call = tuple[Callable[..., object], tuple[object, ...], dict[str, object]]


def call(function: Callable[..., object], *args: object, **options: object) -> Call:
    """Return a call that is yet to be made."""
    return function, args, options


CALLS = {
    "model": [
        call(import_model, MODEL.graph),
        call(import_model, None),
        call(blocks.add_functions, "x.onnx"),
        call(blocks.append_buffer, "x.onnx", "x", buffer_size=2, buffer_dim=1, mode="BLOCKING"),
        call(blocks.append_masked_softmax, b"", "x", "y"),
        call(blocks.append_outputs, "x.onnx", "x"),
        call(blocks.append_stateful_gru, "x.onnx", **GRU),
        call(blocks.append_stateful_lstm, "x.onnx", **GRU),
    ],
    "module": [
        call(api.lower, "x.onnx"),
        call(api.lower, MODEL),
        call(Session, "x.mlir"),
        call(Session, MODEL),
        call(prepare, "x.mlir"),
        call(save_module, "text", "x.mlir"),
        call(passes.run_pass, CONTEXT, MODEL, None),
        call(passes.run_passes, CONTEXT, "x.mlir", []),
        call(quantization.calibrate, "x.mlir", FEEDS),
        call(quantization.correct_bias, "x.mlir", FEEDS),
        call(quantization.equalize, MODEL),
        call(quantization.outputs_of, "x.mlir", FEEDS),
        call(quantization.quantize, "x.mlir", ENCODINGS),
        call(quantization.sensitivities, "x.mlir", ENCODINGS, FEEDS),
        call(quantization.with_f16, "x.mlir", ENCODINGS, FEEDS, 20),
        call(testing.random_feeds, "x.mlir"),
    ],
    "before": [call(testing.assert_same, "x", GRAPH), call(api.lower, GRAPH, before=3)],
    "after": [call(testing.assert_same, GRAPH, "x"), call(api.lower, GRAPH, after=[3])],
    "path": [
        call(load_onnx, MODEL),
        call(load_onnx, MODEL.SerializeToString()),
        call(api.load_module, MODEL),
        call(api.load_module, None),
        call(load_module, MODEL.SerializeToString()),
        call(save_module, GRAPH, None),
        call(Session(GRAPH).save_state, None),
        call(Session(GRAPH).load_state, 3),
        call(quantization.read_encodings, 3),
        call(quantization.write_encodings, None, ENCODINGS),
    ],
    "dims": [
        call(import_model, MODEL, dims=[1]),
        call(import_model, MODEL, dims={"batch": "1"}),
        call(load_module, "x.onnx", dims=3),
    ],
    "constants": [
        call(import_model, MODEL, constants=["x"]),
        call(api.load_module, "x.onnx", constants=3),
    ],
    "packages": [
        call(import_model, MODEL, packages="folder"),
        call(api.load_module, "x.onnx", packages="folder"),
        call(api.lower, GRAPH, packages=["folder"]),
        call(sweep.lowerings, [], packages="folder"),
    ],
    "ctx": [
        call(load_onnx, "x.onnx", ctx="htp"),
        call(load_module, "x.mlir", ctx=3),
        call(parse_module, "", ctx=3),
        call(passes.run_pass, None, GRAPH, None),
    ],
    "resources": [
        call(api.load_module, "x.mlir", resources=3),
        call(save_module, GRAPH, "x.mlir", resources=3),
    ],
    "text": [call(parse_module, Path("x.mlir")), call(parse_module, b"module")],
    "soc": [call(api.lower, GRAPH, soc=8650)],
    "tcm_bytes": [
        call(api.lower, GRAPH, tcm_bytes=["1M"]),
        call(api.lower, GRAPH, tcm_bytes=1e6),
        call(sweep.lowerings, [], tcm_bytes=1 << 20),
    ],
    "level": [call(api.lower, GRAPH, level=3)],
    "options": [call(api.lower, GRAPH, options={"relu": 1})],
    "watch": [call(api.lower, GRAPH, watch=3)],
    "library": [call(prepare, GRAPH, 3), call(Session, GRAPH, library="htp")],
    "observers": [
        call(Session, GRAPH, observers=Tap()),
        call(Session, GRAPH, observers=[print]),
    ],
    "threads": [call(Session, GRAPH, threads="2")],
    "feeds": [
        call(Session(GRAPH).run, FEEDS[0]["x"]),
        call(Session(GRAPH).run, None),
        call(Session(GRAPH).run, {0: FEEDS[0]["x"]}),
        call(quantization.calibrate, GRAPH, FEEDS[0]),
        call(quantization.outputs_of, GRAPH, 3),
    ],
    "spec": [call(new_tensor, (1, 2))],
    "names": [call(Tap, 3), call(blocks.append_outputs, MODEL, 3)],
    "step": [call(passes.run_pass, CONTEXT, GRAPH, "cse")],
    "steps": [call(passes.run_passes, CONTEXT, GRAPH, "cse")],
    "instruments": [call(passes.instrumented, print)],
    "inp": [call(blocks.append_buffer, MODEL, 3, buffer_size=2, buffer_dim=1, mode="BLOCKING")],
    "buffer_size": [
        call(blocks.append_buffer, MODEL, "x", buffer_size="2", buffer_dim=1, mode="BLOCKING")
    ],
    "mode": [call(blocks.append_buffer, MODEL, "x", buffer_size=2, buffer_dim=1, mode=0)],
    "data": [call(blocks.append_masked_softmax, MODEL, None, "x")],
    "X": [call(blocks.append_stateful_gru, MODEL, None, "x", "x")],
    "columns": [
        call(blocks.from_lengths, [1], "3"),
        call(blocks.from_compressed, [[1]], None),
    ],
    "paths": [call(packages.load_cpp, 3), call(packages.load_cpp, [3])],
    "source": [call(packages.load_package, 3)],
    "sources": [call(packages.load_packages, ["a.py", "b.py"])],
    "method": [call(quantization.calibrate, GRAPH, FEEDS, method=3)],
    "activations": [call(quantization.calibrate, GRAPH, FEEDS, activations=8)],
    "encodings": [
        call(quantization.quantize, GRAPH, "x.json"),
        call(quantization.sensitivities, GRAPH, "x.json", FEEDS),
        call(quantization.write_encodings, "x.json", {}),
    ],
    "signal": [call(quantization.noise_ratio, "x", "y")],
    "recorder": [call(run_page, "Lowering", None, GRAPH)],
    "rules": [call(lint, "x.py"), call(sweep.rule_checks, 3)],
    "rule": [call(check_rule, "x.py")],
    "models": [call(sweep.lowerings, "x.onnx"), call(sweep.lowerings, [MODEL])],
    "socs": [call(sweep.lowerings, [], socs="SM8650")],
    "seeds": [call(sweep.rule_checks, seeds=3)],
    "cases": [call(sweep.sweep, 3, "x.csv"), call(sweep.sweep, [3], "x.csv")],
    "output": [call(sweep.sweep, [], None)],
    "count": [call(testing.random_module, count="8")],
    "ops": [call(testing.random_module, ops="ElementWiseAdd")],
}
"""Calls with one argument of another kind, by its name."""


@pytest.mark.parametrize("name", CALLS)
def test_an_argument_of_another_kind_is_named_in_two_lines(name: str) -> None:
    for function, args, options in CALLS[name]:
        with pytest.raises(HtpError) as caught:
            function(*args, **options)
        (fault,) = caught.value.faults
        assert fault.where.endswith(f": argument '{name}'")
        assert len(caught.value.lines()) == 2


def test_the_message_names_the_function_and_what_to_give() -> None:
    function, args, options = call(api.lower, "model.onnx")
    with pytest.raises(HtpError) as caught:
        function(*args, **options)
    assert caught.value.lines() == [
        "lower: argument 'module': is 'model.onnx', not a module",
        '  give a module, as of load_module("FILE")',
    ]


@pytest.mark.parametrize("form", [str, Path, lambda path: path.read_bytes(), onnx.load])
def test_a_model_is_a_path_bytes_or_a_model(form: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "relu.onnx"
    onnx.save(MODEL, path)
    model: str | Path | bytes | ModelProto = form(path)
    assert str(import_model(model)) == str(GRAPH)


def test_what_a_function_checks_and_lets_pass() -> None:
    @arguments(count=WHOLE, path=PATH, paths=PATHS, names=TEXT, module=MODULE)
    def numbers(
        count: object = None,
        path: object = None,
        paths: object = (),
        *names: object,
        module: object = None,
        other: object = None,
    ) -> object:
        return count

    assert numbers(np.int32(3), Path("a"), ["a", Path("b")], "x", "y", module=GRAPH) == 3
    assert numbers(None, None, "a", module=None, other=object()) is None
    for bad in ({"count": True}, {"count": 3.0}, {"path": b"a"}, {"paths": ["a", 3]}):
        with pytest.raises(HtpError, match=f"argument '{next(iter(bad))}'"):
            numbers(**bad)
