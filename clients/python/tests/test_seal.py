"""Sealed files: the same forms as the TypeScript client's, and age's own library."""

from __future__ import annotations

import unittest
from importlib.util import find_spec

from agent_exchange import Key, open_sealed, seal_for
from agent_exchange.seal import identity_of, recipient_of


WITH_AGE = unittest.skipIf(find_spec("pyrage") is None, "pyrage is not installed")


class Sealed(unittest.TestCase):
    @WITH_AGE
    def test_is_read_by_each_named_account_and_by_no_other(self) -> None:
        alice, bob, carol = (Key.generate() for _ in range(3))
        content = bytes(range(256)) * 500
        sealed = seal_for([alice.account, bob.account, bob.account], content)
        self.assertTrue(sealed.startswith(b"age-encryption.org/v1\n"))
        for key in (alice, bob):
            self.assertEqual(open_sealed(key, sealed), content)
        with self.assertRaisesRegex(ValueError, "cannot be opened"):
            open_sealed(carol, sealed)
        with self.assertRaises(ValueError):
            open_sealed(alice, sealed[:-1] + bytes([sealed[-1] ^ 1]))

    def test_has_the_forms_of_the_other_client(self) -> None:
        key = Key.of_secret(b"\x01" * 32)
        recipient = "age1rvd43h2sag2tvrdp0duse5p82nvhpjd6hpjwhv7q7vqklega8atsjue2se"
        identity = "AGE-SECRET-KEY-1TN5XA7M4LF8ZCSG0GMSKM60K4JHP59CR22R9RD5MC9MVPZ9770HQQTNGYF"
        self.assertEqual(recipient_of(key.account), recipient)
        self.assertEqual(identity_of(key), identity)

    @WITH_AGE
    def test_is_refused_for_accounts_without_a_key(self) -> None:
        for account in ("evm:0x00", "key:short", "key:" + "1" * 32, "key:" + "0" * 44):
            with self.assertRaises(ValueError, msg=account):
                seal_for([account], b"content")
        with self.assertRaisesRegex(ValueError, "one account at least"):
            seal_for([], b"content")
