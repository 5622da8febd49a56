"""The cases of onnx's backend test suites, which come with the package onnx."""

import warnings
from collections.abc import Sequence
from pathlib import Path

from onnx.backend.test.loader import load_model_tests

from .case import Case
from .light import light_cases

_SHIPPED = ("node", "simple", "pytorch-converted", "pytorch-operator")
SUITES = (*_SHIPPED, "light")


def cases(suites: Sequence[str] = SUITES, part: str = "") -> list[Case]:
    """Return the cases of some suites whose names hold `part`, in the order of their names."""
    with warnings.catch_warnings():
        # The generators of a few node tests overflow on purpose.
        warnings.simplefilter("ignore")
        tests = [
            (suite, test)
            for suite in suites
            if suite in _SHIPPED
            for test in load_model_tests(kind=suite)
        ]
    listed = [
        Case(
            suite,
            test.name,
            test.rtol,
            test.atol,
            Path(test.model_dir) if test.model_dir else None,
            test.model,
            test.data_sets or (),
        )
        for suite, test in tests
        if part in test.name
    ]
    listed += light_cases(part) if "light" in suites else []
    return sorted(listed, key=lambda case: (suites.index(case.suite), case.name))
