"""An op of the user's own: converted, brought by a package, kept and run, asked about."""

from pathlib import Path

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import (
    TorchConversions,
    TorchExecutors,
    load_torch,
    registered,
    torch_library,
    unconverted,
)
from htp_mlir.lowering.packages import Packages, Value, op_package
from htp_mlir.runtime import Session
from torch import Tensor, nn
from xdsl.dialects.builtin import ModuleOp

from ....support.roundtrip import parse

pytestmark = pytest.mark.needs("torch")


@torch.library.custom_op("tests::fused_gate", mutates_args=())
def fused_gate(gate: Tensor, value: Tensor, scale: float = 1.0) -> Tensor:
    """sigmoid(gate) * value * scale."""
    return torch.sigmoid(gate) * value * scale


@fused_gate.register_fake
def _(gate: Tensor, value: Tensor, scale: float = 1.0) -> Tensor:
    return torch.empty_like(value)


def line_with(text: str) -> int:
    """Return the number of the first line of this file that has the text."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


class Gated(nn.Module):
    def forward(self, gate: Tensor, value: Tensor) -> Tensor:
        return fused_gate(gate, value, 0.5) + 1


CONVERSIONS = TorchConversions()


@CONVERSIONS.conversion("tests.fused_gate")
def convert_gate(gate: Value, value: Value, scale: float) -> Value:
    return gate.sigmoid() * value * scale


ARGS = (torch.randn(2, 3), torch.randn(2, 3))
PACKAGE = op_package("Gates", torch_conversions=[CONVERSIONS])


def assert_same(module: ModuleOp, **options: object) -> None:
    session = Session(module, check=True, **options)
    feeds = {"gate": ARGS[0].numpy(), "value": ARGS[1].numpy()}
    [out] = session.run(feeds).values()
    np.testing.assert_allclose(out, Gated()(*ARGS).numpy(), rtol=1e-5, atol=1e-6)


def test_a_conversion_is_given_to_the_import() -> None:
    module = load_torch(Gated(), ARGS, conversions=[CONVERSIONS])
    assert_same(module)
    assert_same(lower(module))


def test_a_conversion_comes_with_a_package() -> None:
    module = load_torch(Gated(), ARGS, packages=Packages().extended(PACKAGE))
    assert_same(lower(module))


def test_a_conversion_of_the_user_comes_before_that_of_the_project() -> None:
    zero = TorchConversions()
    zero.conversion("aten.add.Tensor")(lambda self: self.like(0))
    with pytest.raises(HtpError, match="becomes scalar Float32, the model says 2x3 Float32"):
        load_torch(Gated(), ARGS, conversions=[CONVERSIONS, zero])


def test_a_conversion_that_takes_what_the_schema_lacks_is_refused() -> None:
    wrong = TorchConversions()
    wrong.conversion("tests.fused_gate")(lambda gate, other: gate * other)
    with pytest.raises(HtpError, match="takes 'other', the op has no such argument") as raised:
        load_torch(Gated(), ARGS, conversions=[wrong])
    assert raised.value.lines()[1] == "  it has gate, value, scale"


def test_two_packages_with_one_op_are_refused() -> None:
    other = op_package("Others", torch_conversions=[CONVERSIONS])
    with pytest.raises(HtpError) as raised:
        Packages().extended(PACKAGE, other)
    assert "tests.fused_gate has 2 conversions" in raised.value.lines()[1]


def test_no_package_may_be_called_torch() -> None:
    with pytest.raises(HtpError, match="package torch: ops of PyTorch that nothing converts"):
        Packages().extended(op_package("torch"))


def test_without_a_conversion_the_op_is_refused_with_its_line() -> None:
    with pytest.raises(HtpError) as raised:
        load_torch(Gated(), ARGS)
    first, second = raised.value.lines()
    assert first.startswith("node 'fused_gate' (tests.fused_gate.default) at ")
    assert f"test_custom_ops.py:{line_with('return fused_gate')}: the op has no conv" in first
    assert 'CONVERSIONS.conversion("tests.fused_gate.default")' in second


def test_a_kept_op_runs_by_its_own_function() -> None:
    module = load_torch(Gated(), ARGS, fallback=True)
    text = str(module)
    assert 'package = "torch", op_type = "tests.fused_gate.default"' in text
    assert 'params = {gate = "%0", value = "%1", scale = 5.000000e-01 : f32}' in text
    assert_same(module, library=torch_library())
    assert_same(parse(text), library=torch_library())


def test_a_kept_op_runs_by_an_executor() -> None:
    executors = TorchExecutors()

    @executors.executor("tests.fused_gate")
    def gate_of_half(gate: Tensor, value: Tensor, scale: float) -> Tensor:
        return gate.sigmoid().mul(value).mul(scale)

    module = load_torch(Gated(), ARGS, fallback=True)
    assert_same(module, library=torch_library([executors]))
    support = registered("tests.fused_gate", conversions=[CONVERSIONS], executors=[executors])
    assert support.executor is not None
    assert support.executor.function is gate_of_half
    assert support.conversion is not None
    assert support.conversion.label == "test_custom_ops.convert_gate"


def test_an_executor_gives_what_the_ir_says() -> None:
    executors = TorchExecutors()
    executors.executor("tests.fused_gate")(lambda gate, value, scale: gate[:1])
    session = Session(load_torch(Gated(), ARGS, fallback=True), library=torch_library([executors]))
    feeds = {"gate": ARGS[0].numpy(), "value": ARGS[1].numpy()}
    with pytest.raises(HtpError, match=r"gives float32\[1, 3\], the IR says float32\[2, 3\]"):
        session.run(feeds)


def test_what_an_executor_raises_fails_the_run_with_the_op() -> None:
    executors = TorchExecutors()
    executors.executor("tests.fused_gate")(lambda gate: gate)
    session = Session(load_torch(Gated(), ARGS, fallback=True), library=torch_library([executors]))
    feeds = {"gate": ARGS[0].numpy(), "value": ARGS[1].numpy()}
    with pytest.raises(HtpError, match=r"tests.fused_gate.default: .*unexpected keyword argument"):
        session.run(feeds)


def test_a_kept_op_is_refused_by_lowering_and_by_a_plain_session() -> None:
    module = load_torch(Gated(), ARGS, fallback=True)
    with pytest.raises(HtpError, match=r"tests.fused_gate.default is PyTorch's own op"):
        lower(module)
    with pytest.raises(HtpError) as raised:
        Session(module)
    assert (
        raised.value.lines()[1].strip()
        == "give it Session(module, library=torch_library()), or --fallback"
    )


class Kept(nn.Module):
    """Ops without a conversion: lists of tensors, None among them, dtypes, several results."""

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        q, r = torch.linalg.qr(x)
        grid = torch.cartesian_prod(x[0], x[1])
        counts = torch.bucketize(x, q[0].sort()[0], out_int32=True)
        bessel = torch.special.i1(r), torch.i0(x.bfloat16()).float()
        return q, r, *bessel, grid, counts, torch.logcumsumexp(x, -1)


def test_kept_ops_have_all_kinds_of_arguments() -> None:
    x = torch.randn(3, 3)
    module = load_torch(Kept(), (x,), fallback=True)
    outs = Session(module, library=torch_library(), check=True).run({"x": x.numpy()}).values()
    for out, wanted in zip(outs, Kept()(x), strict=True):
        np.testing.assert_allclose(out, wanted.numpy(), rtol=1e-5, atol=1e-6)


UNSAFE = {
    "aten.relu_.default": "is no function of tensors",
    "aten.from_file.default": "takes no tensor",
    "load_library.x.y": "PyTorch has no such op",
    "gone.op.default": "PyTorch has no such op",
}


@pytest.mark.parametrize("op", UNSAFE)
def test_text_runs_no_other_function(op: str) -> None:
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %y = qti_aisw.Custom(%x) {{package = "torch", op_type = "{op}", params = {{self = "%0"}}}}
        : (tensor<2xf32>) -> tensor<2xf32>
      func.return %y : tensor<2xf32>
    }}"""
    session = Session(parse(text), library=torch_library())
    with pytest.raises(HtpError, match=UNSAFE[op]):
        session.run({name: np.zeros(2, np.float32) for name in session.inputs})


class Missing(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = torch.special.i1(x) + torch.rand(2)
        return torch.special.i1(y) + torch.arange(2)


def test_what_a_module_lacks_is_listed_with_its_lines() -> None:
    first = line_with("torch.rand(2)")
    missing = unconverted(Missing(), (torch.zeros(2),))
    assert {
        op: [place.rpartition(":")[2] for place in places] for op, places in missing.items()
    } == {
        "aten.special_i1.default": [str(first), str(first + 1)],
        "aten.rand.default": [str(first)],
    }
    assert unconverted(Gated(), ARGS, conversions=[CONVERSIONS]) == {}


def test_random_numbers_are_not_kept() -> None:
    with pytest.raises(HtpError, match="its numbers are random"):
        load_torch(Missing(), (torch.zeros(2),), fallback=True)
