"""`masked_softmax(x, mask)` in the place of `softmax(x + mask)`: the same numbers, one block op."""

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import load_torch, masked_softmax
from htp_mlir.runtime import Session
from torch import Tensor, nn

pytestmark = pytest.mark.needs("torch")

KEEP = torch.tensor([[1, 1, 0, 1, 0], [1, 1, 1, 1, 1]], dtype=torch.bool)


class Attention(nn.Module):
    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return masked_softmax(x, mask)


@pytest.mark.one_per("far")
@pytest.mark.parametrize("far", [-10000.0, -1e9, -torch.inf, torch.finfo(torch.float32).min])
@pytest.mark.parametrize("dims", [(2, 5), (2, 1, 5), (2, 1, 1, 5), (2, 3, 4, 5)])
def test_numbers_to_add_give_what_softmax_of_the_sum_gives(
    far: float, dims: tuple[int, ...]
) -> None:
    rows = KEEP.reshape(2, *[1] * (len(dims) - 2), 5).expand(dims)
    mask = torch.where(rows, 0.0, far)
    x = torch.randn(2, *dims[1:-1], 5)
    wanted = (x + mask).softmax(-1)
    torch.testing.assert_close(masked_softmax(x, mask), wanted)
    torch.testing.assert_close(masked_softmax(x, rows, dim=x.dim() - 1), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("mask", [torch.where(KEEP, 0.0, -1e9), KEEP, KEEP.int() * 3], ids=str)
def test_it_becomes_one_block_op_and_lowers(mask: Tensor) -> None:
    args = torch.randn(2, 3, 4, 5), mask[:, None, None]
    module = load_torch(Attention(), args)
    names = [op.name for op in module.walk()]
    assert names.count("qti_aisw.MaskedSoftmax") == 1
    assert "qti_aisw.Softmax" not in names
    feeds = {name: arg.numpy() for name, arg in zip(("x", "mask"), args, strict=True)}
    (result,) = Session(lower(module), check=True).run(feeds).values()
    np.testing.assert_allclose(result, Attention()(*args).numpy(), rtol=1e-5, atol=1e-7)


def test_gradients_flow_to_the_scores() -> None:
    x = torch.randn(2, 3, 4, 5, requires_grad=True)
    masked_softmax(x, KEEP[:, None, None])[..., 0].sum().backward()
    assert x.grad is not None
    assert bool((x.grad[0, ..., 2] == 0).all())
    assert bool((x.grad != 0).any())


def test_what_the_op_cannot_do_is_refused() -> None:
    x = torch.zeros(2, 5)
    with pytest.raises(HtpError, match=r"the mask holds -0.5, and MaskedSoftmax adds whole"):
        masked_softmax(x, torch.full((2, 5), -0.5))
    with pytest.raises(HtpError, match="dim is 0, not the last of 2"):
        masked_softmax(x, torch.zeros(2, 5), dim=0)
