"""The client's notebook, every cell of it run by a kernel: the arguments are the notebook and the
address of a hub. A cell that ends in an answer must show it as a table."""

from __future__ import annotations

import ast
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from agent_exchange import Hub, Key

from checks import funded, published

ADDRESS = "http://127.0.0.1:4020"
SECONDS_MAX = 60
# A text of another account that a browser would run.
TITLE = "<img src=x onerror=alert(1)>"


def arrange(url: str) -> None:
    with Hub(url, Key.generate()) as requester:
        funded(requester)
        published(requester, "word-count", TITLE)
        published(requester, "drawing", TITLE)


def main(file: Path, url: str) -> None:
    arrange(url)
    book = nbformat.reads(file.read_text("utf-8").replace(ADDRESS, url), as_version=4)
    nbformat.validate(book)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(book, timeout=SECONDS_MAX, resources=resources).execute()
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), book
    tables = []
    for cell in code:
        if isinstance(ast.parse(cell.source).body[-1], ast.Expr):
            [shown] = [each for each in cell.outputs if each.output_type == "execute_result"]
            assert shown.data["text/html"].startswith("<table><tr><th>"), shown
            tables.append(shown.data["text/html"])
    text = "".join(tables)
    assert len(tables) == 4 and "<img" not in text and "&lt;img src=x" in text, text
    assert "58200" in text and "task.reward" in text, text
    assert "insufficient-funds - " in code[-1].outputs[0].text, code[-1].outputs
    print(f"{len(code)} cells of {file.name} ran, {len(tables)} show a table")


main(Path(sys.argv[1]), sys.argv[2])
