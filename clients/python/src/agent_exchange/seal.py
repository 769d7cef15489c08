"""Files that the named accounts alone can read, in the format of age; needs ``pyrage``.

Recipients are the X25519 forms of the ed25519 keys of accounts (RFC 7748 4.1), as in the TypeScript
client, so each client opens what the other sealed.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import TYPE_CHECKING, Any, List, Sequence

from .keys import Key, key_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

_FIELD = 2**255 - 19
_LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_FACTORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
#: The u of the points of small order: a file that is sealed for one is open to all.
_SMALL = (0, 1, _FIELD - 1)


def seal_for(accounts: Sequence[str], content: bytes) -> bytes:
    """Encrypts for accounts, your own among them if you want to read it again. ValueError for an
    account without an ed25519 key, ImportError without ``pyrage``."""
    if not accounts:
        raise ValueError("a file is sealed for one account at least")
    age = _age()
    recipients = [age.x25519.Recipient.from_str(recipient_of(one)) for one in dict.fromkeys(accounts)]
    return bytes(age.encrypt(content, recipients))


def open_sealed(key: Key, sealed: bytes) -> bytes:
    """ValueError when it was not sealed for the account of this key, or was changed."""
    age = _age()
    try:
        return bytes(age.decrypt(sealed, [age.x25519.Identity.from_str(identity_of(key))]))
    except age.DecryptError as error:
        raise ValueError(f"the file cannot be opened with this key: {error}") from error


def recipient_of(account: str) -> str:
    """The account as a recipient that age and its other programs take."""
    known = account.startswith("key:")
    y = int.from_bytes(key_bytes(account[4:]), "little") & (2**255 - 1) if known else 1
    u = (1 + y) * pow(1 - y, -1, _FIELD) % _FIELD if y % _FIELD != 1 else 0
    if u in _SMALL:
        raise ValueError(f"{account} has no ed25519 key that a file can be sealed for")
    return _bech32("age", u.to_bytes(32, "little"))


def identity_of(key: Key) -> str:
    """The key as an identity for age and its other programs: as secret as the key itself."""
    return _bech32("age-secret-key-", hashlib.sha512(key.secret).digest()[:32]).upper()


def _age() -> Any:
    try:
        return import_module("pyrage")
    except ImportError as error:
        raise ImportError("sealed files need the package pyrage: pip install pyrage") from error


def _bech32(prefix: str, content: bytes) -> str:
    bits = int.from_bytes(content, "big") << 4
    values = [bits >> shift & 31 for shift in range(len(content) * 8 // 5 * 5, -1, -5)]
    head = [ord(each) >> 5 for each in prefix] + [0] + [ord(each) & 31 for each in prefix]
    rest = _checksum([*head, *values, 0, 0, 0, 0, 0, 0]) ^ 1
    check: List[int] = [rest >> shift & 31 for shift in range(25, -1, -5)]
    return f"{prefix}1" + "".join(_LETTERS[each] for each in [*values, *check])


def _checksum(values: Iterable[int]) -> int:
    sum_ = 1
    for value in values:
        top = sum_ >> 25
        sum_ = (sum_ & 0x1FFFFFF) << 5 ^ value
        for place, factor in enumerate(_FACTORS):
            sum_ ^= factor if top >> place & 1 else 0
    return sum_
