"""From a stream of probabilities to a list of detections."""

import numpy as np
from audio import Event, Label
from numpy.typing import NDArray

ON = 0.7
"""A chirp is reported when its probability reaches this ..."""
OFF = 0.3
"""... and the same kind may be reported again once its probability has fallen below this."""


def detections(
    probabilities: NDArray[np.float32], hop_s: float, *, hold: int = 3
) -> list[tuple[float, Label]]:
    """Times in seconds, ascending, at which a chirp was recognised, and its label.

    `probabilities` is [n, 3], one row per inference, a row every `hop_s` seconds. The probability
    must stay at ON or above for `hold` rows; the time is the end of the last of them.
    """
    rises = [
        ((step + 1) * hop_s, label)
        for label in (Label.RISING, Label.FALLING)
        for step in _onsets(probabilities[:, label], hold)
    ]
    return sorted(rises)


def score(
    events: list[Event], detected: list[tuple[float, Label]], *, slack_s: float = 0.3
) -> tuple[int, int]:
    """How many events were found, and how many detections are false.

    A detection that belongs to no event is false, and a second one for one event too.
    """
    hits = sum(any(belongs(one, event, slack_s=slack_s) for one in detected) for event in events)
    return hits, len(detected) - hits


def belongs(detection: tuple[float, Label], event: Event, *, slack_s: float = 0.3) -> bool:
    """Whether a detection has an event's label and comes after its start.

    It may come up to `slack_s` seconds after the end.
    """
    time, label = detection
    return label == event.label and event.start_s < time < event.end_s + slack_s


def _onsets(curve: NDArray[np.float32], hold: int) -> list[int]:
    """Steps at which the curve has been high for `hold` steps, once until it was low again."""
    steps: list[int] = []
    armed, high = True, 0
    for step, value in enumerate(curve):
        high = high + 1 if value >= ON else 0
        armed = armed or bool(value < OFF)
        if armed and high >= hold:
            steps.append(step)
            armed = False
    return steps
