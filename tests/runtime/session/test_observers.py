"""Observers of a session: when they are told, and the tap."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError, fail
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Observer, Session, Tap, parse_module
from htp_mlir.runtime.session.observer import StepView

from tests.support.paths import SPOTTER_MODEL

X = np.array([[[[-1.0, 2.0, -3.0, 4.0]]]], np.float32)
TEXT = """
func.func @main(%x: tensor<1x1x1x4xf32> {htp.name = "x"})
    -> (tensor<1x1x1x4xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Neg(%0) {htp.name = "turned"} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Relu(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %3 : tensor<1x1x1x4xf32>
}"""


class Log(Observer):
    """Writes down what it is told."""

    def __init__(self, name: str = "", log: list[str] | None = None) -> None:
        self.name = name
        self.log = [] if log is None else log

    def begins(self) -> None:
        self.log.append(f"{self.name}begins")

    def before(self, view: StepView) -> None:
        self.log.append(f"{self.name}before {view.op.name}")

    def after(self, view: StepView) -> None:
        self.log.append(f"{self.name}after {view.op.name}")

    def ends(self) -> None:
        self.log.append(f"{self.name}ends")


def test_each_step_is_told_of_in_order() -> None:
    log = Log()
    session = Session(parse_module(TEXT), observers=[log])
    assert log.log == []
    session.run({"x": X})
    steps = ["before htp.Neg", "after htp.Neg", "before htp.Relu", "after htp.Relu"]
    assert log.log == ["begins", *steps, "ends"]


def test_observers_nest() -> None:
    log: list[str] = []
    observers = [Log("1 ", log), Log("2 ", log)]
    Session(parse_module(TEXT), observers=observers).run({"x": X})
    assert log[2:6] == [
        "1 before htp.Neg",
        "2 before htp.Neg",
        "2 after htp.Neg",
        "1 after htp.Neg",
    ]


def test_views_hold_operands_before_a_step_and_results_after_it() -> None:
    seen = []

    class Values(Observer):
        def before(self, view: StepView) -> None:
            seen.extend(operand.load().copy() for operand in view.operands)

        def after(self, view: StepView) -> None:
            seen.extend(result.load().copy() for result in view.results)

    Session(parse_module(TEXT), observers=[Values()]).run({"x": X})
    np.testing.assert_array_equal(seen, [X, -X, -X, np.maximum(-X, 0)])


def test_an_error_of_an_observer_fails_the_run_at_its_step() -> None:
    class Refuses(Log):
        def after(self, view: StepView) -> None:
            if view.results[0].load().max() > 3:
                raise fail(view.label, "is above 3", "feed smaller numbers")

    refuses = Refuses()
    session = Session(parse_module(TEXT), observers=[refuses])
    session.run({"x": -np.abs(X) / 2})
    assert refuses.log[-1] == "ends"
    with pytest.raises(HtpError, match=r"htp.Neg 'turned' \(op 1\): is above 3"):
        session.run({"x": -X * X})
    assert refuses.log[-1] == "before htp.Neg"


def test_an_observer_that_fails_is_named_with_the_op_and_the_line() -> None:
    class Broken(Observer):
        def after(self, view: StepView) -> None:
            raise KeyError(view.index)

    session = Session(parse_module(TEXT), observers=[Broken()])
    message = r"htp.Neg 'turned' \(op 1\): observer .*Broken.after fails: KeyError: 0, at \S+:\d+\n"
    with pytest.raises(HtpError, match=message):
        session.run({"x": X})


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("name", ["turned", "htp.Neg", "htp.Neg 'turned' (op 1)"])
def test_a_tap_keeps_the_results_of_the_ops_that_it_names(name: str, check: bool) -> None:
    tap = Tap(name)
    session = Session(parse_module(TEXT), check=check, observers=[tap])
    for scale in (1, 2):
        session.run({"x": scale * X})
        assert list(tap.values) == ["htp.Neg 'turned' (op 1)"]
        np.testing.assert_array_equal(tap.values["htp.Neg 'turned' (op 1)"], [-scale * X])


def test_a_tap_without_names_keeps_all() -> None:
    tap = Tap()
    Session(parse_module(TEXT), observers=[tap]).run({"x": X})
    assert list(tap.values) == ["htp.Neg 'turned' (op 1)", "htp.Relu at <text>:6:3 (op 2)"]


BUFFER = """
func.func @main(%x: tensor<1xf32> {htp.name = "x"}) -> (tensor<2xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 2 : i64}
      : (tensor<1xf32>) -> tensor<2xf32>
  %1 = qti_aisw.ElementWiseNeg(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}"""


def test_results_that_are_not_ready_are_not_kept_nor_the_steps_behind_them_told_of() -> None:
    tap, log = Tap(), Log()
    session = Session(parse_module(BUFFER), observers=[tap, log])
    session.run({"x": [1]})
    assert tap.values == {}
    assert log.log == ["begins", "before qti_aisw.Buffer", "after qti_aisw.Buffer", "ends"]
    session.run({"x": [2]})
    assert [[v.tolist() for v in kept] for kept in tap.values.values()] == [[[1, 2]], [[-1, -2]]]


@pytest.mark.slow
def test_the_copies_of_an_allocated_module_are_steps_too() -> None:
    module = load_module(str(SPOTTER_MODEL))
    lowered = lower(module, soc="SM8650", tcm_bytes=64 * 1024)
    tap = Tap("htp.CopyWait", "htp.Fill.start")
    feeds = {"frame": np.ones((1, 1, 1, 40), np.float32), "reset": np.bool_(False)}
    Session(lowered, check=True, observers=[tap]).run(feeds)
    assert {label.split(" ")[0] for label in tap.values} == {"htp.Fill.start"}
