"""Close names for one that is not known."""

import pytest
from htp_mlir.dialects.diagnostics import did_you_mean, listed, proposals

OPS = (
    "htp.Or",
    "htp.Not",
    "htp.Relu",
    "htp.Prelu",
    "htp.Elu",
    "htp.Gelu",
    "htp.StateRead",
    "qti_aisw.Relu",
    "qti_aisw.Conv2d",
)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("htp.Rellu", "did you mean 'htp.Relu'?"),
        ("hpt.Relu", "did you mean 'htp.Relu'?"),
        ("HTP.RELU", "did you mean 'htp.Relu'?"),
        ("Conv2", "did you mean 'qti_aisw.Conv2d'?"),
        ("Relu", "did you mean 'qti_aisw.Relu' or 'htp.Relu'?"),
        ("htp.Softmax", "nothing is close"),
        ("t.op", "nothing is close"),
        ("test.Relu", "nothing is close"),
        ("", "nothing is close"),
        ("htp.Quartered", "nothing is close"),
        ("Nothing", "nothing is close"),
        ("htp.pRelu", "did you mean 'htp.Prelu'?"),
    ],
)
def test_the_closest_names_are_proposed(name: str, meant: str) -> None:
    assert did_you_mean(name, OPS, "nothing is close") == meant


def test_a_short_list_is_told_whole() -> None:
    assert listed("natve", ["graph", "native"]) == "did you mean 'native'? known are graph, native"
    assert listed("x", ["graph", "native"], "levels:") == "levels: graph, native"
    assert listed("x", []) == "known are none"


@pytest.mark.parametrize("names", [[], ["htp.Relu"], ["Relw", "Relu"]])
def test_proposals_are_read_back(names: list[str]) -> None:
    question = did_you_mean("Relv" if len(names) > 1 else "htp.Rleu", names, "give one")
    assert sorted(proposals(f"{question}; known are 'A'")) == sorted(names)
