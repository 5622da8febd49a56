"""Models that make data."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .classifiers import Residual
from .entry import DYNAMO, SCRIPT, Entry, conv, floats, mlp


class Vae(nn.Module):
    """Mean and deviation of a code; the noise is an input."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = mlp(64, 32, 16), mlp(8, 32, 64)

    def forward(self, x: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_variance = self.encoder(x.flatten(1)).chunk(2, 1)
        code = mean + noise * torch.exp(0.5 * log_variance)
        loss = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum(1)
        return self.decoder(code).sigmoid().view_as(x), loss


class Quantised(nn.Module):
    """VQ-VAE: each place becomes the nearest entry of a code book."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.book = nn.Conv2d(3, 4, 4, 4), nn.Embedding(8, 4)
        self.decoder = nn.ConvTranspose2d(4, 3, 4, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        code = self.encoder(x).permute(0, 2, 3, 1)
        flat = code.reshape(-1, 4)
        book = self.book.weight
        apart = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ book.T + book.pow(2).sum(1)
        nearest = apart.argmin(1)
        chosen = self.book(nearest).view_as(code).permute(0, 3, 1, 2)
        return self.decoder(chosen), nearest.view(code.shape[:-1])


class Denoiser(nn.Module):
    """A diffusion step: sinusoids of the time, a FiLM of a residual block."""

    def __init__(self) -> None:
        super().__init__()
        self.time, self.stem = mlp(8, 16, 16, act=nn.SiLU), nn.Conv2d(3, 8, 3, padding=1)
        self.norm, self.body = nn.GroupNorm(2, 8), nn.Conv2d(8, 8, 3, padding=1)
        self.last = nn.Conv2d(8, 3, 3, padding=1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        rates = torch.exp(-torch.arange(4, dtype=torch.float32) * 2.3)
        angle = time[:, None].float() * rates[None]
        scale, shift = self.time(torch.cat([angle.sin(), angle.cos()], 1)).chunk(2, 1)
        y = self.stem(x)
        z = self.norm(y) * (1 + scale[..., None, None]) + shift[..., None, None]
        return self.last(y + self.body(functional.silu(z)))


class Coupling(nn.Module):
    """A normalising flow: half of the values scaled by the other half, then turned round."""

    def __init__(self) -> None:
        super().__init__()
        self.nets = nn.ModuleList(mlp(4, 16, 8, act=nn.Tanh) for _ in range(2))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        total = torch.zeros(x.shape[0])
        for net in self.nets:
            kept, moved = x[:, :4], x[:, 4:]
            scale, shift = net(kept).split(4, 1)
            moved = moved * scale.tanh().exp() + shift
            total = total + scale.tanh().sum(1)
            x = torch.cat([kept, moved], 1).flip(1)
        return x, total


class Field(nn.Module):
    """NeRF: colour and density of points, by sines of their coordinates."""

    def __init__(self) -> None:
        super().__init__()
        self.net = mlp(27, 16, 4)
        self.register_buffer("rates", 2.0 ** torch.arange(4))

    def forward(self, points: Tensor, deltas: Tensor) -> Tensor:
        angle = (points[..., None] * self.rates).flatten(-2)
        y = self.net(torch.cat([points, angle.sin(), angle.cos()], -1))
        alpha = 1 - torch.exp(-functional.softplus(y[..., 3]) * deltas)
        through = torch.exp(torch.cumsum(torch.log(1 - alpha + 1e-10), -1))
        through = torch.cat([torch.ones_like(through[..., :1]), through[..., :-1]], -1)
        return ((alpha * through)[..., None] * y[..., :3].sigmoid()).sum(-2)


def autoencoder() -> nn.Module:
    down = [nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 4, 3, 2, 1), nn.ReLU()]
    up = [nn.ConvTranspose2d(4, 8, 3, 2, 1, output_padding=1), nn.ReLU()]
    return nn.Sequential(
        *down, *up, nn.ConvTranspose2d(8, 1, 3, 2, 1, output_padding=1), nn.Sigmoid()
    )


def generator() -> nn.Module:
    layers = [nn.ConvTranspose2d(16, 8, 4), nn.BatchNorm2d(8), nn.ReLU()]
    layers += [nn.ConvTranspose2d(8, 4, 4, 2, 1), nn.BatchNorm2d(4), nn.LeakyReLU(0.2)]
    return nn.Sequential(nn.Unflatten(1, (16, 1, 1)), *layers, nn.ConvTranspose2d(4, 1, 4, 2, 1))


def translator() -> nn.Module:
    """An image translator: a residual block between strides."""
    up = nn.Upsample(scale_factor=2, mode="bicubic")
    return nn.Sequential(conv(3, 8, stride=2), Residual(conv(8, 8)), up, nn.Conv2d(8, 3, 1))


ENTRIES = [
    Entry("autoencoder", autoencoder, (floats(1, 1, 16, 16),), SCRIPT, 17),
    Entry("vae", Vae, (floats(1, 1, 8, 8), floats(1, 8)), DYNAMO, 20),
    Entry("gan_generator", generator, (floats(1, 16),), DYNAMO, 18),
    Entry("vq_vae", Quantised, (floats(1, 3, 16, 16),), SCRIPT, 17),
    Entry("denoiser", Denoiser, (floats(1, 3, 8, 8), torch.tensor([3])), DYNAMO, 23),
    Entry("flow", Coupling, (floats(2, 8),), SCRIPT, 20),
    Entry("radiance_field", Field, (floats(2, 6, 3), floats(2, 6).abs()), DYNAMO, 20),
    Entry("image_translator", translator, (floats(1, 3, 16, 16),), SCRIPT, 17),
]
