"""What is written is the old file or the new one, whatever happens meanwhile."""

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.const import const
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.packages.skeleton import write_skeleton
from htp_mlir.lowering.sweep.cases import Lowering, Outcome, Row, Status
from htp_mlir.lowering.sweep.sweep import journal_at
from htp_mlir.runtime.files.arrays import read_npz, write_npz
from htp_mlir.runtime.files.atomic import write_bytes, write_files
from htp_mlir.runtime.files.safetensors import map_tensors
from htp_mlir.runtime.tools.loading import save_module
from htp_mlir.runtime.tools.tool import write_text
from xdsl.dialects.builtin import ModuleOp

ELEMENTS = 200_000


def arrays(path: Path, value: int) -> None:
    """Write a state whose numbers are all one."""
    write_npz(path, {"x": np.full(ELEMENTS, value)})


def text(path: Path, value: int) -> None:
    """Write a text of one character."""
    write_bytes(path, bytes([65 + value % 26]) * ELEMENTS)


def report(path: Path, value: int) -> None:
    """Write a report of one character."""
    write_text(path, chr(65 + value % 26) * ELEMENTS)


def resources(path: Path, value: int) -> None:
    """Write a text with its constants beside it."""
    spec = TensorSpec((ELEMENTS,), DType.Float32)
    # The last element differs, so that it is no splat.
    data = np.full(ELEMENTS, value, np.float32)
    data[-1] = -1
    save_module(ModuleOp([const(data, spec)]), path.with_suffix(".mlir"), resources=path)


def is_one_state(path: Path) -> bool:
    """Tell whether all numbers of a state are from one write."""
    return len(np.unique(read_npz(path)["x"])) == 1


def is_one_text(path: Path) -> bool:
    """Tell whether a text is from one write."""
    content = path.read_bytes()
    return len(content) == ELEMENTS and len(set(content)) == 1


def is_one_file_of_tensors(path: Path) -> bool:
    """Tell whether the tensors are from one write."""
    (tensor,) = map_tensors(path).tensors.values()
    return len(np.unique(np.frombuffer(tensor.data, np.float32)[:-1])) == 1


WRITERS: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], bool]]] = {
    "state": (arrays, is_one_state),
    "text": (text, is_one_text),
    "report": (report, is_one_text),
    "resources": (resources, is_one_file_of_tensors),
}


def write_for_ever(write: Callable[[Path, int], None], path: Path) -> None:
    """Write one value after the other."""
    value = 0
    while True:
        value += 1
        write(path, value)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_a_process_that_is_killed_leaves_a_whole_file(kind: str, tmp_path: Path) -> None:
    write, is_whole = WRITERS[kind]
    path, random = tmp_path / "file", Random(kind)
    write(path, 0)
    for _ in range(25):
        process = get_context("fork").Process(target=write_for_ever, args=(write, path))
        process.start()
        time.sleep(random.uniform(0.01, 0.06))
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        assert is_whole(path)


def rows_for_ever(path: Path) -> None:
    """Add one row after the other to a journal."""
    with journal_at(path) as journal:
        for value in count(1):
            case = Lowering(model="m.mlir", soc="SM8650", tcm_bytes=value)
            journal.add(Row(case, Outcome(Status.OK)))


@pytest.mark.slow
def test_a_killed_process_leaves_whole_rows_in_its_journal(tmp_path: Path) -> None:
    path, random, kept = tmp_path / "journal", Random("journal"), set[str]()
    for _ in range(10):
        process = get_context("fork").Process(target=rows_for_ever, args=(path,))
        process.start()
        time.sleep(random.uniform(0.01, 0.06))
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        with journal_at(path) as journal:
            assert kept <= set(journal.outcomes)
            kept = {*journal.outcomes}
    assert kept


@pytest.mark.slow
def test_a_journal_of_a_killed_process_has_all_but_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    outcome = b'{"status": "ok", "figures": {}, "problem": "", "remedy": "", "seconds": 0.5}'
    line = b'{"key": "a", "outcome": ' + outcome + b"}\n"
    for cut in range(len(line) + 1):
        path.write_bytes(line + line[:cut])
        with journal_at(path) as journal:
            assert set(journal.outcomes) == {"a"}
        assert path.read_bytes() in (line, 2 * line)


@contextmanager
def full_disk(nbytes: int) -> Iterator[None]:
    """A disk on which no file can be larger than this."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_full_disk_leaves_the_old_file_and_no_other(kind: str, tmp_path: Path) -> None:
    write, is_whole = WRITERS[kind]
    path = tmp_path / "file"
    write(path, 3)
    old, names = path.read_bytes(), sorted(tmp_path.iterdir())
    with full_disk(ELEMENTS // 2), pytest.raises(HtpError, match="File too large"):
        write(path, 4)
    assert path.read_bytes() == old
    assert is_whole(path)
    assert sorted(tmp_path.iterdir()) == names


def test_a_full_disk_names_the_journal_and_keeps_what_it_had(tmp_path: Path) -> None:
    path, row = (
        tmp_path / "journal",
        Row(Lowering(model="m.mlir", soc="SM8650", tcm_bytes=1), Outcome(Status.OK)),
    )
    with journal_at(path) as journal:
        journal.add(row)
    line = path.read_bytes()
    refused = pytest.raises(HtpError, match="journal: File too large\n  make room")
    with full_disk(len(line) + 8), refused, journal_at(path) as journal:
        journal.add(row)
    with journal_at(path) as journal:
        assert set(journal.outcomes) == {row.case.key}
    assert path.read_bytes() == line


def test_a_full_disk_leaves_no_part_of_a_new_package(tmp_path: Path) -> None:
    with full_disk(50), pytest.raises(HtpError, match=r"m\.mlir: File too large"):
        write_skeleton(tmp_path, {"package.py": "pass", "m.mlir": "x" * 100})
    assert [*tmp_path.iterdir()] == []


def test_of_several_files_none_changes_where_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(HtpError, match="No such file"):
        write_files({tmp_path / "a": [b"new"], tmp_path / "nowhere/b": [b"new"]})
    assert (tmp_path / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_that_takes_no_files_is_two_lines() -> None:
    # The kernel's own folder, which is closed to root, too.
    with pytest.raises(HtpError) as refused:
        write_bytes("/proc/file", b"new")
    assert len(refused.value.lines()) == 2


def test_two_processes_on_one_journal(tmp_path: Path) -> None:
    with journal_at(tmp_path / "journal"), pytest.raises(HtpError, match="another sweep"):
        journal_at(tmp_path / "journal").__enter__()


def test_a_clock_that_goes_back_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text(tmp_path / "file", 1)
    os.utime(tmp_path / "file", (2**32, 2**32))
    monkeypatch.setattr(time, "time", lambda: 0.0)
    text(tmp_path / "file", 2)
    assert (tmp_path / "file").read_bytes()[:1] == b"C"
