"""Files of whole form that say something else: a field is gone, or twice, or has another value."""

import csv
import json
from copy import deepcopy
from io import BytesIO, StringIO
from math import inf, nan, prod
from random import Random
from warnings import catch_warnings
from xml.etree import ElementTree
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

from htp_mlir.runtime.files.safetensors import SIZES, StoredTensor, encode
from htp_mlir.runtime.memory_plan.plan import PlanRow, plan_of_rows, plan_text

METHODS = (ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA)
Tree = dict[str, "Tree"] | list["Tree"] | str | float | bool | None
"""What a file says, in maps, lists and leaves."""

_OTHERS: tuple[Tree, ...] = (
    *(None, True, 0, 1, -1, 7, 2**31, 2**63, 10**40, 0.0, -2.5, 1e-40, 1e300, nan, inf),
    *("", "x", "0", "4.5", "\0", "../x", "\u00e9", [], [0], {}, {"a": 1}),
)


_TEXTS = (None, "", "0", "-1", "4.5", "x", "[1, 2]", "{}", "true", "9" * 40, "QNN_DATATYPE_INT_8")
"""Texts of an element."""


def altered(random: Random, tree: Tree) -> Tree:
    """Return a tree after no change, one or two."""
    for _ in range(random.choice((0, 1, 1, 2))):
        tree = _changed(random, tree)
    return tree


def _changed(random: Random, tree: Tree) -> Tree:
    """Return a tree of which a part is gone, is there twice or is another."""
    way = random.random()
    if isinstance(tree, dict) and tree and way < 0.95:
        name = random.choice([*tree])
        others = {key: part for key, part in tree.items() if key != name}
        part = tree[name] if way < 0.2 else _changed(random, tree[name])
        return others if way < 0.1 else {**others, f"{name}_" if way < 0.2 else name: part}
    if isinstance(tree, list) and tree and way < 0.95:
        place = random.randrange(len(tree))
        part = tree[place]
        parts = [] if way < 0.1 else [part, part] if way < 0.2 else [_changed(random, part)]
        return [*tree[:place], *parts, *tree[place + 1 :]]
    if isinstance(tree, (int, float)) and way < 0.5:
        return random.choice((tree + 1, tree - 1, 2 * tree, -tree, float(tree), str(tree)))
    return random.choice(_OTHERS)


def json_of(random: Random, text: str) -> bytes:
    """Return an altered text of JSON."""
    return json.dumps(altered(random, json.loads(text))).encode()


def xml_of(random: Random, text: str) -> bytes:
    """Return XML of which an element is gone, is there twice, has another text or another name."""
    root = ElementTree.fromstring(text)
    for _ in range(random.choice((0, 1, 1, 2))):
        holder = random.choice([each for each in root.iter() if len(each)])
        place = random.randrange(len(holder))
        other = random.choice([*root.iter()])
        match random.randrange(5):
            case 0:
                del holder[place]
            case 1:
                holder.insert(place, deepcopy(holder[place]))
            case 2:
                holder[place] = deepcopy(other)
            case 3:
                holder[place].text = random.choice((other.text, *_TEXTS))
            case _:
                holder[place].tag = other.tag
    return ElementTree.tostring(root)


def tensors_of(random: Random) -> bytes:
    """Return a file of drawn tensors with an altered header."""
    tensors = {}
    for number in range(random.randrange(5)):
        dtype, dims = random.choice([*SIZES]), random.choice(((), (0,), (3,), (2, 1, 4)))
        data = random.randbytes(prod(dims) * SIZES[dtype])
        tensors[f"t{number}"] = StoredTensor(dtype, dims, data)
    _, header, *parts = map(bytes, encode(tensors))
    text = json_of(random, header.decode())
    text += b" " * (-(len(text) + 8) % random.choice((1, 64)))
    return b"".join((len(text).to_bytes(8, "little"), text, *parts))


def plan_of(random: Random) -> bytes:
    """Return a plan of drawn rows, one above the other, with altered cells."""
    rows, offset = list[PlanRow](), 0
    for number in range(random.randrange(12)):
        first, size = random.randrange(20), random.randrange(1, 9000)
        last = first + random.randrange(9)
        rows.append(PlanRow(f"t{number}", size, first, last, offset))
        offset += -(-size // 2048) * 2048
    plan = plan_of_rows(rows, random.choice((offset, 1 << 20)), random.choice((1, 2048)))
    lines: Tree = [[*line] for line in csv.reader(StringIO(plan_text(plan)))]
    text, changed = StringIO(), altered(random, lines)
    for line in changed if isinstance(changed, list) else [changed]:
        csv.writer(text, lineterminator="\n").writerow(line if isinstance(line, list) else [line])
    return text.getvalue().encode()


_DTYPES: tuple[tuple[Tree, int], ...] = (
    *(("<f4", 4), (">f4", 4), ("|b1", 1), ("<i8", 8), ("<f2", 2), ("|u1", 1), ("<c8", 8)),
    *(("|S3", 3), ("<U2", 8), ("<M8[s]", 8), ("|V2", 2), ([["a", "<f4"]], 4)),
)
"""Dtypes as a header has them, and the bytes of an element."""


def arrays_of(random: Random) -> bytes:
    """Return an archive of arrays, or one alone, with altered headers."""
    arrays = {f"{name}.npy": _array(random) for name in "abc"[: random.choice((1, 1, 2))]}
    if random.random() < 0.2:
        return arrays["a.npy"]
    packed = BytesIO()
    # A name may be there twice, of which Python warns.
    ignored = catch_warnings(action="ignore", category=UserWarning)
    with ignored, ZipFile(packed, "w", random.choice(METHODS)) as archive:
        for name, array in arrays.items():
            archive.writestr(random.choice((*[name] * 9, "a.npy", "x", "../a.npy")), array)
    return packed.getvalue()


def _array(random: Random) -> bytes:
    dtype, size = random.choice(_DTYPES)
    dims = random.choice(((), (0,), (3,), (2, 5)))
    header: Tree = {"descr": dtype, "fortran_order": random.random() < 0.5, "shape": [*dims]}
    # Dims are a tuple, and a field of a structure is one.
    text = repr(altered(random, header)).replace("[", "(").replace("]", ",)").replace("(,)", "()")
    text = text.replace("(('a', '<f4',),)", "[('a', '<f4')]").replace("M8(s,)", "M8[s]")
    encoded = text.encode("latin-1", "replace") + b" " * (-(len(text) + 11) % 64) + b"\n"
    data = random.randbytes(max(0, prod(dims) * size + random.choice((*[0] * 9, -1, 1))))
    return b"\x93NUMPY\x01\x00" + len(encoded).to_bytes(2, "little") + encoded + data
