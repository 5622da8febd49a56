"""xDSL's InputApp with our parser, dialects, passes and frontends, and the file that it opens."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from io import StringIO
from pathlib import Path

import xdsl.interactive.add_arguments_screen
import xdsl.interactive.app
from numpy.typing import ArrayLike
from textual import on
from textual.timer import Timer
from textual.widgets import Button, TextArea, Tree
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.interactive.add_arguments_screen import AddArguments
from xdsl.interactive.app import InputApp
from xdsl.interactive.passes import AvailablePass, get_condensed_pass_list
from xdsl.passes import ModulePass

from ...dialects.attributes import RESOURCES
from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.text.printer import ModulePrinter, no_handles
from ...runtime.files.budget import read_text
from ...runtime.installed.environment import Environment, universe
from ...runtime.passes.run import Pipeline
from ...runtime.tools.errors import explain
from ...runtime.tools.loading import TEXT, Resources, load_module, parse_module, save_module

UNNAMED = "input"
"""The name of a text that is of no file, in errors."""


@dataclass(frozen=True)
class Document:
    """The text of a file and its name; `constants` is the file that its handles represent."""

    text: str
    name: str = UNNAMED
    constants: Path | None = None


@dataclass(frozen=True)
class Opener:
    """Opens files with the op packages, dims and constants of the command line.

    A model becomes text, with its large constants in a file of `folder`.
    """

    environment: Environment
    folder: Path
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    constants: Mapping[str, ArrayLike] = field(default_factory=dict[str, ArrayLike])
    fallback: bool = False

    def context(self) -> Context:
        """Make a context with the dialects of all packages."""
        return self.environment.context()

    def open(self, path: str) -> Document:
        """Open a text, also one that is not valid, or a model; HtpError where it cannot be read."""
        if Path(path).suffix == f".{TEXT}":
            return Document(read_text(path), path)
        if not Path(path).exists():
            raise fail(path, "no such file", CHECK_PATH)
        module = load_module(
            path,
            dims=self.dims,
            constants=self.constants,
            ctx=self.context(),
            fallback=self.fallback,
        )
        text = Path(self.folder, f"{Path(path).name}.mlir")
        constants = text.with_suffix(".safetensors")
        save_module(module, text, resources=constants)
        return Document(text.read_text(encoding="utf-8"), path, constants)

    def parse(self, text: str, document: Document) -> ModuleOp:
        """Parse a text that was opened as a document and edited since; HtpError for a bad one."""
        constants = document.constants if RESOURCES in text else None
        return parse_module(text, document.name, self.context(), constants)


class PassOptions(AddArguments):
    """xDSL's screen, with the options that have a plain default written out, to run or to edit."""

    CSS = "#argument_text_area { border-title-color: $text; border-subtitle-color: $text }"
    CSS_PATH = str(Path(xdsl.interactive.add_arguments_screen.__file__).with_suffix(".tcss"))

    def __init__(self, pass_type: type[ModulePass]) -> None:
        super().__init__(pass_type)
        self.argument_text_area.text = options_text(pass_type)
        names = (option.name.replace("_", "-") for option in fields(pass_type))
        self.argument_text_area.border_subtitle = f"{pass_type.name}: {', '.join(names)}"


def options_text(pass_type: type[ModulePass]) -> str:
    """Write the options of a pass with their defaults; those of no value are left out."""
    texts: list[str] = []
    for option in fields(pass_type):
        name = option.name.replace("_", "-")
        match option.default:
            case bool() as truth:
                texts.append(f"{name}={str(truth).lower()}")
            case int() | float() as number:
                texts.append(f"{name}={number}")
            case str() as word if word:
                texts.append(f'{name}="{word}"')
            case value if value is MISSING:
                texts.append(f'{name}=""')
            case _:
                pass
    return " ".join(texts)


Passes = tuple[AvailablePass, ...]
_OURS = ("htp-", "qti-", "convert-qti-")
"""Beginnings of the names of passes that are listed first."""
_DELAY = 0.2
"""Time from the last key to the run of the passes, in seconds."""

EXAMPLE = """\
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
"""


class HtpApp(InputApp):
    """Shows a module, the passes picked for it, and the module after them.

    Errors are the two lines of our tools. Large constants are handles in both texts.
    """

    TITLE = "htp gui"
    CSS_PATH = str(Path(xdsl.interactive.app.__file__).with_name("app.tcss"))
    # xDSL's titles are dark red, which nobody can read on dark paper.
    CSS = "#input_container, #output_container { border-title-color: $text }"

    def __init__(
        self, opener: Opener, document: Document, passes: tuple[ModulePass, ...] = ()
    ) -> None:
        super().__init__(
            tuple(universe().all_dialects.items()),
            tuple(_passes()),
            None,
            document.text,
            passes,
        )
        self.opener = opener
        self._document = document
        self.waiting: Timer | None = None
        self._condensed: tuple[ModuleOp | None, Passes] = (None, ())

    def on_ready(self) -> None:
        """Give the texts titles of our own, in place of those of xDSL's `on_mount`."""
        self.query_one("#input_container").border_title = self._document.name
        self.query_one("#output_container").border_title = "after the passes"

    @on(TextArea.Changed, "#input")
    def text_changed(self, event: TextArea.Changed) -> None:
        """Run the passes once nothing was typed for a moment."""
        event.prevent_default()
        if self.waiting is not None:
            self.waiting.stop()
        self.waiting = self.set_timer(_DELAY, self.update_current_module)

    def update_current_module(self) -> None:
        """Parse the text and run the passes; the output shows the module or the error."""
        self.waiting = None
        text = self.input_text_area.text
        self.update_input_operation_count_tuple(ModuleOp([]))
        if not text.strip():
            self.current_module = None
            return
        try:
            module = self.opener.parse(text, self._document)
            self.update_input_operation_count_tuple(module)
            Pipeline(self.pass_pipeline).apply(self.opener.context(), module)
            module.verify()
            self.current_module = module
        except Exception as error:
            self.current_module = explain(error)

    def watch_current_module(self) -> None:
        """Show the module; large constants as handles, which makes it quick."""
        match self.current_module:
            case ModuleOp() as module:
                text = _text(module, whole=False)
            case Exception() as error:
                text = str(error)
            case None:
                text = "no input"
        self.output_text_area.load_text(text)
        self.update_operation_count_diff_tuple()

    def compute_available_pass_list(self) -> Passes:
        """List the passes to pick, when condensed those that change the module."""
        module = self.current_module
        if not self.condense_mode:
            return tuple(AvailablePass(each) for _, each in self.all_passes)
        if not isinstance(module, ModuleOp):
            return ()
        if self._condensed[0] is not module:
            ctx = self.opener.context()
            self._condensed = module, get_condensed_pass_list(ctx, module, self.all_passes)
        return self._condensed[1]

    @on(Tree.NodeExpanded, "#passes_tree")
    def expand_tree_node(self, event: Tree.NodeExpanded[type[ModulePass] | ModulePass]) -> None:
        """List the same passes below a pass: xDSL's app would run it to find them."""
        event.prevent_default()
        self.expand_node(event.node, self.available_pass_list)

    def get_pass_arguments(
        self, selected_pass_value: type[ModulePass], root_to_child_pass_list: tuple[ModulePass, ...]
    ) -> None:
        """Ask for the options of a pass, and add it to the pipeline."""

        def add(chosen: ModulePass | None) -> None:
            if chosen is not None:
                self.pass_pipeline = (*self.pass_pipeline, *root_to_child_pass_list, chosen)

        self.push_screen(PassOptions(selected_pass_value), add)

    def get_query_string(self) -> str:
        """Return the command that does the same."""
        passes = ",".join(str(each.pipeline_pass_spec()) for each in self.pass_pipeline)
        return f"htp-opt {self._document.name} -p '{passes}'"

    @on(Button.Pressed, "#copy_query_button")
    def copy_query(self, event: Button.Pressed) -> None:
        """Copy the command through the terminal, which also works far away."""
        event.prevent_default()
        self.copy_to_clipboard(self.get_query_string())

    @on(Button.Pressed, "#copy_output_button")
    def copy_output(self, event: Button.Pressed) -> None:
        """Copy the output with all of its constants."""
        event.prevent_default()
        module, shown = self.current_module, self.output_text_area.text
        text = _text(module, whole=True) if isinstance(module, ModuleOp) else shown
        self.copy_to_clipboard(text)

    @on(Button.Pressed, "#load_file_button")
    def load_file(self, event: Button.Pressed) -> None:
        """Ask for a file of any format that a frontend reads."""
        event.prevent_default()
        self.push_screen("load_file", self.show_file)

    def show_file(self, path: str | None) -> None:
        """Open a file in place of what is there; an error leaves that, and is shown."""
        if path is None:
            return
        try:
            self._document = self.opener.open(path)
        except HtpError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.pass_pipeline = ()
        self.query_one("#input_container").border_title = self._document.name
        self.input_text_area.load_text(self._document.text)


def _passes() -> Iterator[tuple[str, type[ModulePass]]]:
    """Yield the passes of all distributions by name, ours first, without broken ones."""
    known = universe().all_passes
    for name in sorted(known, key=lambda name: (not name.startswith(_OURS), name)):
        # A run of htp-opt that asks for such a pass says what is wrong with it.
        with suppress(HtpError):
            yield name, known[name]()


def _text(module: ModuleOp, whole: bool) -> str:
    text = StringIO()
    handle_of = no_handles if whole else Resources.of(module).names.get
    ModulePrinter(text, handle_of=handle_of).print_op(module)
    return f"{text.getvalue()}\n"
