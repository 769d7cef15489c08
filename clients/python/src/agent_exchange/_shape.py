"""Shapes of JSON values (spec/BYTES.md 9, step 1): closed objects, limits on every level."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, List, Mapping, Optional

from .verdict import Refusal, join

# No object of the specification comes near it; sorting the names of a hostile one would cost.
MEMBERS_MAX = 32
# Names that may be repeated in an answer; others are told by the object that has them.
_TELLABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")

Shape = Callable[[Any, str], None]


def one(what: str, holds: Callable[[Any], bool]) -> Shape:
    """One value that is told by a word of what it should be."""

    def check(value: Any, at: str) -> None:
        if not holds(value):
            raise _fault(at, f"{_subject(at)} is not {what}.")

    return check


def one_of(*constants: Any) -> Shape:
    """One of some constants; 1, 1.0 and True are equal in Python, and True is no number here."""
    what = " or ".join(json.dumps(each) for each in constants)

    def holds(value: Any) -> bool:
        return any(
            isinstance(value, bool) == isinstance(each, bool) and value == each
            for each in constants
        )

    return one(what, holds)


def or_null(shape: Shape) -> Shape:
    def check(value: Any, at: str) -> None:
        if value is not None:
            shape(value, at)

    return check


def anything(_value: Any, _at: str) -> None:
    """A value that is looked at later."""


def list_of(item: Shape, most: int, least: int = 0) -> Shape:
    def check(value: Any, at: str) -> None:
        if not isinstance(value, list):
            raise _fault(at, f"{_subject(at)} is not a list.")
        if len(value) < least:
            raise _fault(at, f"{_subject(at)} is empty.")
        if len(value) > most:
            raise _fault(at, f"{_subject(at)} has more than {most} entries.")
        for place, each in enumerate(value):
            item(each, join(at, str(place)))

    return check


def object_of(
    required: Mapping[str, Shape], optional: Optional[Mapping[str, Shape]] = None
) -> Shape:
    """An object that has all of the required members, perhaps the optional ones, and no other."""
    shapes = {**required, **(optional or {})}

    def check(value: Any, at: str) -> None:
        if not isinstance(value, dict):
            raise _fault(at, f"{_subject(at)} is not an object.")
        if len(value) > MEMBERS_MAX:
            raise _fault(at, f"{_subject(at)} has more than {MEMBERS_MAX} members.")
        for name in sorted_names(required, value):
            shape = shapes.get(name)
            if shape is None:
                raise _unknown(at, name)
            place = join(at, name)
            if name not in value:
                raise _fault(place, f"{place} is missing.")
            shape(value[name], place)

    return check


def sorted_names(*objects: Mapping[str, Any]) -> List[str]:
    """The names of all, by their UTF-16 code units (RFC 8785 3.2.3), each once."""
    names = {str(name) for each in objects for name in each}
    return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


def place_of(at: str, name: str) -> str:
    """Where a member stands, or its object when the name is not fit to be repeated."""
    return join(at, name) if _TELLABLE.fullmatch(name) else at


def _unknown(at: str, name: str) -> Refusal:
    place = place_of(at, name)
    if place == at:
        return _fault(at, f"{_subject(at)} has a member that it must not have.")
    return _fault(place, f"{place} is no member of this object.")


def _fault(at: str, says: str) -> Refusal:
    return Refusal("shape", at, says)


def _subject(at: str) -> str:
    return at or "The value"
