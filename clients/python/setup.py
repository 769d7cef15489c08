"""Builds the package: models and operations are made from the hub's contract, then packed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
# A source archive brings the contract along; a checkout has it where it is made.
IN_ARCHIVE = HERE / "openapi.json"
IN_CHECKOUT = HERE.parent.parent / "generated" / "openapi.json"
MADE = HERE / "src" / "agent_exchange" / "generated"
PACKAGE = "agent_exchange.generated"


class BuildPy(build_py):
    """Generates before it copies; with AGENT_EXCHANGE_ONLY=verify the verifier is built alone."""

    def run(self) -> None:
        if os.environ.get("AGENT_EXCHANGE_ONLY") != "verify":
            document = next((path for path in (IN_ARCHIVE, IN_CHECKOUT) if path.exists()), None)
            if document is not None:
                sys.path.insert(0, str(HERE))
                from codegen import generate

                generate(document, MADE)
                # The packages were looked for before this one was made.
                if PACKAGE not in self.packages:
                    self.packages = [*self.packages, PACKAGE]
            elif not (MADE / "models.py").exists():
                raise SystemExit(f"there is no contract to build from: {IN_CHECKOUT}")
        super().run()


class SourceArchive(sdist):
    """Packs what the package is made from: the contract, and the program that reads it."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        if IN_CHECKOUT.exists():
            shutil.copyfile(IN_CHECKOUT, Path(base_dir) / IN_ARCHIVE.name)
        shutil.copyfile(HERE / "codegen.py", Path(base_dir) / "codegen.py")


setup(cmdclass={"build_py": BuildPy, "sdist": SourceArchive})
