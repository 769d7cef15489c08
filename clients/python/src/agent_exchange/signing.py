"""Signs requests to the hub (RFC 9421, ed25519): method, host, path, query and the exact body."""

from __future__ import annotations

import base64
import hashlib
import os
from typing import Dict, List, Tuple
from urllib.parse import urlsplit

from .keys import Key

LABEL = "sig1"


def sign(key: Key, method: str, url: str, body: bytes, now: int) -> Dict[str, str]:
    """Headers that sign one send. The nonce is fresh, so every send is signed anew."""
    parts = urlsplit(url)
    headers: Dict[str, str] = {}
    lines: List[Tuple[str, str]] = [
        ("@method", method),
        ("@authority", _authority(parts.scheme, parts.netloc)),
        ("@path", parts.path or "/"),
    ]
    if parts.query:
        lines.append(("@query", f"?{parts.query}"))
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        headers["content-digest"] = f"sha-256=:{digest}:"
        lines.append(("content-digest", headers["content-digest"]))
    covered = " ".join(f'"{name}"' for name, _ in lines)
    params = (
        f'({covered});created={now};keyid="{key.key_id}";alg="ed25519";nonce="{os.urandom(16).hex()}"'
    )
    lines.append(("@signature-params", params))
    base = "\n".join(f'"{name}": {value}' for name, value in lines)
    signature = base64.b64encode(key.sign(base.encode("utf-8"))).decode()
    headers["signature-input"] = f"{LABEL}={params}"
    headers["signature"] = f"{LABEL}=:{signature}:"
    return headers


def _authority(scheme: str, netloc: str) -> str:
    default = {"http": ":80", "https": ":443"}.get(scheme, "")
    host = netloc.lower()
    return host[: -len(default)] if default and host.endswith(default) else host
