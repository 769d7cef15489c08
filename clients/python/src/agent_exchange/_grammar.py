"""The words of spec/BYTES.md 1: every text has one spelling, and any other is refused."""

from __future__ import annotations

import base64
import re
from datetime import datetime, timezone
from typing import Any, Optional

WHOLE_MAX = 2**53 - 1
MINUTE_MS = 60_000
SIGNED_BYTES_MAX = 8192

_DIGEST = re.compile(r"[0-9a-f]{64}")
_DAY = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_TIME = re.compile(_DAY + r"T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z")
_MINUTE = re.compile(_DAY + r"T([0-9]{2}):([0-9]{2}):00Z")
# 86 characters carry 516 bits; the four that are left over are zero.
_SIGNATURE = re.compile(r"[A-Za-z0-9+/]{85}[AQgw]==")
# The last character by the length modulo 4; one character left over is no base64.
_SIGNED_BYTES = re.compile(
    r"(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?"
)
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE58_VALUE = {character: value for value, character in enumerate(_BASE58)}
_SURROGATE = re.compile("[\ud800-\udfff]")
_KEY_BYTES = 32
_KEY_ID_MAX = 44
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def is_signature(value: Any) -> bool:
    return isinstance(value, str) and _SIGNATURE.fullmatch(value) is not None


def is_signed_bytes(value: Any) -> bool:
    """Base64url without padding and stray bits, of a size that a signed object has."""
    if not isinstance(value, str) or not 0 < len(value) <= SIGNED_BYTES_MAX:
        return False
    return _SIGNED_BYTES.fullmatch(value) is not None


def is_key_id(value: Any) -> bool:
    return isinstance(value, str) and key_bytes(value) is not None


def key_bytes(text: str) -> Optional[bytes]:
    """The public key that a key id names; None when it names none."""
    if not _KEY_BYTES <= len(text) <= _KEY_ID_MAX:
        return None
    number = 0
    for character in text:
        value = _BASE58_VALUE.get(character)
        if value is None:
            return None
        number = number * 58 + value
    # A leading 1 stands for a zero byte, and nothing else does: so there is one text for each key.
    zeros = len(text) - len(text.lstrip("1"))
    rest = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes(zeros) + rest if zeros + len(rest) == _KEY_BYTES else None


def is_whole(value: Any) -> bool:
    """A whole number that every reader of JSON reads alike; True is no number, 1.0 is one."""
    if isinstance(value, bool):
        return False
    if isinstance(value, float):
        return value.is_integer() and 0 <= value <= WHOLE_MAX
    return isinstance(value, int) and 0 <= value <= WHOLE_MAX


def is_text(value: Any, most: int) -> bool:
    """Text of at most ``most`` characters (code points) that UTF-8 can carry."""
    return isinstance(value, str) and len(value) <= most and _SURROGATE.search(value) is None


def is_time(value: Any) -> bool:
    return isinstance(value, str) and _milliseconds(_TIME.fullmatch(value)) is not None


def is_minute(value: Any) -> bool:
    return isinstance(value, str) and _milliseconds(_MINUTE.fullmatch(value)) is not None


def ms_of(text: str) -> int:
    """Milliseconds since 1970 of a text that is a time or a minute; ValueError on any other."""
    found = _milliseconds(_TIME.fullmatch(text) or _MINUTE.fullmatch(text))
    if found is None:
        raise ValueError("not a time")
    return found


def decode_base64(text: str) -> bytes:
    """Of a text that has the grammar; Python's decoder alone passes over what it does not know."""
    return base64.b64decode(text)


def decode_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _milliseconds(found: Optional["re.Match[str]"]) -> Optional[int]:
    if found is None:
        return None
    year, month, day, hour, minute, *rest = (int(part) for part in found.groups())
    second, milliseconds = rest if rest else (0, 0)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    except ValueError:
        return None
    past = moment - _EPOCH
    return (past.days * 86_400 + past.seconds) * 1000 + milliseconds if past.days >= 0 else None
