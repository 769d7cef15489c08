"""Every block of Python in the pages, checked by mypy and pyright as strictly as both can.

The arguments are the program of pyright, and pages in place of those of this list. Blocks of docs/sdks.md are parts of programs that
``npm run sdks`` compiles; those of docs/mcp.md and docs/a2a.md need the packages of
``npm run doors:python``, which checks them the same way.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
PAGES = ("clients/python/README.md", "docs/webhooks.md")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def check(pages: tuple[str, ...], pyright: str) -> int:
    """How many of the two programs found a fault."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for page in pages:
            blocks = BLOCK.findall((ROOT / page).read_text("utf-8"))
            assert blocks, page
            for number, code in enumerate(blocks):
                file = re.sub(r"\W", "_", page.removesuffix(".md"))
                (folder / f"{file}_{number}.py").write_text(code, "utf-8")
        strict = {"typeCheckingMode": "strict", "reportMissingTypeStubs": False}
        (folder / "pyrightconfig.json").write_text(json.dumps(strict))
        files = sorted(str(path) for path in folder.glob("*.py"))
        mypy = [sys.executable, "-m", "mypy", "--strict", "--scripts-are-modules", *files]
        tools = [mypy, [pyright, "--pythonpath", sys.executable, "--project", name]]
        failed = [subprocess.run(tool, cwd=name, check=False).returncode for tool in tools]
        return sum(code != 0 for code in failed)


if __name__ == "__main__":
    sys.exit(check(tuple(sys.argv[2:]) or PAGES, sys.argv[1]))
