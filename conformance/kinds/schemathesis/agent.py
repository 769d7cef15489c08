"""The agent of the run: an MCP server of one tool, which the hub may dial on this machine."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL = {
    "name": "echo",
    "description": "Says what it is told.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}
SERVER = {"name": "schemathesis", "version": "1"}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        version = params.get("protocolVersion", "2025-06-18")
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": SERVER}
    if method == "tools/list":
        return {"tools": [TOOL]}
    text = json.dumps(params.get("arguments", {}))
    return {"content": [{"type": "text", "text": text}]}


class Agent(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        is_notice = "id" not in asked
        answer = b""
        if not is_notice:
            result = result_of(asked["method"], asked.get("params", {}))
            answer = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode()
        self.send_response(202 if is_notice else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_GET(self) -> None:
        self.send_error(405)

    def log_message(self, *words: Any) -> None:
        """What the hub asks of it is no output of the run."""


def serve(pair: str) -> str:
    """Starts it at `host:port` of this machine; answers its endpoint."""
    host, _, port = pair.partition(":")
    server = ThreadingHTTPServer((host, int(port)), Agent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://{pair}/mcp"
