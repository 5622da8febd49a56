"""The table of SoCs."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.soc import SOCS, Soc, soc


def test_what_a_soc_has() -> None:
    assert soc("SM8650") == Soc("SM8650", "V75", 8 << 20)
    assert soc("qcm6490").tcm_bytes == 2 << 20


def test_every_tcm_is_a_power_of_two_and_every_version_is_named() -> None:
    assert len(SOCS) == 20
    for entry in SOCS.values():
        assert entry.tcm_bytes.bit_count() == 1
        assert entry.arch.startswith("V")


def test_a_wrong_name_is_met_with_the_nearest_and_all_known() -> None:
    with pytest.raises(
        HtpError, match=r"soc 'SM8560': is not known\n  did you mean 'SM8\d50' .*\? known are"
    ):
        soc("SM8560")
    with pytest.raises(HtpError, match="known are QCM6490, QCS9100, SA"):
        soc("")
