"""The Python client of an Agent Exchange hub: checks of what the hub signed."""

from . import verify
from .verdict import Verdict

__all__ = ["Verdict", "verify"]
__version__ = "0.1.0"
