"""Builds the package: models and operations are made from the hub's contract, then packed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
DOCUMENTS = (HERE / "openapi.json", HERE.parents[1] / "generated" / "openapi.json")
MADE = HERE / "src" / "agent_exchange" / "generated"


class BuildPy(build_py):
    """Generates before it copies; with AGENT_EXCHANGE_ONLY=verify the verifier is built alone."""

    def run(self) -> None:
        if os.environ.get("AGENT_EXCHANGE_ONLY") != "verify":
            document = next((path for path in DOCUMENTS if path.exists()), None)
            if document is not None:
                sys.path.insert(0, str(HERE))
                from codegen import generate

                generate(document, MADE)
            elif not (MADE / "models.py").exists():
                raise SystemExit(f"there is no contract to build from: {DOCUMENTS[1]}")
        super().run()


setup(cmdclass={"build_py": BuildPy})
