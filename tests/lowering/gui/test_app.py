"""The app, used without a terminal: keys are pressed, and the screen is read."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from htp_mlir.lowering import HtpError, load_module
from htp_mlir.lowering.gui.app import Document, HtpApp, Opener, options_text
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.lowering.universe import PASSES
from htp_mlir.runtime import Session
from htp_mlir.runtime.installed.environment import installed, universe
from textual.pilot import Pilot
from textual.widgets import TextArea
from xdsl.utils.arg_spec import parse_pipeline

from ...support.paths import SPOTTER_MODEL
from ...support.roundtrip import parse
from ...support.tool_files import RELU

pytestmark = pytest.mark.needs("textual", "pyclip")

Use = Callable[[HtpApp, "Pilot[None]"], Awaitable[None]]


def using(use: Use, document: Document | None = None, path: str | None = None) -> None:
    """Open the app on a document or a file and use it."""

    async def run() -> None:
        opener = Opener(installed(), folder)
        shown = opener.open(path) if path else document or Document("")
        app = HtpApp(opener, shown)
        async with app.run_test(size=(160, 50)) as pilot:
            await settled(app, pilot)
            await use(app, pilot)

    with TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(run())


async def settled(app: HtpApp, pilot: Pilot[None]) -> None:
    """Wait until the passes ran after the last key."""
    await pilot.pause()
    while app.waiting is not None:
        await pilot.pause(0.02)
    await pilot.pause()


async def pick(app: HtpApp, pilot: Pilot[None], name: str) -> None:
    """Go to a pass in the tree and press Enter, as on the keyboard."""
    tree = app.passes_tree
    labels = [str(node.label) for node in tree.root.children]
    tree.focus()
    tree.cursor_line = 1 + labels.index(name)
    await pilot.press("enter")
    await pilot.pause()


def output(app: HtpApp) -> str:
    return app.output_text_area.text


@pytest.mark.slow
def test_typed_text_is_lowered_by_the_pass_that_is_picked() -> None:
    async def use(app: HtpApp, pilot: Pilot[None]) -> None:
        assert output(app) == "no input"
        app.input_text_area.focus()
        # What a terminal sends for a text that is pasted, then a key.
        app.input_text_area.insert(RELU.strip())
        await pilot.press("enter")
        await settled(app, pilot)
        assert "qti_aisw.Relu" in output(app)
        await pick(app, pilot, "htp-lower")
        await pilot.click("#enter_button")
        await settled(app, pilot)
        lowered = parse(output(app))
        x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
        np.testing.assert_array_equal(Session(lowered).run({"x": x})["y"], np.maximum(x, 0))
        assert "htp.Relu" in output(app)
        assert app.get_query_string() == "htp-opt input -p 'htp-lower'"

    using(use)


def test_keys_edit_the_text_and_errors_have_two_lines() -> None:
    async def use(app: HtpApp, pilot: Pilot[None]) -> None:
        app.input_text_area.focus()
        app.input_text_area.move_cursor((0, 0))
        await pilot.press("x")
        await settled(app, pilot)
        first, second, *_ = output(app).splitlines()
        assert first.startswith("input:1:1: ")
        assert second == "  did you mean 'func.func'?"
        await pilot.press("backspace")
        await settled(app, pilot)
        assert "qti_aisw.Relu" in output(app)

    using(use, Document(RELU.strip()))


@pytest.mark.slow
def test_an_error_of_a_pass_is_shown_and_the_pass_taken_back() -> None:
    async def use(app: HtpApp, pilot: Pilot[None]) -> None:
        await pick(app, pilot, "htp-check-level")
        app.screen.query_one("#argument_text_area", TextArea).text = "level=placed"
        await pilot.pause()
        await pilot.click("#enter_button")
        await settled(app, pilot)
        assert "does not belong to the placed level" in output(app)
        await pilot.click("#remove_last_pass_button")
        await settled(app, pilot)
        assert "qti_aisw.Relu" in output(app)

    using(use, Document(RELU))


@pytest.mark.slow
def test_a_model_is_opened_with_its_constants_as_handles() -> None:
    async def use(app: HtpApp, pilot: Pilot[None]) -> None:
        assert "dense_resource<constant_0>" in app.input_text_area.text
        assert "qti_aisw.Conv2d" in output(app)
        app.pass_pipeline = (Lower(),)
        await settled(app, pilot)
        assert "htp.ConvLayer_valid" in output(app)
        await pilot.click("#copy_output_button")
        module = parse(app.clipboard)
        inputs = {
            name: np.ones(spec.shape, spec.dtype.storage)
            for name, spec in Session(module).inputs.items()
        }
        want = Session(load_module(SPOTTER_MODEL)).run(inputs)
        got = Session(module).run(inputs)
        for name in want:
            np.testing.assert_allclose(got[name], want[name], atol=1e-4)

    using(use, path=str(SPOTTER_MODEL))


@pytest.mark.slow
def test_a_file_that_cannot_be_read_leaves_what_is_there(tmp_path: Path) -> None:
    async def use(app: HtpApp, pilot: Pilot[None]) -> None:
        (tmp_path / "cut.onnx").write_bytes(SPOTTER_MODEL.read_bytes()[:3000])
        app.show_file(str(tmp_path / "cut.onnx"))
        await settled(app, pilot)
        assert "is no ONNX model" in next(iter(app._notifications)).message
        assert app.input_text_area.text == RELU
        (tmp_path / "other.mlir").write_text(RELU.replace("Relu", "Tanh"))
        app.show_file(str(tmp_path / "other.mlir"))
        await settled(app, pilot)
        assert "Tanh" in output(app)

    using(use, Document(RELU))


@pytest.mark.slow
def test_condensed_lists_what_changes_the_module() -> None:
    async def use(app: HtpApp, pilot: Pilot[None]) -> None:
        await pilot.click("#condense_button")
        await settled(app, pilot)
        names = {str(each).partition("{")[0] for each in app.available_pass_list}
        assert "htp-lower" in names
        assert "htp-check-level" not in names

    using(use, Document(RELU))


def test_our_passes_come_first_and_none_is_missing() -> None:
    app = HtpApp(Opener(installed(), Path()), Document(""))
    names = [name for name, _ in app.all_passes]
    assert set(names[: len(PASSES.all_passes)]) == set(PASSES.all_passes)
    assert {"canonicalize", "cse"} < set(names)


def test_a_pass_that_cannot_be_imported_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise HtpError

    monkeypatch.setitem(universe().all_passes, "my-pass", broken)
    names = [name for name, _ in HtpApp(Opener(installed(), Path()), Document("")).all_passes]
    assert "my-pass" not in names
    assert "htp-lower" in names


@pytest.mark.parametrize("name", PASSES.all_passes)
def test_the_options_of_a_pass_can_be_run_as_they_are_shown(name: str) -> None:
    pass_type = PASSES.all_passes[name]()
    (spec,) = parse_pipeline(f"{name}{{{options_text(pass_type)}}}")
    again = pass_type.from_spec(spec)
    if not pass_type.required_fields():
        assert again == pass_type()
