"""Cases of frames of signals, and of normalisation by the batch at hand."""

import numpy as np

from ..models import floats
from .case import IMAGE, LINE, case

STEP = np.array(3, np.int64)
WAVE = floats(2, 20, 1)

FRAMES = [
    case("STFT", WAVE, STEP, None, np.array(8, np.int64)),
    case("STFT", WAVE, STEP, floats(8), np.array(8, np.int64)),
    case("STFT", WAVE, STEP, floats(7)),
    case("STFT", floats(2, 20, 2), STEP, floats(8), onesided=0),
]

BATCH = [
    case("BatchNormalization", x, *(floats(3, seed=n) for n in (1, 2, 3)), squares, fixed=fixed)
    for squares in (floats(3) ** 2,)
    for x in (IMAGE, LINE)
    for fixed in (1, 5)
]

TRAINING = [
    case(
        *("BatchNormalization", x, floats(3), floats(3), floats(3), floats(3) ** 2),
        outputs=3,
        training_mode=1,
        momentum=0.75,
    )
    for x in (IMAGE, LINE)
]

SIGNALS = [*FRAMES, *BATCH, *TRAINING]
