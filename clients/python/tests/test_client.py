"""What the client sends again, keeps and raises, against a scripted transport."""

import base64
import hashlib
import hmac
import json
import os
import stat
import tempfile
import time
import unittest
from pathlib import Path

try:
    import httpx
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    from agent_exchange import FileKeys, Hub, HubError, HubRefusal, Key, MemoryKeys, NoAnswer, NotTheHub, NotYet, webhooks
    from agent_exchange import OutcomeUnknown, RetryPolicy, models
    from agent_exchange.streams import SseReader, lines_in
except ImportError:  # The verifier is installed alone.
    raise unittest.SkipTest("the client is not installed, only the verifier")

FAST = RetryPolicy(base_delay=0.0001)
PAYMENT = {
    "transferId": "t", "from": "key:a", "to": "key:b", "amount": "5", "asset": "USDC",
    "network": "sandbox", "balanceAfter": "1", "spendableAfter": "1",
    "at": "2026-01-01T00:00:00.000Z", "repeated": False,
}


def refused(status, code, **headers):
    return httpx.Response(status, json={"error": "No.", "code": code, "hint": "See."}, headers=headers)


class Scripted:
    """Plays answers one by one and keeps what was sent."""

    def __init__(self, *answers):
        self.answers, self.sent = list(answers), []

    def __call__(self, request):
        self.sent.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def hub(self, keep=None, key=None):
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Hub("http://hub.test", key or Key.generate(), keep_keys=keep, retry=FAST, http=http)


def pay(hub):
    return hub.wallet.pay(models.WalletPayBody(to="key:b", amount="5"))


class Calls(unittest.TestCase):
    def test_a_once_only_call_is_sent_again_under_its_key_and_signed_anew(self):
        script = Scripted(httpx.ReadError("lost"), refused(503, "busy"), httpx.Response(200, json=PAYMENT))
        keep = MemoryKeys()
        self.assertEqual(pay(script.hub(keep)).transferId, "t")
        self.assertEqual(len({request.content for request in script.sent}), 1)
        self.assertEqual(len({request.headers["signature"] for request in script.sent}), 3)
        self.assertRegex(json.loads(script.sent[0].content)["idempotencyKey"], "^[0-9a-f]{32}$")
        self.assertEqual(keep.pending(), [])

    def test_a_call_without_a_member_for_its_key_has_it_in_a_signed_header(self):
        minted = {"id": "i", "owner": "key:a", "hint": "hub_1", "door": "/v1",
                  "createdAt": "2026-01-01T00:00:00.000Z"}
        under_way = refused(409, "call-under-way", **{"retry-after": "0"})
        script = Scripted(httpx.ReadError("lost"), under_way, httpx.Response(200, json=minted))
        keep = MemoryKeys()
        script.hub(keep).wallet.mint_api_key(body=models.WalletMintApiKeyBody(label="x"))
        self.assertEqual(len({request.headers["idempotency-key"] for request in script.sent}), 1)
        for request in script.sent:
            self.assertIn('"idempotency-key"', request.headers["signature-input"])
            self.assertEqual(json.loads(request.content), {"label": "x"})
        self.assertEqual(keep.pending(), [])

    def test_says_when_an_answer_is_not_there_yet(self):
        pending = {"digest": "ab", "promisedMinute": 7, "retryAfterSeconds": 56}
        script = Scripted(httpx.Response(202, json=pending))
        with self.assertRaises(NotYet) as raised:
            script.hub().time.proof(digest="ab")
        error = raised.exception
        self.assertEqual((error.code, error.retry_after_seconds, error.body), ("not-yet", 56, pending))
        self.assertIn("56 seconds", error.hint)
        with self.assertRaises(Exception) as wrong:
            Scripted(httpx.Response(200, json={"digest": "ab"})).hub().time.proof(digest="ab")
        self.assertNotIsInstance(wrong.exception, HubError)

    def test_a_lost_call_is_followed_under_the_key_of_its_header(self):
        script, keep = Scripted(httpx.ReadError("lost")), MemoryKeys()
        with self.assertRaises(OutcomeUnknown) as raised:
            script.hub(keep).wallet.mint_api_key(body=models.WalletMintApiKeyBody(label="x"))
        key = script.sent[0].headers["idempotency-key"]
        later = Scripted(httpx.Response(200, json={}))
        later.hub(keep).follow(raised.exception.call)
        self.assertEqual(later.sent[0].headers["idempotency-key"], key)

    def test_an_outcome_that_nobody_knows_is_kept_and_raised(self):
        script, keep = Scripted(httpx.ReadError("lost")), MemoryKeys()
        with self.assertRaises(OutcomeUnknown) as raised:
            pay(script.hub(keep))
        self.assertEqual(len(script.sent), 4)
        self.assertEqual(keep.pending(), [raised.exception.call])

    def test_a_refusal_after_a_lost_send_keeps_the_key(self):
        script, keep = Scripted(httpx.ReadError("lost"), refused(400, "insufficient-funds")), MemoryKeys()
        with self.assertRaises(HubRefusal) as raised:
            pay(script.hub(keep))
        self.assertEqual(keep.pending(), [raised.exception.call])

    def test_a_refusal_is_not_sent_again_and_lets_the_key_go(self):
        script, keep = Scripted(refused(400, "insufficient-funds")), MemoryKeys()
        with self.assertRaises(HubRefusal) as raised:
            pay(script.hub(keep))
        self.assertEqual((len(script.sent), raised.exception.call, keep.pending()), (1, None, []))

    def test_other_posts_are_sent_again_after_429_alone(self):
        body = models.RegistrySubmitMcpBody(url="https://agent.example")
        for answer, sends in ((refused(429, "rate-limited"), 4), (refused(503, "busy"), 1)):
            script = Scripted(answer)
            with self.assertRaises(HubRefusal):
                script.hub().registry.submit_mcp(body)
            self.assertEqual(len(script.sent), sends)
        script = Scripted(httpx.ReadError("lost"))
        with self.assertRaises(NoAnswer):
            script.hub().registry.submit_mcp(body)
        self.assertEqual(len(script.sent), 1)

    def test_a_long_retry_after_is_the_callers(self):
        script = Scripted(refused(429, "rate-limited", **{"retry-after": "60"}))
        with self.assertRaises(HubRefusal):
            script.hub().wallet.me()
        self.assertEqual(len(script.sent), 1)

    def test_a_frozen_ledger_is_not_busy(self):
        script = Scripted(refused(503, "ledger-frozen"))
        with self.assertRaises(HubRefusal):
            script.hub().wallet.me()
        self.assertEqual(len(script.sent), 1)

    def test_what_is_not_the_hub_is_said_so(self):
        with self.assertRaises(NotTheHub):
            Scripted(httpx.Response(502, text="<html>")).hub().wallet.me()

    def test_every_error_has_code_hint_link_and_request_id(self):
        lost, me = httpx.ReadError("lost"), "http://hub.test/api/v1/me"
        busy = refused(503, "busy", **{"x-request-id": "r1"})
        proxy = httpx.Response(502, text="<html>", headers={"x-request-id": "r2"})
        for answer, ask, expected in (
            (busy, lambda hub: hub.wallet.me(), ("busy", "http://hub.test/errors/busy", "r1")),
            (proxy, lambda hub: hub.wallet.me(), ("not-the-hub", me, "r2")),
            (lost, lambda hub: hub.wallet.me(), ("no-answer", me, None)),
            (lost, pay, ("outcome-unknown", "http://hub.test/api/v1/wallet/", None)),
        ):
            with self.assertRaises(HubError) as raised:
                ask(Scripted(answer).hub())
            error = raised.exception
            self.assertEqual((error.code, error.request_id), (expected[0], expected[2]))
            self.assertTrue(error.link.startswith(expected[1]) and error.hint, error.link)

    def test_sends_are_logged_without_secrets(self):
        script = Scripted(httpx.ReadError("lost"), httpx.Response(200, json=PAYMENT))
        with self.assertLogs("agent_exchange", "DEBUG") as logged:
            pay(script.hub())
        self.assertEqual(len(logged.output), 2)
        self.assertIn("lost", logged.output[0])
        self.assertNotIn("sig1", "".join(logged.output))

    def test_an_account_is_text_and_needs_a_key(self):
        key = Key.generate()
        self.assertEqual(Scripted(lambda: None).hub(key=key).account, key.account)
        with self.assertRaises(ValueError):
            Hub("http://hub.test").account

    def test_public_calls_are_not_signed_and_paths_are_escaped(self):
        script = Scripted(refused(404, "not-found"))
        with self.assertRaises(HubRefusal):
            script.hub().registry.get(id="a/b?c")
        self.assertEqual(script.sent[0].url.raw_path, b"/api/v1/agents/a%2Fb%3Fc")
        self.assertNotIn("signature", script.sent[0].headers)


class Webhooks(unittest.TestCase):
    BODY = b'{"type":"task.claimed"}'

    def signed(self, key, secret, at):
        text = f"msg_1.{at}.".encode() + self.BODY
        mac = hmac.new(secret, text, hashlib.sha256).digest()
        both = [("v1", mac), ("v1a", key.sign(text))]
        value = " ".join(f"{scheme},{base64.b64encode(s).decode()}" for scheme, s in both)
        return {"Webhook-Id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": value}

    def test_a_message_is_verified_by_either_key(self):
        key, secret, now = Key.generate(), os.urandom(24), int(time.time())
        public = Ed25519PrivateKey.from_private_bytes(key.secret).public_key().public_bytes_raw()
        whpk = "whpk_" + base64.b64encode(public).decode()
        whsec = "whsec_" + base64.b64encode(secret).decode()
        headers = self.signed(key, secret, now)
        for good in (whpk, whsec):
            self.assertEqual(webhooks.read(self.BODY, headers, good)["type"], "task.claimed")
            for bad in (
                (self.BODY + b" ", headers, good),
                (self.BODY, self.signed(key, secret, now - 301), good),
                (self.BODY, {**headers, "webhook-signature": "v1,AAAA v1a,AAAA"}, good),
                (self.BODY, {}, good),
                (self.BODY, headers, good[:-8]),
            ):
                with self.assertRaises(webhooks.NotGenuine):
                    webhooks.read(*bad)


class Keys(unittest.TestCase):
    def test_a_pem_of_the_quickstart_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path, key = Path(folder) / "hub-key.pem", Key.generate()
            private = Ed25519PrivateKey.from_private_bytes(key.secret)
            pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            path.write_bytes(pem)
            path.chmod(0o600)
            self.assertEqual(Key.load(path), key)
            for text in (b"-----BEGIN PRIVATE KEY-----\n", pem[:40]):
                path.write_bytes(text)
                with self.assertRaises(ValueError):
                    Key.load(path)

    def test_a_file_is_its_owners_alone_and_never_overwritten(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "agent.key"
            key = Key.load_or_generate(path)
            self.assertEqual(Key.load(path), key)
            self.assertNotIn(repr(key.secret), repr(key))
            with self.assertRaises(FileExistsError):
                Key.generate().save(path)
            if os.name == "posix":
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
                path.chmod(0o640)
                with self.assertRaises(ValueError):
                    Key.load(path)

    def test_pending_calls_outlive_the_process(self):
        with tempfile.TemporaryDirectory() as folder:
            keep, call = FileKeys(folder), {"method": "POST", "path": "/p", "body": {}}
            keep.put("../a/b", call)
            self.assertEqual(FileKeys(folder).pending(), [call])
            keep.done("../a/b")
            self.assertEqual(keep.pending(), [])


class Streams(unittest.TestCase):
    def test_events_are_read_as_the_standard_says(self):
        lines = [": hi", "event: a", "data: 1", "data: 2", "", "data:x", "id: 7", "", "data: cut"]
        reader = SseReader()
        events = [event for event in map(reader.line, lines) if event is not None]
        self.assertEqual(
            [(event.event, event.data, event.id) for event in events],
            [("a", "1\n2", ""), ("message", "x", "7")],
        )

    def test_a_line_ends_at_a_line_feed_alone(self):
        others = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
        text = f"data: a{others}b\r\n\ndata: c"
        for size in range(1, len(text) + 1):
            pieces = [text[at:at + size] for at in range(0, len(text), size)]
            self.assertEqual(list(lines_in(pieces)), [f"data: a{others}b", "", "data: c"])

    def test_a_chat_is_read_as_it_comes(self):
        text = "event: delta\ndata: {}\n\nevent: receipt\ndata: {}\n\n"
        script = Scripted(httpx.Response(200, text=text))
        body = models.ModelsChatBody.model_validate({"model": "m", "messages": []})
        events = [event.event for event in script.hub().stream_chat(body)]
        self.assertEqual(events, ["delta", "receipt"])
        self.assertTrue(json.loads(script.sent[0].content)["stream"])


if __name__ == "__main__":
    unittest.main()
