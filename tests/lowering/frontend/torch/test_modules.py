"""Block ops as modules, in eager mode: what they compute, keep, save and learn."""

import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.torch import (
    BLOCKED,
    Buffer,
    MaskedSoftmax,
    StatefulGru,
    StatefulLstm,
    is_blocked,
    load_torch,
    reset_states,
)
from torch import Tensor, nn

pytestmark = pytest.mark.needs("torch")

TRACES = [
    ("NON_BLOCKING_LEFT", 3, 1, 0, "100 120 123 234 345"),
    ("NON_BLOCKING_RIGHT", 3, 1, 0, "001 012 123 234 345"),
    ("BLOCKING", 3, 1, 0, "- - 123 234 345"),
    ("NON_BLOCKING_LEFT", 3, 2, 0, "100 120 123 340 345"),
    ("NON_BLOCKING_RIGHT", 3, 2, 0, "001 012 123 340 345"),
    ("BLOCKING", 3, 2, 0, "- - 123 - 345"),
    ("NON_BLOCKING_LEFT", 4, 4, 0, "1000 1200 1230 1234 5000"),
    ("NON_BLOCKING_RIGHT", 4, 4, 0, "0001 0012 0123 1234 5000"),
    ("NON_BLOCKING_LEFT", 4, 1, 2, "0010 0012 0123 1234 2345"),
    ("BLOCKING", 4, 1, 2, "- 0012 0123 1234 2345"),
]


def digits(out: Tensor) -> str:
    return "-" if is_blocked(out) else "".join(str(int(n)) for n in out.flatten())


@pytest.mark.parametrize(("mode", "size", "stride", "padding", "trace"), TRACES)
def test_a_buffer_fills_as_its_mode_says(
    mode: str, size: int, stride: int, padding: int, trace: str
) -> None:
    buffer = Buffer(size, 0, mode=mode, stride=stride, buffer_padding=padding)
    outs = [buffer(torch.tensor([float(n)])) for n in range(1, 6)]
    assert " ".join(map(digits, outs)) == trace


def test_a_reset_comes_before_the_input() -> None:
    buffer = Buffer(4, 0, mode="NON_BLOCKING_RIGHT", buffer_padding=2)
    outs = [buffer(torch.tensor([float(n)]), torch.tensor(n == 4)) for n in range(1, 7)]
    assert " ".join(map(digits, outs)) == "0001 0012 0123 0004 0045 0456"


def test_a_blocked_value_goes_through_layers_and_leaves_states() -> None:
    gru = StatefulGru(3, 4)
    gru(torch.ones(1, 1, 3))
    before = gru.state_h.clone()
    assert is_blocked(nn.Linear(3, 2)(BLOCKED), BLOCKED.view(3) + 1, gru(BLOCKED)[0])
    assert torch.equal(gru.state_h, before)
    assert repr(BLOCKED) == "BLOCKED"


def test_packed_sequences_see_themselves_alone() -> None:
    data = torch.randn(1, 2, 4, 4)
    out = MaskedSoftmax("COMPRESSED")(data, torch.tensor([[1, 2]]))
    assert torch.equal(out[0, :, 0], torch.tensor([[1.0, 0, 0, 0]] * 2))
    assert torch.allclose(out[0, :, 1, 1:3], data[0, :, 1, 1:3].softmax(-1))
    assert not out[0, :, 3].any()


@pytest.mark.parametrize("way", ["forward", "bidirectional"])
@pytest.mark.parametrize("kind", ["gru", "lstm"])
def test_gradients_are_those_of_pytorch(kind: str, way: str) -> None:
    torch.manual_seed(1)
    ways = 2 if way == "bidirectional" else 1
    theirs = (nn.GRU if kind == "gru" else nn.LSTM)(5, 6, bidirectional=ways == 2)
    ours: StatefulGru | StatefulLstm
    ours = (
        StatefulGru(5, 6, direction=way, linear_before_reset=1)
        if kind == "gru"
        else StatefulLstm(5, 6, direction=way)
    )
    order = [1, 0, 2] if kind == "gru" else [0, 3, 1, 2]
    for index in range(ways):
        end = "_l0" + "_reverse" * index
        halves = [getattr(theirs, f"bias_{part}{end}") for part in ("ih", "hh")]
        ours.W.data[index] = _reordered(getattr(theirs, f"weight_ih{end}"), order)
        ours.R.data[index] = _reordered(getattr(theirs, f"weight_hh{end}"), order)
        ours.B.data[index] = torch.cat([_reordered(half, order) for half in halves])
    x = torch.randn(7, 3, 5, requires_grad=True)
    out = ours(x)[0]
    expected = theirs(x)[0].unflatten(2, (ways, 6)).transpose(1, 2)
    assert torch.allclose(out, expected, atol=1e-6)
    grads = [torch.autograd.grad(each.square().sum(), x)[0] for each in (out, expected)]
    assert torch.allclose(*grads, atol=1e-5)


def test_gradients_end_at_the_last_call() -> None:
    gru = StatefulGru(3, 4)
    for _ in range(2):
        gru(torch.randn(2, 1, 3))[0].sum().backward()
    assert gru.W.grad is not None
    assert gru.W.grad.abs().sum() > 0


def test_states_are_saved_loaded_and_forgotten() -> None:
    model = nn.ModuleDict({"gru": StatefulGru(3, 4), "lstm": StatefulLstm(3, 4)})
    x = torch.randn(4, 2, 3)
    first = {name: layer(x)[0] for name, layer in model.items()}
    other = nn.ModuleDict({"gru": StatefulGru(3, 4), "lstm": StatefulLstm(3, 4)})
    other.load_state_dict(model.state_dict())
    for name in model:
        assert torch.equal(other[name](x)[0], model[name](x)[0])
    reset_states(model)
    for name, layer in model.items():
        assert torch.equal(layer(x)[0], first[name])


def test_faults_say_what_fits() -> None:
    with pytest.raises(HtpError) as raised:
        Buffer(5, 0, mode="BLOCKING")(torch.ones(2))
    assert raised.value.lines() == [
        "Buffer: buffer_size is 5, a call brings 2 rows",
        "  take a multiple of 2 from 2 to 5",
    ]
    gru = StatefulGru(3, 4)
    gru(torch.ones(1, 2, 3))
    with pytest.raises(HtpError, match="the state has batch 2, the input 1"):
        gru(torch.ones(1, 1, 3))
    with pytest.raises(HtpError, match="X has shape 1x1x4"):
        gru(torch.ones(1, 1, 4))
    with pytest.raises(HtpError, match=r"sequence_lens \[2\] do not lie within 1 steps"):
        gru(torch.ones(1, 1, 3), torch.tensor([2]))
    with pytest.raises(HtpError, match=r"lengths \[\[3, 2\]\] do not lie within 4 columns"):
        MaskedSoftmax("COMPRESSED")(torch.ones(1, 1, 4, 4), torch.tensor([[3, 2]]))


def _reordered(weight: Tensor, order: list[int]) -> Tensor:
    parts = weight.detach().chunk(len(order))
    return torch.cat([parts[part] for part in order])


@pytest.mark.parametrize("is_loaded", [False, True])
@pytest.mark.parametrize("layer", [StatefulGru, StatefulLstm])
def test_an_input_of_another_rank_is_told_by_its_shape(
    layer: type[StatefulGru | StatefulLstm], is_loaded: bool
) -> None:
    module, x = layer(4, 5), torch.zeros(2, 3, 1, 4)
    with pytest.raises(HtpError, match=f"{layer.OP}: X has shape 2x3x1x4"):
        load_torch(module, (x,)) if is_loaded else module(x)
