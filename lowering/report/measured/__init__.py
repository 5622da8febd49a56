"""A plan beside what a device counted."""

from .summary import Counters, MeasuredRun, read_measured
from .target import NodeBeside, PlanBeside, beside_device

__all__ = ["Counters", "MeasuredRun", "NodeBeside", "PlanBeside", "beside_device", "read_measured"]
