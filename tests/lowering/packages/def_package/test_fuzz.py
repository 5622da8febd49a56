"""The reader on damaged and on made-up texts: an error of a few lines or a list, never a crash."""

import os
from pathlib import Path
from random import Random

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages.cpp.text import MAX_BYTES
from htp_mlir.lowering.packages.def_package import CppPackage, load_cpp, write_cpp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..migrate.by_hand import FAST
from .mutations import damaged
from .texts import ALIASES, BIAS, POOL, SHORTHANDS

GROUPS = 4
FUZZ = int(os.environ.get("FUZZ_CASES", "600"))
"""Cases altogether; `make fuzz` runs 10,000."""
CASES = FUZZ * 3 // 4
"""Damaged packages; the rest are words in any order and bytes."""
TEXTS = (POOL, BIAS, SHORTHANDS, ALIASES, FAST)


def outcome(path: Path) -> tuple[CppPackage, str] | HtpError:
    """The package of a file and what the writer makes of it, or the clean error."""
    try:
        package, summary = load_cpp(path, name="Pkg")
        assert len(str(summary).splitlines()) >= len(summary.counts)
        return package, write_cpp(package)
    except HtpError as error:
        return error


def survives(folder: Path, text: str, header: str = SHORTHANDS) -> bool:
    """Load a text; what loads is written and read back. False for a clean error."""
    (folder / "shorthands.h").write_text(header, encoding="utf-8")
    path = folder / "package.cpp"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    ending = outcome(path)
    if isinstance(ending, HtpError):
        assert 2 <= len(ending.lines()) <= 12
        return False
    package, written = ending
    (folder / "written.cpp").write_text(written, encoding="utf-8")
    again, summary = load_cpp(folder / "written.cpp", name="Pkg")
    assert (again, summary.skipped) == (package, ())
    return True


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_damaged_packages(tmp_path: Path, group: int, capfd: pytest.CaptureFixture[str]) -> None:
    survived = 0
    seeds = range(group, CASES, GROUPS)
    for seed in seeds:
        random = Random(seed)
        text = damaged(random, random.choice(TEXTS))
        header = damaged(random, SHORTHANDS) if random.random() < 0.5 else SHORTHANDS
        survived += survives(tmp_path, text, header)
    assert survived > len(seeds) / 2
    assert capfd.readouterr() == ("", "")


WORDS = st.sampled_from(
    [
        *("DEF_OPT", "DEF_PACKAGE_OP", "DEF_TENSOR_PROPERTIES", "DEF_PACKAGE_PARAM_ORDER"),
        *("Op", "LET", "AND", "EQ", "SELECT", "AUTOSPLIT", "OpMultiOut", "WITH_SIZE", "OPCONST"),
        *('"A"', '"*"', '"I"', "OK", "LATE", "1", "2.5f", "3U", "-", "(", "(", ")", ")", ","),
        *("\n#define", "\n#if", "\n#endif\n", "x", "static", "=", "{", "}", ";", "template<", ">"),
    ]
)


@pytest.mark.slow
@settings(max_examples=FUZZ // 6, suppress_health_check=list(HealthCheck))
@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=60))
def test_words_in_any_order(tmp_path: Path, text: str) -> None:
    survives(tmp_path, text)


@settings(max_examples=FUZZ // 12, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200))
def test_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "package.cpp"
    path.write_bytes(data)
    ending = outcome(path)
    assert not isinstance(ending, HtpError) or len(ending.lines()) == 2


def test_much_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_bytes(Random(1).randbytes(10_000_000))
    with pytest.raises(HtpError, match="is larger than"):
        load_cpp(path)
    path.write_bytes(Random(1).randbytes(MAX_BYTES))
    with pytest.raises(HtpError, match="control character"):
        load_cpp(path)
