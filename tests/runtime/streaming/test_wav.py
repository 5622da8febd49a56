"""Audio files of every width and form."""

import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime.streaming.run import wav_samples

STORED = {
    1: np.array([0, 127, 128, 255], "u1").tobytes(),
    2: np.array([-32768, -1, 0, 32767], "<i2").tobytes(),
    3: b"\x00\x00\x80\xff\xff\xff\x00\x00\x00\xff\xff\x7f",
    4: np.array([-(2**31), -1, 0, 2**31 - 1], "<i4").tobytes(),
}
"""The least sample, the one below 0 (in 8 bits: 127), 0 and the largest, by their bytes."""


def write(path: Path, width: int, data: bytes, channels: int = 1) -> str:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(8000)
        file.writeframes(data)
    return str(path)


@pytest.mark.parametrize("width", STORED)
def test_pcm_of_every_width(tmp_path: Path, width: int) -> None:
    path, top = write(tmp_path / "a.wav", width, STORED[width]), 2 ** (8 * width - 1)
    expected = np.array([-top, -1, 0, top - 1])
    with wav_samples(path, floats=False) as samples:
        assert samples.row == ()
        assert samples.read(9).tolist() == expected.tolist()
        assert samples.read(9).size == 0
    with wav_samples(path, floats=True) as samples:
        np.testing.assert_array_equal(samples.read(4), expected / top)


def test_channels_are_a_dim_of_a_sample(tmp_path: Path) -> None:
    path = write(tmp_path / "a.wav", 2, np.arange(6, dtype="<i2").tobytes(), channels=2)
    with wav_samples(path, floats=False) as samples:
        assert samples.row == (2,)
        assert samples.read(2).tolist() == [[0, 1], [2, 3]]
        assert samples.read(2).tolist() == [[4, 5]]


@pytest.mark.parametrize(("form", "subtype"), [("WAV", "FLOAT"), ("WAV", "DOUBLE"), ("WAVEX", "")])
def test_other_forms_are_read_by_soundfile(tmp_path: Path, form: str, subtype: str) -> None:
    path = str(tmp_path / "a.wav")
    audio = np.array([[0.5, -0.25], [1.5, -1], [0, 0.125]])[: 3 if subtype else 1]
    soundfile.write(path, audio, 8000, subtype=subtype or "PCM_24", format=form)
    with wav_samples(path, floats=True) as samples:
        assert samples.row == (2,)
        np.testing.assert_array_equal(samples.read(9), audio)


def test_without_soundfile_the_message_names_the_extra(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.wav"
    data = bytearray(Path(write(path, 4, bytes(8))).read_bytes())
    data[20] = 3
    path.write_bytes(data)
    monkeypatch.setitem(__import__("sys").modules, "soundfile", None)
    with (
        pytest.raises(HtpError, match=r"pip install 'htp-mlir\[audio\]'"),
        wav_samples(str(path), floats=True),
    ):
        pass


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "ends before its samples begin"),
        (b"RIFF", "ends before its samples begin"),
        (b"no audio at all, only text", "is no WAV file"),
        (None, "No such file"),
    ],
)
def test_files_that_are_no_audio_are_refused(tmp_path: Path, data, message: str) -> None:
    path = tmp_path / "a.wav"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(HtpError, match=message), wav_samples(str(path), floats=True):
        pass


def test_a_file_that_was_cut_gives_its_whole_samples(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "a.wav", 2, np.arange(6, dtype="<i2").tobytes(), channels=2))
    path.write_bytes(path.read_bytes()[:-3])
    with wav_samples(str(path), floats=False) as samples:
        assert samples.read(9).tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (4, 20, "ends before its samples begin"),
        (22, 0, "is no WAV file: bad # of channels"),
        (34, 40, "has samples of 40 bits, more than 32"),
    ],
    ids=["length", "channels", "width"],
)
def test_a_damaged_header_is_refused(tmp_path: Path, at: int, value: int, message: str) -> None:
    path = Path(write(tmp_path / "a.wav", 2, bytes(40)))
    data = bytearray(path.read_bytes())
    data[at] = value
    path.write_bytes(data)
    with pytest.raises(HtpError, match=message), wav_samples(str(path), floats=True):
        pass
