"""Files of tensors: what is written comes back, what is damaged is told."""

import json
from mmap import mmap
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime.files.atomic import write_files
from htp_mlir.runtime.files.safetensors import StoredTensor, digest_of, encode, map_tensors

TENSORS = {
    "small": StoredTensor("U8", (3,), b"\x01\x02\x03"),
    "wide": StoredTensor("F32", (1, 2), bytes(range(8))),
    "none": StoredTensor("I64", (0, 4), b""),
}


def written(path: Path, tensors: dict[str, StoredTensor]) -> bytes:
    write_files({path: encode(tensors)})
    return path.read_bytes()


def with_header(header: str, data: bytes = b"") -> bytes:
    return len(header).to_bytes(8, "little") + header.encode() + data


def entry(dtype: object = "U8", shape: object = (2,), offsets: object = (0, 2)) -> str:
    return json.dumps({"dtype": dtype, "shape": shape, "data_offsets": offsets})


def test_tensors_come_back_without_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    content = written(path, TENSORS)
    file = map_tensors(path)
    assert {name: (t.dtype, t.shape, bytes(t.data)) for name, t in file.tensors.items()} == {
        name: (t.dtype, t.shape, t.data) for name, t in TENSORS.items()
    }
    assert all(isinstance(memoryview(t.data).obj, mmap) for t in file.tensors.values())
    assert file.digest == digest_of([content])


def test_each_tensor_lies_at_a_multiple_of_its_element(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    content = written(path, TENSORS)
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert (8 + length) % 64 == 0
    assert header["wide"]["data_offsets"] == [0, 8]
    assert header["small"]["data_offsets"] == [8, 11]
    assert len(content) == 8 + length + 11


def test_a_header_with_remarks_is_read(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(with_header(f'{{"__metadata__": {{"by": "us"}}, "a": {entry()}}}', b"xy"))
    assert bytes(map_tensors(path).tensors["a"].data) == b"xy"


@pytest.mark.parametrize("size", [0, 5, 30, -1])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(written(path, TENSORS)[:size])
    with pytest.raises(HtpError, match="is cut off: it has"):
        map_tensors(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (with_header(f'{{"a": {entry()}, "a": {entry()}}}', b"xy"), "names 'a' twice"),
        (with_header("[]"), "no safetensors file"),
        (with_header('{"a": 1}'), "no safetensors file"),
        (with_header("{"), "no safetensors file"),
        (with_header(f'{{"a": {entry(dtype="F8")}}}', b"xy"), "no safetensors file"),
        (with_header(f'{{"a": {entry(shape=(3,))}}}', b"xyz"), "no safetensors file"),
        (with_header(f'{{"a": {entry(offsets=(-2, 0))}}}', b"xy"), "no safetensors file"),
        (with_header(f'{{"a": {entry(offsets=(0.0, 2.0))}}}', b"xy"), "no safetensors file"),
        (b"func.func @main() { func.return }", "is cut off"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(content)
    with pytest.raises(HtpError, match=message):
        map_tensors(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match=r"gone\.safetensors: No such file"):
        map_tensors(tmp_path / "gone.safetensors")


def test_of_several_files_all_are_written_or_none(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_bytes(b"as it was")
    with pytest.raises(HtpError, match="absent"):
        write_files({kept: [b"new"], tmp_path / "absent" / "file": [b"new"]})
    assert kept.read_bytes() == b"as it was"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
