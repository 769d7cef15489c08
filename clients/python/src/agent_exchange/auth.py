"""``Auth``: any client of ``httpx`` or ``httpx2`` signs, such as that of a generated SDK or of MCP."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Generator, Tuple

from .keys import Key
from .signing import sign

if TYPE_CHECKING:
    import httpx
    import httpx2

    class _Auth(httpx.Auth, httpx2.Auth):  # type: ignore[misc]
        """Both libraries ask their own class; the two have the same methods."""

else:

    def _bases() -> Tuple[type, ...]:
        found = []
        for name in ("httpx", "httpx2"):
            try:
                __import__(name)
            except ImportError:
                continue
            found.append(sys.modules[name].Auth)
        if not found:
            raise ImportError("Auth is for httpx or httpx2; neither is installed")
        return tuple(found)

    _Auth = type("_Auth", _bases(), {})


class Auth(_Auth):
    """Signs every request: ``httpx.Client(auth=Auth(key))``, and the same with ``httpx2``."""

    requires_request_body = True

    def __init__(self, key: Key) -> None:
        self._key = key

    def auth_flow(self, request: Any) -> Generator[Any, Any, None]:
        url = request.url
        sent = f"{url.scheme}://{url.netloc.decode()}{url.raw_path.decode()}"
        headers = sign(self._key, request.method, sent, request.content, headers=request.headers)
        request.headers.update(headers)
        yield request
