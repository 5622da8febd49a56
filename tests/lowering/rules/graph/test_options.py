"""Graph options: named numbers that steer rules."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.rules import GraphOptions


def test_size_for_tiling_is_half_of_the_tcm_unless_given() -> None:
    assert GraphOptions(tcm_size=100).value("tcm_size_for_tiling") == 50
    assert GraphOptions(tcm_size=100, tcm_size_for_tiling=70).value("tcm_size_for_tiling") == 70


def test_options_by_name() -> None:
    options = GraphOptions(extra={"chunk": 3, "mode": "yes"})
    assert options.values()["chunk"] == 3
    assert options.values()["mode"] == 1
    assert options.is_on("chunk")
    assert not options.is_on("relaxed_precision_flag")
    assert not options.is_on("nobody")
    with pytest.raises(HtpError, match="graph option 'extra': unknown"):
        options.value("extra")


@pytest.mark.parametrize("name", ["tile_height", "autothread_hvx_ntiles", "autothread_hmx_ntiles"])
def test_option_that_must_be_positive(name: str) -> None:
    with pytest.raises(HtpError, match=f"graph option {name}: 0 is not >= 1"):
        GraphOptions(**{name: 0})
