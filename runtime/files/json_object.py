"""JSON from other tools: fields are read by type, and what is wrong is said with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...dialects.diagnostics import HtpError, fail
from .budget import read_text


@dataclass(frozen=True)
class JsonObject:
    """An object of a JSON file, and the place that errors name: `net.json: node 'conv1'`.

    Each method reads a field, or takes the default where the field is absent; HtpError where it is
    of another type, or absent without a default.
    """

    where: str
    fields: Mapping[str, object]

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def text(self, name: str, default: str | None = None) -> str:
        """Read a text."""
        value = self.fields.get(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, value, "text")
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """Read a finite number."""
        value = self.fields.get(name, default)
        # NaN compares as false; a longer integer overflows as a float.
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**64:
            return float(value)
        raise self._wrong(name, value, "a finite number")

    def whole(self, name: str, default: int | None = None) -> int:
        """Read a whole number."""
        value = self.fields.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**64:
            raise self._wrong(name, value, "a whole number")
        return value

    def texts(self, name: str) -> list[str]:
        """Read a list of texts."""
        values = [value for value in self.values(name) if isinstance(value, str)]
        if len(values) < len(self.values(name)):
            raise self._wrong(name, self.fields[name], "a list of texts")
        return values

    def wholes(self, name: str) -> list[int]:
        """Read a list of whole numbers."""
        at = f"{self.where}: {name}"
        return [JsonObject(at, {"number": value}).whole("number") for value in self.values(name)]

    def values(self, name: str) -> list[object]:
        """Read a list."""
        value = self.fields.get(name)
        if not isinstance(value, list):
            raise self._wrong(name, value, "a list")
        return value

    def inner(self, name: str) -> JsonObject:
        """Read an object; an absent one is empty."""
        value = self.fields.get(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, value, "an object")
        return JsonObject(f"{self.where}: {name}", value)

    def objects(self, kind: str) -> Iterator[tuple[str, JsonObject]]:
        """Read each field as an object; places call it `kind`."""
        for name, value in self.fields.items():
            if not isinstance(value, dict):
                raise self._wrong(name, value, "an object")
            yield name, JsonObject(f"{self.where.partition(': ')[0]}: {kind} '{name}'", value)

    def _wrong(self, name: str, value: object, wanted: str) -> HtpError:
        shown = "absent" if name not in self.fields else str(value)[:40]
        return fail(self.where, f"'{name}' is {shown}, not {wanted}", "write the file again")


def read_json(path: str | Path, remedy: str) -> JsonObject:
    """Read the object in a file; HtpError with this remedy where the file holds none."""
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise fail(f"{path}:{error.lineno}:{error.colno}", "is not JSON", remedy) from error
    except (ValueError, RecursionError) as error:
        problem = "has nesting or numbers that are too long to read"
        raise fail(str(path), problem, remedy) from error
    if not isinstance(content, dict):
        raise fail(str(path), "is not a JSON object", remedy)
    return JsonObject(str(path), content)
