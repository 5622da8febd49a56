"""Frames of samples, with every hop, against numpy's windows."""

import numpy as np
import pytest
from htp_mlir.runtime.streaming.run import ArraySamples, Frames, RawSamples

SAMPLES = np.arange(11 * 2).reshape(11, 2)


@pytest.mark.one_per("hop")
@pytest.mark.parametrize("size", [1, 3, 4, 11])
@pytest.mark.parametrize("hop", [1, 2, 3, 4, 5, 9])
def test_frames_are_the_windows_at_every_hop(size: int, hop: int) -> None:
    windows = np.lib.stride_tricks.sliding_window_view(SAMPLES, size, axis=0)[::hop]
    frames = Frames(ArraySamples(SAMPLES), size, hop)
    np.testing.assert_array_equal(list(frames), windows.transpose(0, 2, 1))
    used = (len(windows) - 1) * hop + size
    assert frames.left == max(len(SAMPLES) - max(used, len(windows) * hop), 0)


def test_too_few_samples_make_no_frame() -> None:
    frames = Frames(ArraySamples(SAMPLES), 12, 1)
    assert list(frames) == []
    assert frames.left == 11


class Slow:
    """A source that notes how far it was read."""

    row = ()

    def __init__(self) -> None:
        self.at = 0

    def read(self, count: int) -> np.ndarray:
        self.at += count
        return np.arange(self.at - count, self.at)


@pytest.mark.parametrize("hop", [1, 3, 5])
def test_a_frame_is_there_as_soon_as_its_last_sample_is(hop: int) -> None:
    samples = Slow()
    for step, frame in enumerate(Frames(samples, 3, hop)):
        assert frame[-1] == samples.at - 1 == step * hop + 2
        if step == 3:
            break


def test_numbers_of_a_pipe_end_with_the_last_whole_sample(tmp_path) -> None:
    (tmp_path / "raw").write_bytes(np.arange(5, dtype="<i2").tobytes() + b"\x01")
    with (tmp_path / "raw").open("rb") as stream:
        samples = RawSamples(stream, np.dtype("<i2"), (2,))
        assert samples.read(1).tolist() == [[0, 1]]
        assert samples.read(9).tolist() == [[2, 3]]
        assert samples.read(1).shape == (0, 2)
