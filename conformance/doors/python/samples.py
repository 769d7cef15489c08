"""Every block of Python of docs/mcp.md and docs/a2a.md, as it stands but for the address of the hub;
the page says what each prints, where … stands for any text. The argument is that address."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ADDRESS = "http://127.0.0.1:4020"
DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGES = ("mcp.md", "a2a.md")
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS_MAX = 120


def check(url: str) -> bool:
    """Runs the samples and prints of each whether it printed what its page says."""
    held = True
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        samples = BLOCK.findall(text)
        print(f"samples of docs/{page}")
        assert samples and len(samples) == text.count("```python"), page
        for code, prints in samples:
            title = next(line for line in code.splitlines() if "Client" in line)
            pattern = ".+".join(re.escape(piece) for piece in prints.split("…"))
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [sys.executable, "-c", code.replace(ADDRESS, url)],
                    cwd=folder, capture_output=True, text=True, timeout=SECONDS_MAX, check=False,
                )
            if re.fullmatch(pattern, done.stdout):
                print(f"  ok    {title}")
            else:
                held = False
                print(f"  FAILS {title}\n{done.stdout}{done.stderr}")
    return held
