"""Op packages: show one, move one to tensor properties, begin a new one or a plugin."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from ....dialects.diagnostics import HtpError, counted, fail
from ....runtime.tools.flags import package_settings
from ....runtime.tools.tool import write_text
from ...kernel_trials.kernel_check import REFERENCE, check_kernels
from ...kernel_trials.profile import profiles
from ...packages import OpPackage, Packages
from ...packages.compiled.build import BOUNDS, SANITIZE, user_compiler
from ...packages.compiled.hexagon import HexagonRunner, hexagon_compiler
from ...packages.compiled.kernels import LIMIT, BuiltPackage
from ...packages.def_package import CppPackage, Summary, write_cpp
from ...packages.def_package.loading import SUFFIXES, source_files
from ...packages.from_cpp import from_cpp, kernel_states
from ...packages.loading import (
    CppSettings,
    PackageSource,
    check_output,
    compiled_files,
    installed,
    load_package,
    load_packages,
    read_and_built,
    source_of,
)
from ...packages.migrate import migrate
from ...packages.migrate.report import report
from ...packages.packages import registered
from ...packages.skeleton import skeleton, write_skeleton
from ...packages.to_cpp import to_cpp
from ...plugins.skeleton import PASSES, RULES, plugin_skeleton


def show(arguments: Namespace) -> None:
    """Print what a package declares, and what was not read."""
    package, summary, built = _package(arguments, arguments.build)
    packages = Packages().extended(package)
    lines = [f"package {package.name}", *summary.lines()]
    if built and package.cpp is not None:
        states = kernel_states(package.cpp, built)
        lines += [f"kernel of {signature.op}: {state}" for signature, state in states]
        lines += [f"not built: {fault.line()}" for fault in built.faults]
    lines += [f"note: {name}" for name in packages.unknown_ops(package)]
    lines += [f"note: {line}" for line in (package.cpp.leftovers if package.cpp else ())]
    for op in package.ops:
        lines += ["", *registered(packages, op.name).lines()]
    write_text("-", "\n".join(lines) + "\n")


def migrate_package(arguments: Namespace) -> None:
    """Propose tensor properties in place of copies that rules place by hand."""
    if arguments.output:
        check_output(arguments.output, arguments.source)
    package, summary, _ = _package(arguments)
    migration = migrate(to_cpp(package))
    lines = report(migration, in_python=package.cpp is None)
    if arguments.output:
        write_text(arguments.output, write_cpp(migration.after))
    _print_notes(summary)
    write_text("-", "\n".join(lines) + "\n")


def build(arguments: Namespace) -> None:
    """Compile a C++ package, and say of each kernel whether it runs; HtpError where one does not.

    A function that is declared alone is not one: its body may be on the device.
    """
    sources = [source_of(text) for text in arguments.source]
    settings = replace(
        _settings(arguments, build=True),
        hexagon=_on_hexagon(arguments),
        options=_options(arguments),
    )
    if arguments.show_flags:
        compiler = (hexagon_compiler if _on_hexagon(arguments) else user_compiler)(settings.flags)
        files = compiled_files([Path(source.where) for source in sources])
        write_text("-", "".join(f"{compiler.command_line(file)}\n" for file in files))
    read, summary, built = _built(sources, settings)
    _print_notes(summary)
    lines = [f"{signature.op}: {state}" for signature, state in kernel_states(read, built)]
    write_text("-", "\n".join([*lines, f"library {built.library.path}"]) + "\n")
    if built.faults:
        raise HtpError(*built.faults)


def check(arguments: Namespace) -> None:
    """Run each kernel beside the reference of its op; HtpError where one differs or misbehaves."""
    settings = package_settings(arguments) | {
        "build": True,
        "options": (*_options(arguments), BOUNDS),
    }
    sources = _as_one(arguments)
    packages = load_packages(*sources, **settings)
    paths = [Path(each.where) for each in map(source_of, sources) if each.is_cpp]
    files = [file for path in paths for file in source_files(path)]
    others = None
    if any(REFERENCE in file.read_text("utf-8", "replace") for file in files):
        defines = [*arguments.defines, REFERENCE]
        others = load_packages(*sources, **settings | {"defines": defines})
    wrong = kernels = 0
    known = {member.name for member in installed()}
    for member in (member for member in packages if member.name not in known):
        for checked in check_kernels(
            packages,
            member.name,
            seed=arguments.seed,
            cases=arguments.cases,
            tolerance=arguments.tolerance,
            others=others,
        ):
            write_text("-", "\n".join(checked.lines()) + "\n")
            wrong, kernels = wrong + bool(checked.failures), kernels + bool(checked.cases)
    if wrong:
        problem = f"{wrong} of {counted(kernels, 'kernel')} {'is' if wrong == 1 else 'are'} wrong"
        raise fail("htp package check", problem, "see above; --cases and --seed draw others")
    good = f"{counted(kernels, 'kernel')} checked, none is wrong"
    write_text("-", f"{good if kernels else 'no kernel could be checked'}\n")


def profile(arguments: Namespace) -> None:
    """Count the packets of each kernel on Hexagon; HtpError where one gives other bits."""
    sources = [source_of(text) for text in arguments.source]
    level = f"-O{arguments.optimize}"
    limit = vars(arguments).get("kernel_limit", LIMIT)
    settings = replace(_settings(arguments, build=True), kernel_limit=limit, options=[level])
    near, summary, near_build = _built(sources, replace(settings, options=[level, BOUNDS]))
    far, _, built = _built(sources, replace(settings, hexagon=True))
    _print_notes(summary)
    if not isinstance(built.caller, HexagonRunner):
        raise TypeError("the program is not of Hexagon")
    here, there = from_cpp(near, built=near_build), from_cpp(far, built=built)
    first, second = (Packages().extended(each) for each in (here, there))
    wrong = kernels = 0
    for row in profiles(first, second, here.name, built.caller, arguments.seed):
        write_text("-", f"{row.line()}\n")
        wrong, kernels = wrong + (not row.near), kernels + (not row.obstacle)
    for fault in built.faults:
        write_text("-", f"not built: {fault.line()}\n")
    if wrong:
        problem = f"{wrong} of {counted(kernels, 'kernel')} gives other bits than on this machine"
        raise fail("htp package profile", problem, "see above; --seed draws others")
    write_text("-", "packets as QEMU executes them: no stalls, no caches, no HMX\n")


def _print_notes(summary: Summary) -> None:
    for line in summary.complaints():
        print(f"note: {line}", file=sys.stderr)


def _built(
    sources: Sequence[PackageSource], settings: CppSettings
) -> tuple[CppPackage, Summary, BuiltPackage]:
    """Read and build a package; HtpError where it has no file that a compiler takes."""
    read, summary, built = _read(sources, settings)
    if built is None:
        raise fail(str(sources[0]), "has no C++ to compile", f"name {' or '.join(SUFFIXES)} files")
    return read, summary, built


def _on_hexagon(arguments: Namespace) -> bool:
    return bool(arguments.machine == "hexagon")


def _options(arguments: Namespace) -> tuple[str, ...]:
    """Return the options of the compiler that the flags ask for."""
    if arguments.sanitize and _on_hexagon(arguments):
        raise fail("--sanitize", "there are no sanitizers for Hexagon", "leave out one of the two")
    sanitize = SANITIZE if arguments.sanitize else ()
    return (f"-O{arguments.optimize}", *["-g"] * arguments.debug_info, *sanitize)


def new(arguments: Namespace) -> None:
    """Write a package or a plugin to begin with."""
    asked = [flag for flag in ("op", "passes", "rules") if getattr(arguments, flag)]
    if len(asked) != 1:
        problem = "begins two things" if asked else "names no op, pass or rule"
        raise fail("htp package new", problem, "give one of --op, --pass and --rule")
    plugins = {PASSES: arguments.passes, RULES: arguments.rules}
    word = arguments.name.replace("-", "_")
    # Modules have their names in small letters.
    if word.isidentifier() and any(map(find_spec, (word, word.lower()))):
        problem = "a Python package of this name is there, which it would hide"
        raise fail(f"package '{arguments.name}'", problem, "take another name")
    kind = next((kind for kind, members in plugins.items() if members), None)
    if kind is None:
        files = skeleton(arguments.name, arguments.op, arguments.cpp)
    elif arguments.cpp:
        raise fail("--cpp", f"a {kind.word} is written in Python here", "leave it out")
    else:
        files = plugin_skeleton(kind, arguments.name, plugins[kind])
    written = write_skeleton(Path(arguments.output or arguments.name), files)
    write_text("-", "".join(f"{path}\n" for path in written))


def _package(
    arguments: Namespace, build: bool = False
) -> tuple[OpPackage, Summary, BuiltPackage | None]:
    """Return the one package that the sources are, how reading it went, and its build if asked."""
    sources = [source_of(text) for text in arguments.source]
    if all(source.is_cpp for source in sources):
        read, summary, built = _read(sources, _settings(arguments, build))
        package = from_cpp(read, built=built)
        skipped = package.cpp.passed_over if package.cpp else summary.skipped
        return package, replace(summary, skipped=skipped), built
    if len(sources) > 1:
        raise fail("htp package", f"{len(sources)} sources are no single package", "name one")
    package = load_package(str(sources[0]))
    return package, Summary(tuple(_counts(package))), None


def _as_one(arguments: Namespace) -> list[str]:
    """Give several C++ sources the name of the one package that they are."""
    sources = [source_of(text) for text in arguments.source]
    if len(sources) == 1 or not all(source.is_cpp for source in sources):
        return list(arguments.source)
    read, _, _ = _read(sources, _settings(arguments))
    return [f"{read.name}={source.where}" for source in sources]


def _settings(arguments: Namespace, build: bool = False) -> CppSettings:
    return CppSettings(list(map(Path, arguments.include)), arguments.defines, build)


def _read(
    sources: Sequence[PackageSource], settings: CppSettings
) -> tuple[CppPackage, Summary, BuiltPackage | None]:
    names = dict.fromkeys(source.name for source in sources if source.name is not None)
    if len(names) > 1:
        raise fail("htp package", f"two names are given: {', '.join(names)}", "give one of them")
    paths = [Path(source.where) for source in sources]
    return read_and_built(paths, next(iter(names), None), settings)


def _counts(package: OpPackage) -> Iterator[tuple[str, int]]:
    yield "ops", len(package.ops)
    yield "rules", len(package.rules)
    yield "kernels", len(package.kernels)
    yield "tensor properties", len(package.properties)
    yield "param orders", len(package.param_orders)
    yield "axis params", len(package.axis_params)
    yield "conversions", len(package.conversions)
    yield "ONNX importers", len(package.importers)
    yield "PyTorch conversions", len(package.torch_conversions)
