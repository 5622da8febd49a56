"""What runs a model in the benchmark: ONNX Runtime, this project and onnx's reference."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnxruntime
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Session
from numpy.typing import NDArray
from onnx.reference import ReferenceEvaluator
from threadpoolctl import ThreadpoolController
from workloads import Inputs

Outputs = dict[str, NDArray[np.generic]]
Run = Callable[[Inputs], Outputs]

PREPARATIONS = 3
"""A model is prepared so often and the best times are kept: the first pays for Python's imports."""


@dataclass(frozen=True)
class Engine:
    """A prepared model: `run` is one inference, `prepare` holds seconds by stage."""

    name: str
    run: Run
    prepare: dict[str, float]


@dataclass
class Stopwatch:
    """Seconds by stage, the best where one was measured more than once."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the body of a `with`."""
        start = time.perf_counter()
        yield
        elapsed = time.perf_counter() - start
        self.seconds[name] = min(elapsed, self.seconds.get(name, elapsed))


def onnx_runtime(path: Path, threads: int) -> Engine:
    """ONNX Runtime on the CPU; its threads stop spinning after a run and disturb nobody."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.force_spinning_stop", "1")
    watch = Stopwatch()
    for _ in range(PREPARATIONS):
        with watch.stage("session"):
            session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]

    def run(inputs: Inputs) -> Outputs:
        return dict(zip(names, session.run(names, inputs), strict=True))

    return Engine(f"ORT-{threads}", run, watch.seconds)


def htp_sessions(path: Path, soc: str, *threads: int) -> list[Engine]:
    """Sessions over one fully lowered module, one per number of threads."""
    watch = Stopwatch()
    for _ in range(PREPARATIONS):
        with watch.stage("import"):
            module = load_module(path)
        with watch.stage("lower"):
            lowered = lower(module, soc=soc)
        with watch.stage("session"):
            Session(lowered)
    return [
        Engine(f"htp-mlir-{count}", Session(lowered, threads=count).run, watch.seconds)
        for count in threads
    ]


def reference(path: Path) -> Engine:
    """onnx's ReferenceEvaluator, numpy's linear algebra limited to one thread."""
    watch = Stopwatch()
    with watch.stage("session"):
        evaluator = ReferenceEvaluator(str(path))
    limits = ThreadpoolController()

    def run(inputs: Inputs) -> Outputs:
        with limits.limit(limits=1):
            return dict(zip(evaluator.output_names, evaluator.run(None, inputs), strict=True))

    return Engine("reference", run, watch.seconds)
