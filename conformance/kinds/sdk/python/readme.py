"""Every block of code of the client's README (`clients/python/README.md`), run as it stands: the
arguments are that page and the address of a hub, which takes the place of the page's."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from agent_exchange import Hub, Key, models

from checks import funded, published

ADDRESS = "http://127.0.0.1:4020"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# As many jobs as the page's agent takes before it stops.
JOBS = 10
SECONDS_MAX = 240
DIGEST = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"


def arrange(url: str, folder: Path) -> None:
    """What the page takes for granted: work in the queue, and files that were saved before."""
    with Hub(url, Key.generate()) as requester:
        funded(requester)
        for _ in range(JOBS):
            published(requester, "word-count")
        keys = requester.discovery.keys()
        promise = requester.time.stamp(models.TimeStampBody(digest=DIGEST))
    for name, answer in (("keys.json", keys), ("proof.json", promise)):
        text = json.dumps(answer.model_dump(mode="json", exclude_none=True))
        (folder / name).write_text(text, encoding="utf-8")


def run(kind: str, code: str, folder: Path, root: Path) -> str:
    """What the block printed. A shell finds this environment's programs, and the folders of the
    repository where it names one."""
    words = [sys.executable, "-c", code] if kind == "python" else ["bash", "-ec", code]
    place = root if "./clients/" in code else folder
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONPATH": ""}
    done = subprocess.run(
        words, cwd=place, env=env, capture_output=True, text=True, timeout=SECONDS_MAX, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{code}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(page: Path, url: str) -> None:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arrange(url, folder)
        told = [run(kind, code.replace(ADDRESS, url), folder, page.parents[2]) for kind, code in blocks]
    said = "\n".join(told)
    assert said.count("Count the words accepted 58200") == JOBS, said
    assert "task.reward" in said and "bad-account" in said, said
    assert said.count("promise") >= 2, said
    assert "delivered: 31457250" in said and "the job is paid" in said, said
    print(f"{len(blocks)} blocks of {page.name} ran")


main(Path(sys.argv[1]).resolve(), sys.argv[2])
