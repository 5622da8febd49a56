"""Our passes and targets for any xDSL tool; each module is imported when it is asked for."""

from collections.abc import Callable
from importlib import import_module

from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

_PASSES = {
    "convert-qti-aisw-to-htp": ("graph.convert", "ConvertToHtp"),
    "htp-absorb-copies": ("placement.absorb_copies", "AbsorbCopies"),
    "htp-allocate": ("allocation.allocate", "Allocate"),
    "htp-assign-places": ("placement.assign_places", "AssignPlaces"),
    "htp-check-level": ("checks.check_level", "CheckLevel"),
    "htp-fold": ("fold", "Fold"),
    "htp-lower": ("lower", "Lower"),
    "htp-plan-tiles": ("tiling.plan_tiles", "PlanTiles"),
    "htp-realise-places": ("placement.assign_places", "RealisePlaces"),
    "htp-in-place": ("placement.in_place", "InPlace"),
    "htp-rules": ("graph.raise_ops", "RunRules"),
    "htp-schedule": ("allocation.schedule", "Schedule"),
    "htp-refetch": ("allocation.fetches", "Refetch"),
    "htp-prefetch": ("allocation.fetches", "Prefetch"),
    "htp-select-kernels": ("allocation.select_kernels", "SelectKernels"),
    "qti-check-backend": ("graph.check_backend", "CheckBackend"),
    "qti-equalize": ("graph.quantize", "Equalize"),
    "qti-fold-empty": ("graph.convert", "FoldEmpty"),
    "qti-halve": ("graph.floats", "Halve"),
    "qti-narrow": ("graph.floats", "Narrow"),
    "qti-raise": ("graph.raise_ops", "Raise"),
    "qti-quantize": ("graph.quantize", "Quantize"),
    "qti-raise-block-ops": ("graph.raise_ops", "RaiseBlockOps"),
    "qti-reduce-ranks": ("graph.convert", "ReduceRanks"),
    "qti-retype": ("graph.convert", "Retype"),
    "qti-take-encodings": ("graph.quantize", "TakeEncodings"),
    "qti-vendor-io": ("graph.convert", "VendorIo"),
}
"""Module and class of each pass, by the pass's name."""


def _loader(module: str, class_name: str) -> Callable[[], type[ModulePass]]:
    def load() -> type[ModulePass]:
        pass_class: type[ModulePass] = getattr(
            import_module(f"{__package__}.passes.{module}"), class_name
        )
        return pass_class

    return load


_TARGETS = {
    "cpp-package": ("packages.target", "CppPackageTarget"),
    "dot": ("report.graph.target", "DotTarget"),
    "irdl": ("interop.targets", "IrdlTarget"),
    "irdl-module": ("interop.targets", "IrdlModuleTarget"),
    "measured-report": ("report.measured.target", "MeasuredReport"),
    "memory-report": ("report.target", "MemoryReport"),
    "model-explorer": ("report.graph.target", "ModelExplorerTarget"),
    "onnx": ("interop.targets", "OnnxTarget"),
    "pdl": ("interop.targets", "PdlTarget"),
    "pdl-module": ("interop.targets", "PdlModuleTarget"),
    "report": ("report.run.page", "RunReport"),
    "stream-report": ("report.stream.target", "StreamReport"),
}
"""Module and class of each target, by the target's name."""


def _target(module: str, class_name: str) -> Callable[[], type[Target]]:
    def load() -> type[Target]:
        target: type[Target] = getattr(import_module(f"{__package__}.{module}"), class_name)
        return target

    return load


PASSES = Universe(
    all_passes={name: _loader(*place) for name, place in _PASSES.items()},
    all_targets={name: _target(*place) for name, place in _TARGETS.items()},
)
"""The entry point of group `xdsl.universe`."""
