"""The published vectors: what must be good, what must be refused, and nothing may raise."""

import copy
import io
import json
import math
import os
import tempfile
import unittest
from pathlib import Path

from agent_exchange import verify
from agent_exchange.__main__ import main
from agent_exchange._ijson import parse_ijson
from agent_exchange._merkle import root_from

VECTORS = Path(__file__).resolve().parents[3] / "spec" / "vectors"


def vectors(name):
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


TIME = vectors("time")
SEAL = vectors("seal")
ATTESTATION = vectors("attestation")
LOG = vectors("log")
KEYS = TIME["keys"]


def objects(group):
    return [(vector["case"], vector["object"]) for vector in group]


class Good(unittest.TestCase):
    def assert_good(self, verdict, kind):
        self.assertTrue(verdict, verdict.says)
        self.assertEqual(verdict.kind, kind)

    def test_every_object_is_good_under_its_function_and_as_a_file(self):
        for check, kind, group in (
            (verify.pulse, "pulse", TIME["pulses"]),
            (verify.now, "now", TIME["now"]),
            (verify.promise, "promise", TIME["promises"]),
            (verify.proof, "proof", TIME["proofs"]),
            (verify.seal, "seal", SEAL["blocks"]),
            (verify.attestation, "attestation", ATTESTATION["attestations"]),
            (verify.logged, "logged", LOG["logged"]),
            (verify.consistent, "consistent", LOG["consistent"]),
        ):
            for name, value in objects(group):
                with self.subTest(kind=kind, case=name):
                    self.assert_good(check(value, KEYS), kind)
                    self.assertEqual(check(value, KEYS), verify.file(value, KEYS))

    def test_chains_are_good(self):
        for check, kind, group in (
            (verify.pulses, "pulses", TIME["pulses"]),
            (verify.seals, "seals", SEAL["blocks"]),
        ):
            chain = [value for _, value in objects(group)]
            self.assert_good(check(chain, KEYS), kind)
            self.assertEqual(check(chain, KEYS), verify.file(chain, KEYS))
        facts = verify.pulses([value for _, value in objects(TIME["pulses"])], KEYS).facts
        self.assertEqual((facts["count"], facts["missingMinutes"]), (5, 3))

    def test_kept_promises_are_good(self):
        promises, proofs = dict(objects(TIME["promises"])), dict(objects(TIME["proofs"]))
        for pair in TIME["kept"]:
            promise, proof = promises[pair["promise"]], proofs[pair["proof"]]
            self.assert_good(verify.kept(promise, proof, KEYS), "kept")
            self.assert_good(verify.file({"promise": promise, "proof": proof}, KEYS), "kept")

    def test_paths_lead_to_the_roots_that_rfc_6962_implementations_share(self):
        merkle = vectors("merkle")
        inputs = [bytes.fromhex(text) for text in merkle["inputs"]]
        for tree in merkle["trees"]:
            for index, path in enumerate(tree["paths"]):
                steps = [bytes.fromhex(step) for step in path]
                found = root_from(inputs[index], index, tree["leaves"], steps)
                self.assertEqual(found.hex(), tree["root"])


class Refused(unittest.TestCase):
    def test_every_published_refusal_has_its_reason_and_place(self):
        cases = vectors("refusals")["cases"]
        self.assertGreater(len(cases), 100)
        for case in cases:
            with self.subTest(case["case"]):
                verdict = verify.file(case["value"], KEYS)
                self.assertFalse(verdict)
                self.assertEqual((verdict.reason, verdict.at), (case["reason"], case["at"]))

    def test_every_attack_on_the_log_has_its_reason_and_place(self):
        for case in LOG["refusals"]:
            with self.subTest(case["case"]):
                verdict = verify.file(case["object"], KEYS)
                self.assertFalse(verdict)
                self.assertEqual((verdict.reason, verdict.at), (case["reason"], case["at"]))

    def test_a_receipt_that_no_hub_writes_is_refused_and_raises_nothing(self):
        for value in (1.5, None, True, [], {"a": {}}, {"\u00e9": "1"}, "\ud800", 10**400, b"1"):
            logged = copy.deepcopy(LOG["logged"][1]["object"])
            logged["receipt"]["receipts"][0]["held"] = value
            verdict = verify.logged(logged, KEYS)
            self.assertEqual((verdict.reason, verdict.at), ("digest", "receipt"), repr(value))

    def test_what_only_python_has_is_refused_and_raises_nothing(self):
        for value in (
            math.nan,
            math.inf,
            10**400,
            True,
            -1,
            1.5,
            "1",
            "\u0661",
            None,
            [],
            {},
            b"1",
        ):
            pulse = copy.deepcopy(TIME["pulses"][1]["object"])
            pulse["body"]["seq"] = value
            verdict = verify.pulse(pulse, KEYS)
            self.assertEqual((verdict.reason, verdict.at), ("shape", "body.seq"), repr(value))
        pulse = copy.deepcopy(TIME["pulses"][1]["object"])
        for value in ("\u0660" * 64, "a" * 64 + "\n", "\ud800" * 64, 0, None):
            pulse["body"]["prev"] = value
            verdict = verify.pulse(pulse, KEYS)
            self.assertEqual((verdict.reason, verdict.at), ("shape", "body.prev"), repr(value))
        deep = []
        for _ in range(100_000):
            deep = [deep]
        pulse["body"]["prev"] = deep
        self.assertEqual(verify.pulse(pulse, KEYS).at, "body.prev")
        self.assertEqual(verify.file({1: 2, "body": {"seq": 1}}, KEYS).reason, "shape")

    def test_a_whole_number_may_be_a_float_as_in_every_other_reader(self):
        pulse = copy.deepcopy(TIME["pulses"][1]["object"])
        pulse["body"]["seq"] = 1.0
        self.assertTrue(verify.pulse(pulse, KEYS))


class Keys(unittest.TestCase):
    def test_a_list_that_cannot_be_used_is_a_type_error(self):
        pulse = TIME["pulses"][0]["object"]
        entry = KEYS["keys"][2]
        for keys in (
            None,
            [],
            {},
            {"keys": {}},
            {"keys": [5]},
            {"keys": [{}]},
            {"keys": [{"keyId": "x"}]},
            {"keys": [{"keyId": "1" * 32}]},
            {"keys": [entry, entry]},
            {"keys": [{**entry, "publicKeyHex": "00" * 32}]},
            {"keys": [{**entry, "notBefore": "yesterday"}]},
            {"keys": [{**entry, "notAfter": None}]},
        ):
            with self.subTest(keys=keys), self.assertRaisesRegex(TypeError, "GET /keys"):
                verify.file(pulse, keys)


class Reading(unittest.TestCase):
    def test_a_text_with_two_meanings_is_refused(self):
        for text in (
            '{"a":1,"a":1}',
            "[NaN]",
            "[1e400]",
            "[9007199254740992]",
            "[" + "9" * 5000 + "]",
            '["\\ud800"]',
            '["\\u0000"]',
            '{"__proto__":1}',
            "\ufeff[]",
            "[" * 65 + "]" * 65,
            "[" * 100_000,
            "{",
        ):
            with self.subTest(text[:20]), self.assertRaises(ValueError):
                parse_ijson(text.encode("utf-8"))
        with self.assertRaises(ValueError):
            parse_ijson(b'["\xff"]')

    def test_a_text_with_one_meaning_is_read(self):
        text = '{"a":[1,-1.5,true,null,"\\ud83d\\ude00 ] [ \\" {"],"b":' + "[" * 63 + "]" * 63 + "}"
        self.assertEqual(parse_ijson(text.encode("utf-8")), json.loads(text))


class Command(unittest.TestCase):
    def run_command(self, *words, stdin=b""):
        out = io.StringIO()
        return main(list(words), io.BytesIO(stdin), out), out.getvalue()

    def test_exit_codes(self):
        pulse = TIME["pulses"][0]["object"]
        with tempfile.TemporaryDirectory() as folder:
            keys = os.path.join(folder, "keys.json")
            Path(keys).write_text(json.dumps(KEYS), "utf-8")
            good = json.dumps(pulse).encode()
            code, text = self.run_command("verify", "-", "--keys", keys, stdin=good)
            self.assertEqual((code, text.splitlines()[0]), (0, "verified pulse"))
            bad = good.replace(b'"leaves": 3', b'"leaves": 4')
            code, text = self.run_command("verify", "--keys", keys, "-", stdin=bad)
            self.assertEqual((code, text.splitlines()[0]), (1, "refused: bytes at body.leaves"))
            self.assertEqual(self.run_command("verify", "-", "--keys", keys, stdin=b"{")[0], 2)
            self.assertEqual(self.run_command("verify", "nowhere", "--keys", keys)[0], 2)
            self.assertEqual(self.run_command("verify", keys, "--keys", "-", stdin=b"[]")[0], 2)
        code, text = self.run_command("verify", "x.json")
        self.assertEqual(code, 2)
        self.assertIn("GET /keys", text)


if __name__ == "__main__":
    unittest.main()
