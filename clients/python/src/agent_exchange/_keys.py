"""The saved answer of ``GET /keys`` (spec/BYTES.md 8): which key counts, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

from ._grammar import is_time, key_bytes, ms_of

KEYS_MAX = 10_000
_FIELD = 2**255 - 19
_SIGN_BIT = 1 << 255
# The y of the eight points of small order: under them one signature can fit any message.
_SMALL_ORDER = {
    0,
    1,
    _FIELD - 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
}


@dataclass(frozen=True)
class KnownKey:
    """``not_before`` and ``not_after`` are milliseconds since 1970."""

    public: bytes
    not_before: Optional[int]
    not_after: Optional[int]


KeyList = Mapping[str, KnownKey]


def read_keys(keys: Any) -> KeyList:
    """Reads the list; TypeError names the place that makes it unusable."""
    entries = keys.get("keys") if isinstance(keys, dict) else None
    if not isinstance(entries, list):
        raise _bad("keys", "is not the JSON that GET /keys answers with")
    if len(entries) > KEYS_MAX:
        raise _bad("keys", f"lists more than {KEYS_MAX} keys")
    known: Dict[str, KnownKey] = {}
    for place, entry in enumerate(entries):
        at = f"keys.{place}"
        key_id = _text(entry, "keyId", at)
        if key_id is None:
            raise _bad(f"{at}.keyId", "is missing")
        if key_id in known:
            raise _bad(f"{at}.keyId", "is listed twice")
        public = key_bytes(key_id)
        if public is None or not _is_sound(public):
            raise _bad(f"{at}.keyId", "is not the base58 of a sound ed25519 public key")
        hexadecimal = _text(entry, "publicKeyHex", at)
        if hexadecimal is not None and hexadecimal != public.hex():
            raise _bad(f"{at}.publicKeyHex", "is not the key that keyId names")
        times = (_time(entry, name, at) for name in ("notBefore", "notAfter"))
        known[key_id] = KnownKey(public, *times)
    return known


def _is_sound(public: bytes) -> bool:
    """Written in the one way that RFC 8032 5.1.2 knows, and not of small order."""
    y = int.from_bytes(public, "little") & (_SIGN_BIT - 1)
    return y < _FIELD and y not in _SMALL_ORDER


def _time(entry: Any, name: str, at: str) -> Optional[int]:
    text = _text(entry, name, at)
    if text is None:
        return None
    if not is_time(text):
        raise _bad(f"{at}.{name}", "is not a time (YYYY-MM-DDTHH:MM:SS.mmmZ)")
    return ms_of(text)


def _text(entry: Any, name: str, at: str) -> Optional[str]:
    if not isinstance(entry, dict):
        raise _bad(at, "is not an object")
    if name not in entry:
        return None
    value = entry[name]
    if not isinstance(value, str):
        raise _bad(f"{at}.{name}", "is not text")
    return value


def _bad(at: str, says: str) -> TypeError:
    return TypeError(f"The list of keys cannot be used: {at} {says}. Save GET /keys again.")
