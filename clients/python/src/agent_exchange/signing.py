"""Signs requests to the hub (RFC 9421, ed25519): method, host, path, query and the exact body."""

from __future__ import annotations

import base64
import hashlib
import os
import time
from typing import Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from .keys import Key

LABEL = "sig1"


# Headers that change what a request does; a signature must cover those that are sent.
COVERED = ("prefer", "x-payment", "payment-signature", "idempotency-key")


def sign(
    key: Key,
    method: str,
    url: str,
    body: bytes = b"",
    now: Optional[int] = None,
    *,
    headers: Optional[Mapping[str, str]] = None,
) -> Dict[str, str]:
    """The headers to add to one request, for any HTTP library.

    ``url`` is the whole address as it is sent, ``body`` the exact bytes, and ``headers`` what the
    request has already. The nonce is fresh, so sign again before each send.
    """
    parts = urlsplit(url)
    created = int(time.time()) if now is None else now
    sent = {name.lower(): value for name, value in (headers or {}).items()}
    added: Dict[str, str] = {}
    lines: List[Tuple[str, str]] = [
        ("@method", method),
        ("@authority", _authority(parts.scheme, parts.netloc)),
        ("@path", parts.path or "/"),
    ]
    # `urlsplit` does not tell an empty query from none.
    if "?" in url.partition("#")[0]:
        lines.append(("@query", f"?{parts.query}"))
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        added["content-digest"] = f"sha-256=:{digest}:"
        lines.append(("content-digest", added["content-digest"]))
    lines.extend((name, sent[name].strip()) for name in COVERED if name in sent)
    covered = " ".join(f'"{name}"' for name, _ in lines)
    params = (
        f'({covered});created={created};keyid="{key.key_id}";alg="ed25519";nonce="{os.urandom(16).hex()}"'
    )
    lines.append(("@signature-params", params))
    base = "\n".join(f'"{name}": {value}' for name, value in lines)
    signature = base64.b64encode(key.sign(base.encode("utf-8"))).decode()
    added["signature-input"] = f"{LABEL}={params}"
    added["signature"] = f"{LABEL}=:{signature}:"
    return added


def _authority(scheme: str, netloc: str) -> str:
    default = {"http": ":80", "https": ":443"}.get(scheme, "")
    host = netloc.rpartition("@")[2].lower()
    return host[: -len(default)] if default and host.endswith(default) else host
