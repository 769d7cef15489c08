"""An account is an ed25519 key. Files are the ones of the TypeScript client and of ``hub init``."""

from __future__ import annotations

import base64
import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_SEED_BYTES = 32


@dataclass(frozen=True)
class Key:
    """``secret`` is the 32-byte seed: whoever has it is the account. It is never printed."""

    secret: bytes = field(repr=False)
    key_id: str
    _private: Ed25519PrivateKey = field(repr=False, compare=False)

    @property
    def account(self) -> str:
        return f"key:{self.key_id}"

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)

    @classmethod
    def of_secret(cls, secret: bytes) -> Key:
        if len(secret) != _SEED_BYTES:
            raise ValueError("a secret key has 32 bytes")
        private = Ed25519PrivateKey.from_private_bytes(secret)
        public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return cls(secret, _base58(public), private)

    @classmethod
    def generate(cls) -> Key:
        return cls.of_secret(os.urandom(_SEED_BYTES))

    @classmethod
    def load(cls, path: Union[str, Path]) -> Key:
        """Reads a key file, or a PEM of PKCS #8; ValueError when it is open to others or no key."""
        if os.name == "posix" and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
            raise ValueError(f"{path} is open to others; they could use the account: chmod 600")
        text = Path(path).read_text("utf-8")
        if text.lstrip().startswith("-----BEGIN"):
            return cls._of_pem(text, path)
        try:
            content = json.loads(text)
            key = cls.of_secret(base64.b64decode(content["secretKey"], validate=True))
            said = content["keyId"]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is no key file") from error
        if key.key_id != said:
            raise ValueError(f"the secret in {path} is not the key {said}")
        return key

    @classmethod
    def _of_pem(cls, text: str, path: Union[str, Path]) -> Key:
        try:
            private = load_pem_private_key(text.encode(), None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            private = None
        if not isinstance(private, Ed25519PrivateKey):
            raise ValueError(f"{path} is no ed25519 key in PEM without a password")
        return cls.of_secret(
            private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        )

    def save(self, path: Union[str, Path]) -> None:
        """Writes a file for its owner alone; FileExistsError, for a lost key is lost money."""
        Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps(
            {"keyId": self.key_id, "secretKey": base64.b64encode(self.secret).decode()}
        )
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    @classmethod
    def load_or_generate(cls, path: Union[str, Path]) -> Key:
        try:
            return cls.load(path)
        except FileNotFoundError:
            key = cls.generate()
            key.save(path)
            return key


def _base58(data: bytes) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = _ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def key_bytes(key_id: str) -> bytes:
    """The 32 bytes that a key id is the base58 of; ValueError for any other text."""
    number = 0
    for letter in key_id:
        digit = _ALPHABET.find(letter)
        if digit < 0:
            raise ValueError(f"{key_id} is no base58")
        number = number * 58 + digit
    if number >= 1 << 256 or _base58(number.to_bytes(32, "big")) != key_id:
        raise ValueError(f"{key_id} is no key of 32 bytes")
    return number.to_bytes(32, "big")
