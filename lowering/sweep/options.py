"""The options of htp-lower that a sweep varies beside SoC and TCM size."""

from __future__ import annotations

from xdsl.utils.arg_spec import parse_pipeline

from ...dialects.diagnostics import fail
from ...runtime.passes.notation import plain
from ...runtime.tools.pipeline import make_pipeline
from ..passes.lower import Lower

_AXES = ("soc", "tcm_bytes", "level")
"""The options that are axes of their own, or that leave no plan to measure."""


def config_of(options: str) -> Lower:
    """Return htp-lower with options as its braces have them; HtpError for a bad or a taken one."""
    text = f"{Lower.name}{{{options}}}" if options.strip() else Lower.name
    (config,) = make_pipeline({Lower.name: lambda: Lower}, text).passes
    if not isinstance(config, Lower):
        raise TypeError(config)
    (spec,) = parse_pipeline(plain(text))
    for name in spec.parameters:
        if name.replace("-", "_") in _AXES:
            remedy = "use --soc and --tcm; a sweep measures the allocated level"
            raise fail(f"--options '{options}'", f"'{name}' is no option to vary here", remedy)
    return config
