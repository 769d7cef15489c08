"""JSON that has one meaning for every reader (RFC 7493); Python's own parser forgives more."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Dict, List, Tuple, Union

from ._grammar import WHOLE_MAX

DEPTH_MAX = 64
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKETS = re.compile(r"[\[{\]}]")
# Code units that stand for half of a character, and U+0000, which many stores cannot keep.
_UNFIT = re.compile("[\x00\ud800-\udfff]")
# So many digits always fit; Python itself stops with an error at some thousands.
_DIGITS_MAX = 16


def parse_ijson(data: bytes) -> Any:
    """The value of a UTF-8 text without BOM; ValueError says why it has none or more than one."""
    text = data.decode("utf-8")
    if text.startswith("\ufeff"):
        raise ValueError("the text begins with a BOM")
    if _depth(text) > DEPTH_MAX:
        raise ValueError(f"the text nests deeper than {DEPTH_MAX} levels")
    value: Any = json.loads(
        text,
        object_pairs_hook=_object,
        parse_int=_whole,
        parse_float=_number,
        parse_constant=_constant,
    )
    _no_unfit_text(value)
    return value


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub('""', text)):
        depth += 1 if bracket.group() in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    made: Dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError("a name appears twice in one object")
        if name == "__proto__" or _UNFIT.search(name):
            raise ValueError("a name is not accepted")
        made[name] = value
    return made


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > _DIGITS_MAX or abs(int(text)) > WHOLE_MAX:
        raise ValueError("a number is beyond 2^53-1")
    return int(text)


def _number(text: str) -> Union[float, int]:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number is beyond the range of a double")
    return int(value) if value.is_integer() and abs(value) <= WHOLE_MAX else value


def _constant(_: str) -> Any:
    raise ValueError("NaN and Infinity are no JSON")


def _no_unfit_text(value: Any) -> None:
    """Names were looked at when their object was made; the depth is known to be small."""
    if isinstance(value, str):
        if _UNFIT.search(value):
            raise ValueError("a string holds a lone surrogate or U+0000")
    elif isinstance(value, dict):
        for each in value.values():
            _no_unfit_text(each)
    elif isinstance(value, list):
        for each in value:
            _no_unfit_text(each)
