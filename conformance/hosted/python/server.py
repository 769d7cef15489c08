"""An MCP server as the Python SDK makes it: `server.py PORT [stateless]`."""

import sys

from mcp.server import MCPServer

server = MCPServer("currencies", version="1.0.0", log_level="ERROR")


@server.tool()
def list_currencies() -> str:
    """Lists the currencies."""
    return "EUR USD JPY"


@server.tool()
def convert(amount: float, source: str, target: str) -> str:
    """Converts an amount."""
    return f"{amount} {source} in {target}"


stateless = "stateless" in sys.argv
server.run(
    "streamable-http",
    host="127.0.0.1",
    port=int(sys.argv[1]),
    stateless_http=stateless,
    json_response=stateless,
)
