"""Sizes in bytes: the spellings that are read, and those that are refused in two lines."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.faults.arguments import size_of
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.runtime.installed.environment import universe
from htp_mlir.runtime.tools.pipeline import passes_of

SIZES = {
    "65536": 65536,
    "512K": 512 << 10,
    "2M": 2 << 20,
    "2m": 2 << 20,
    "2MB": 2 << 20,
    "2MiB": 2 << 20,
    "1.5M": 3 << 19,
    "1G": 1 << 30,
}


@pytest.mark.parametrize("text", SIZES)
def test_a_size_is_read(text: str) -> None:
    assert size_of("here", "a size", text) == SIZES[text]
    assert passes_of(f"htp-lower{{tcm-bytes={text}}}") == (Lower(tcm_bytes=SIZES[text]),)


def test_a_number_is_a_size_as_it_is() -> None:
    assert size_of("here", "a size", 4096) == 4096


@pytest.mark.parametrize("text", ["", "M", "2X", "2 M M", "1.00001K", "2Mi", "-2M", "1e6", "nan"])
def test_nonsense_is_refused_in_two_lines(text: str) -> None:
    with pytest.raises(HtpError) as caught:
        size_of("here", "a size", text)
    first, remedy = str(caught.value).splitlines()
    assert first.rstrip() == f"here: a size is {text}".rstrip()
    assert "512K, 2M or 2MiB" in remedy


def test_less_than_no_bytes_is_refused() -> None:
    with pytest.raises(HtpError, match="here: a size is -4"):
        size_of("here", "a size", -4)


def test_every_pass_with_an_option_of_bytes_takes_a_size() -> None:
    passes = (make() for make in universe().all_passes.values())
    taking = [each.name for each in passes if hasattr(each, "tcm_bytes")]
    assert len(taking) >= 8
    for name in taking:
        assert passes_of(f"{name}{{tcm-bytes=2M}}")[0].spec().parameters["tcm_bytes"] == (2 << 20,)
