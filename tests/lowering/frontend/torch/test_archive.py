"""Crafted .pt2 files: nothing in them is executed, and what would be is refused in two lines."""

import io
import json
import logging
import pickle
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from htp_mlir.lowering.frontend.torch.archive import load_program
from htp_mlir.lowering.frontend.torch.programs.translation import quiet
from htp_mlir.lowering.tools.htp_opt import main as htp_opt
from torch import Tensor, nn
from torch.export import Dim, export, save

WARNINGS = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
pytestmark = [WARNINGS, pytest.mark.needs("torch")]

Files = dict[str, bytes]
MODEL, WEIGHTS = "m/models/model.json", "m/data/weights/model_weights_config.json"


class Sizes(nn.Module):
    """Sizes that are formulas, a weight, a buffer and a constant."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.register_buffer("shift", torch.ones(3), persistent=False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        rows = self.layer(x) + self.shift + torch.tensor([1.0, 2, 3])
        return rows, torch.outer(x[:, 0], x[:, 1]).reshape(x.shape[0] ** 2)


class Touch:
    """A pickle that makes a file when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("touched"),)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """The members of a file of torch.export.save."""
    monkeypatch.chdir(tmp_path)
    save(export(Sizes(), (torch.ones(2, 3),), dynamic_shapes={"x": {0: Dim("rows")}}), "m.pt2")
    with zipfile.ZipFile("m.pt2") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(files: Files) -> list[str]:
    with zipfile.ZipFile("m.pt2", "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return ["m.pt2", "--dim", "x:0=2", "-o", "m.mlir"]


def pickled() -> bytes:
    torch.save(Touch(), data := io.BytesIO())
    return data.getvalue()


def edited(files: Files, name: str, edit: Callable[[Any], object]) -> None:
    content = json.loads(files[name])
    edit(content)
    files[name] = json.dumps(content).encode()


def test_sample_inputs_are_not_read(files: Files) -> None:
    files["m/data/sample_inputs/model.pt"] = pickled()
    outcome = htp_opt.run(written(files))
    assert outcome.status == 0, outcome.err
    assert not Path("touched").exists()
    pickle.loads(pickle.dumps(Touch()))
    assert Path("touched").exists(), "the pickle does what it is said to do"


def unpickle_weight(files: Files) -> None:
    files["m/data/weights/weight_0"] = pickled()
    edited(files, WEIGHTS, lambda c: c["config"]["layer.weight"].update(use_pickle=True))


def legacy_weights(files: Files) -> None:
    files["m/data/weights/model.pt"] = pickled()


def unpickle_object(files: Files) -> None:
    config = "m/data/constants/model_constants_config.json"
    files["m/data/constants/opaque_obj_0"] = pickle.dumps(Touch())
    payload = {"path_name": "opaque_obj_0", "is_param": False, "use_pickle": True}
    edited(files, config, lambda c: c["config"].update(own={**payload, "tensor_meta": None}))


def call_function(files: Files) -> None:
    def edit(model: Any) -> None:
        model["graph_module"]["graph"]["nodes"][0]["target"] = "torch.os.system"

    edited(files, MODEL, edit)


def evaluate(size: str) -> Callable[[Files], None]:
    def craft(files: Files) -> None:
        text = files[MODEL].decode()
        old = "Symbol('s77', positive=True, integer=True)"
        assert old in text
        files[MODEL] = text.replace(old, size, 1).encode()

    return craft


CRAFTED = {
    "a pickled weight": (unpickle_weight, "'layer.weight' is a pickle, which can execute code"),
    "weights of old": (legacy_weights, "'data/weights/model.pt' is a pickle"),
    "a pickled object": (unpickle_object, "'own' is a pickle, which can execute code"),
    "a function": (call_function, "calls 'torch.os.system', which is no op"),
    "code": (evaluate("open('touched', 'w')"), "has the size 'open("),
    "a name": (evaluate("exit()"), "has the size 'exit()'"),
    "a power": (evaluate("9**9**9"), "has the size '9**9**9', which is no formula"),
}


@pytest.mark.one_per
@pytest.mark.parametrize("case", CRAFTED)
def test_what_would_be_executed_is_refused(files: Files, case: str) -> None:
    craft, message = CRAFTED[case]
    craft(files)
    outcome = htp_opt.run(written(files))
    assert outcome.status == 1
    assert f"m.pt2: {message}" in outcome.err
    assert len(outcome.err.splitlines()) == 2
    assert not Path("touched").exists()


def test_members_that_unpack_to_more_are_held_to_the_budget(files: Files) -> None:
    argv = written(files)
    with zipfile.ZipFile("m.pt2", "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m/more", bytes(1 << 20))
    outcome = htp_opt.run([*argv, "--limit", "input-bytes=500000"])
    assert "m.pt2: takes 10" in outcome.err
    assert (outcome.status, len(outcome.err.splitlines())) == (1, 2)


def test_elements_that_share_bytes_are_held_to_the_budget(files: Files) -> None:
    def stretch(weights: Any) -> None:
        size, stride = ({"as_int": 1000}, {"as_int": 1000}), ({"as_int": 0}, {"as_int": 0})
        weights["config"]["layer.weight"]["tensor_meta"].update(sizes=size, strides=stride)

    edited(files, WEIGHTS, stretch)
    outcome = htp_opt.run([*written(files), "--limit", "input-bytes=3000000"])
    assert "m.pt2: takes 3999964 bytes when it is read" in outcome.err
    assert (outcome.status, len(outcome.err.splitlines())) == (1, 2)


@pytest.mark.slow
def test_damaged_programs_are_refused_or_load(files: Files) -> None:
    for seed in range(40):
        generator = random.Random(seed)
        data = bytearray(files[MODEL])
        for _ in range(generator.randrange(1, 5)):
            place = generator.randrange(len(data))
            data[place : place + generator.randrange(9)] = generator.randbytes(
                generator.randrange(3)
            )
        argv = written({**files, MODEL: bytes(data)})
        outcome = htp_opt.run(argv)
        assert outcome.status in (0, 1), seed
        assert "internal error" not in outcome.err, seed


def test_a_program_has_no_example_inputs(files: Files) -> None:
    written(files)
    assert load_program("m.pt2").example_inputs is None


def test_shapes_that_do_not_fit_are_two_lines(
    files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    def narrow(weights: Any) -> None:
        weights["config"]["layer.bias"]["tensor_meta"]["sizes"] = [{"as_int": 2}]

    edited(files, WEIGHTS, narrow)
    outcome = htp_opt.run(written(files))
    assert outcome.status == 1
    assert len(outcome.err.splitlines()) == 2
    assert capfd.readouterr() == ("", "")


def test_what_pytorch_logs_of_shapes_is_dropped() -> None:
    logger = logging.getLogger("torch._subclasses.fake_tensor")
    with quiet():
        assert not logger.isEnabledFor(logging.ERROR)
    assert logger.isEnabledFor(logging.ERROR)
