"""Calibration: inner results get encodings whose range holds the values that a case computes.

Real models are calibrated: the result of a quantised op fits its encoding. A rewrite that drops an
inner result may drop its rounding too; but where an inner result saturates, the outputs before and
after cannot be compared.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ....dialects.dense import Array
from ....dialects.diagnostics import HtpError
from ....dialects.value import DType, Quant
from ....runtime.kernel.library import Library
from .build import Numbers
from .case import DrawnCase
from .drawing.constraint_system import IntVar
from .drawing.template import Slot, Source
from .run import Trial

_LEAST_SCALE, _MARGIN = 1e-3, 1.05
Encoding = tuple[IntVar, IntVar]


def calibrate(cases: Iterable[DrawnCase], library: Library | None) -> None:
    """Fit the encodings of cases that have quantised results before the root's.

    The outputs without rounding are kept in the case.
    """
    fitted = [case for case in cases if case.inner]
    if not fitted:
        return
    try:
        _fit(fitted, library)
    except HtpError:
        for case in fitted if len(fitted) > 1 else []:
            calibrate([case], library)


def _fit(cases: Sequence[DrawnCase], library: Library | None) -> None:
    trial = Trial(cases, Numbers.UNROUNDED)
    outputs = trial.run(library)
    for placed in trial.placed:
        case = placed.case
        case.exact_output = outputs[placed.results[case.root.results[0]]]
        for slots in _computed(case):
            # Further results of the root are outputs only where the case exposes them.
            if arrays := [outputs[placed.results[s]] for s in slots if s in placed.results]:
                quant = _encoding(arrays, case.specs[slots[0]].dtype)
                case.quants.update(dict.fromkeys(slots, quant))


def _computed(case: DrawnCase) -> list[list[Slot]]:
    """Group quantised results by encoding; encodings of inputs and constants are left out."""
    groups: dict[Encoding, list[Slot]] = {}
    for slot, spec in case.specs.items():
        if spec.quant is not None:
            groups.setdefault((slot.zero.root, slot.step.root), []).append(slot)
    return [slots for slots in groups.values() if all(s.source is Source.OP for s in slots)]


def _encoding(arrays: Sequence[Array], dtype: DType) -> Quant:
    """Return the encoding of a dtype that spans the values and 0."""
    values = np.concatenate([array.reshape(-1) for array in arrays]).astype(np.float64)
    finite = values[np.isfinite(values)]
    low = min(0.0, float(np.min(finite, initial=0.0)))
    high = max(0.0, float(np.max(finite, initial=0.0)))
    info = np.iinfo(dtype.storage.str)
    least, most = int(info.min), int(info.max)
    scale = max(_LEAST_SCALE, (high - low) * _MARGIN / (most - least))
    scale = float(f"{scale:.3g}")
    zero = min(max(round(least - low / scale), least), most)
    return Quant((scale,), (zero,))
