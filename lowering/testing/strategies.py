"""Strategies of hypothesis: shapes, layouts, tensor specs, ops, and modules that run."""

from collections.abc import Sequence

from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from ...dialects.value import LAYOUTS, DType, LayoutKind, Memory, Place, TensorSpec
from .random_modules import STEPS, T, grow

__all__ = ["layouts", "modules", "ops", "places", "shapes", "specs"]


def shapes(
    *, min_rank: int = 1, max_rank: int = 4, max_size: int = 9
) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes of `min_rank` to `max_rank` dims, each of 1 to `max_size`."""
    dims = st.integers(1, max_size)
    return st.lists(dims, min_size=min_rank, max_size=max_rank).map(tuple)


_SHAPES = shapes()
_RANK_4 = shapes(min_rank=4)


def layouts(element_bytes: int | None = None) -> st.SearchStrategy[LayoutKind]:
    """Layouts of any elements, or of elements of that size; ValueError where there is none."""
    kinds = [kind for kind, size in LAYOUTS if element_bytes in (None, size)]
    if not kinds:
        raise ValueError(f"no layout is of elements of {element_bytes} bytes")
    return st.sampled_from(list(dict.fromkeys(kinds)))


def places(element_bytes: int | None = None) -> st.SearchStrategy[Place]:
    """Places in both memories, without byte offsets."""
    return st.builds(Place, layouts(element_bytes), st.sampled_from(Memory), st.none())


def specs(
    shapes: st.SearchStrategy[tuple[int, ...]] = _SHAPES,
    dtypes: Sequence[DType] = (DType.Float32, DType.Int32, DType.Bool8),
) -> st.SearchStrategy[TensorSpec]:
    """Tensor specs without quantisation."""
    return st.builds(TensorSpec, shapes, st.sampled_from(dtypes), st.none())


def ops() -> st.SearchStrategy[str]:
    """Mnemonics of the ops that `modules` and `random_module` choose from."""
    return st.sampled_from(list(STEPS))


def modules(
    *,
    max_ops: int = 8,
    shapes: st.SearchStrategy[tuple[int, ...]] = _RANK_4,
    ops: Sequence[str] | None = None,
) -> st.SearchStrategy[ModuleOp]:
    """Modules of the graph level on f32 tensors, as `random_module` makes them; they shrink."""
    return _modules(max_ops, shapes, ops)


@st.composite
def _modules(
    draw: st.DrawFn,
    max_ops: int,
    shapes: st.SearchStrategy[tuple[int, ...]],
    ops: Sequence[str] | None,
) -> ModuleOp:
    def choose(choices: Sequence[T], /) -> T:
        return draw(st.sampled_from(choices))

    return grow(choose, draw(st.integers(1, max_ops)), draw(shapes), ops)
