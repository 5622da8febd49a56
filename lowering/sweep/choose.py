"""The cases that axes span: models, SoCs, TCM sizes and options; rules and seeds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypeVar

from xdsl.utils.arg_spec import parse_pipeline

from ...dialects.diagnostics import CHECK_PATH, fail
from ...dialects.faults.arguments import MANY, PATH, SIZE, WHOLE, a, arguments, many, size_of
from ...runtime.passes.notation import plain
from ...runtime.tools.pipeline import make_pipeline
from ..packages.loading import load_packages, source_of
from ..passes.lower import Lower
from ..rules.definition.rule import Rule
from ..soc import check_tcm_options, soc
from .cases import Case, Lowering, RuleCheck

C = TypeVar("C", bound=Case)

_RULES = many(a("a rule", Rule))
_LISTS = dict.fromkeys(("socs", "options", "dims", "constants", "packages", "include"), MANY)


@arguments(models=many(PATH), tcm_bytes=many(SIZE), **_LISTS)
def lowerings(
    models: Iterable[str | Path],
    *,
    socs: Sequence[str] = ("SM8650",),
    tcm_bytes: Sequence[int | str] = (),
    options: Sequence[str] = ("",),
    dims: Sequence[str] = (),
    constants: Sequence[str] = (),
    packages: Sequence[str] = (),
    include: Sequence[str] = (),
) -> list[Lowering]:
    """List the lowerings of each model for each SoC, TCM size and options, in this order.

    Without `tcm_bytes` each SoC has the size of its own. `options` are texts such as
    `tiling=false`, as the braces of htp-lower take them. HtpError for an unknown SoC, a bad option
    or size, and a file that is missing.
    """
    for text in options:
        config_of(text)
    sizes = [size_of("lowerings", "argument 'tcm_bytes'", size) for size in tcm_bytes]
    for size in sizes:
        check_tcm_options("--tcm", size)
    named = packages_by_path(packages)
    cases: list[Lowering] = []
    for model, chip in product(map(str, models), map(soc, socs)):
        if not Path(model).is_file():
            raise fail(model, "no such file", CHECK_PATH)
        for size, text in product(sizes or (chip.tcm_bytes,), options):
            case = Lowering(
                model=model,
                soc=chip.name,
                tcm_bytes=size,
                options=text,
                dims=tuple(dims),
                constants=tuple(constants),
                packages=named,
                include=tuple(include),
            )
            cases.append(case)
    return _with_digests(cases)


@arguments(rules=_RULES, seeds=many(WHOLE), cases=WHOLE, packages=MANY, include=MANY)
def rule_checks(
    rules: Iterable[Rule] | None = None,
    *,
    seeds: Iterable[int] = (0,),
    cases: int = 50,
    packages: Sequence[str] = (),
    include: Sequence[str] = (),
) -> list[RuleCheck]:
    """List the checks of each rule with each seed, on `cases` graphs each.

    The rules are those of `packages` and the installed ones, by default all. HtpError where a
    package cannot be loaded.
    """
    chosen = load_packages(*packages, include=include).rules if rules is None else rules
    named, folders, numbers = packages_by_path(packages), tuple(include), tuple(seeds)
    checks: list[RuleCheck] = []
    for rule, seed in product(chosen, numbers):
        # Two folders and the line: the rest of the path differs from machine to machine.
        place = "/".join(rule.place.rsplit("/", 2)[-2:])
        check = RuleCheck(
            rule=f"{rule.name} ({place})",
            name=rule.name,
            place=place,
            definition=str(rule),
            seed=seed,
            cases=cases,
            packages=named,
            include=folders,
        )
        checks.append(check)
    return _with_digests(checks)


def packages_by_path(sources: Sequence[str]) -> tuple[str, ...]:
    """Name packages in files by their absolute paths, so that other processes read the same."""
    named: list[str] = []
    for source in map(source_of, sources):
        path = Path(source.where)
        where = str(path.resolve()) if path.exists() else source.where
        named.append(where if source.name is None else f"{source.name}={where}")
    return tuple(named)


def _with_digests(cases: Sequence[C]) -> list[C]:
    """Note on cases the folder and the files as they are now; files of several are read once."""
    folder = str(Path.cwd())
    placed = [replace(case, folder=folder) for case in cases]
    digests = {case.files: case for case in placed}
    known = {files: case.digest_of_files() for files, case in digests.items()}
    return [replace(case, digest=known[case.files]) for case in placed]


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
