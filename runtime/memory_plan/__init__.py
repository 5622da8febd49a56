"""Memory plans of the TCM: their file, and checks that share no code with the planner."""

from .against_ir import check_plan
from .plan import Plan, PlanRow, read_plan, verify, write_plan

__all__ = ["Plan", "PlanRow", "check_plan", "read_plan", "verify", "write_plan"]
