"""Runs the checks of both clients and the samples of their pages against the hub at the address given; exit 1 when one fails."""

import asyncio
import logging
import sys

import a2a_checks
import mcp_checks
import samples


async def main(url: str) -> bool:
    held = await a2a_checks.check(url)
    return await mcp_checks.check(url) and held


logging.disable(logging.ERROR)
held = asyncio.run(main(sys.argv[1]))
held &= samples.check(sys.argv[1])
sys.exit(0 if held else 1)
