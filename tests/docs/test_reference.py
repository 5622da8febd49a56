"""The pages under docs/reference say what the code says."""

import re
from types import ModuleType

import pytest
from htp_mlir.dialects.htp.ops.state import StateReadOp
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering import rules
from htp_mlir.lowering.rules.tree.function import Function


@pytest.mark.slow
def test_pages_are_what_the_generator_writes(generator: ModuleType) -> None:
    stored = {path.name: path.read_text(encoding="utf-8") for path in generator.FOLDER.iterdir()}
    assert stored.keys() == generator.PAGES.keys()
    names = stored.keys() - {generator.TORCH_PAGE}
    stale = [name for name in names if stored[name] != generator.page(name)]
    assert not stale, "run: python docs/generate_reference.py"


@pytest.mark.slow
@pytest.mark.needs("torch")
def test_the_page_of_pytorch_is_what_the_generator_writes(generator: ModuleType) -> None:
    name = generator.TORCH_PAGE
    stored = (generator.FOLDER / name).read_text(encoding="utf-8")
    assert stored == generator.page(name), "run: python docs/generate_reference.py"


def test_docstring_is_split_into_its_parts(generator: ModuleType) -> None:
    parts = generator.documented(StateReadOp)
    assert parts.paragraphs[0].startswith("The state's value; `init`")
    assert [rule[:4] for rule in parts.constraints] == ["(C1)", "(C2)", "(C3)"]
    assert parts.example.startswith("%v = htp.StateRead @h, %init, %reset\n  : tensor<1x1x2x4xf32>")


def test_docstring_without_an_example_is_an_error(generator: ModuleType) -> None:
    class Bare(GRAPH_OPS["Relu"]):
        """out = max(inp, 0)."""

    with pytest.raises(ValueError, match=r"qti_aisw\.Relu: the docstring has no"):
        generator.documented(Bare)


@pytest.mark.slow
def test_params_show_their_defaults(generator: ModuleType) -> None:
    page = generator.page("qti_aisw.md")
    assert "- params: `filter_size` (list of ints); `stride` = 1, 1;" in page
    assert "`clip` (float, optional)" in page


@pytest.mark.slow
def test_every_function_of_the_rule_language_has_a_line_and_an_example(
    generator: ModuleType,
) -> None:
    page = generator.page("rules.md")
    functions = [name for name, value in vars(rules).items() if isinstance(value, Function)]
    assert len(functions) > 90
    for name in functions:
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        meaning, example = row.strip("| ").split(" | ")[-2:]
        assert meaning.endswith("."), name
        assert name in example, name


def test_examples_of_the_rule_language_are_well_typed() -> None:
    public = {
        name: value for name, value in vars(rules).items() if not isinstance(value, ModuleType)
    }
    for name, value in public.items():
        text = value.doc if isinstance(value, Function) else value.__doc__ or ""
        match = re.search(r"Example:\s*`([^`]+)`", text)
        if match is not None and "module" not in match[1]:
            assert eval(match[1], dict(vars(rules))) is not None, name
