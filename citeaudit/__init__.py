"""Audit the references of a manuscript: every one looked up, compared field by field, with its evidence.

>>> import citeaudit
>>> audit = citeaudit.check("paper.bib", offline=True)  # doctest: +SKIP
>>> audit.counts  # doctest: +SKIP

Names are loaded when first used, so that importing the package costs nothing. To read references without looking
anything up: `citeaudit.api.extract` (`citeaudit.extract` is the room of the readers).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from citeaudit.version import __version__

if TYPE_CHECKING:
    from citeaudit.api import audit, audit_all, check
    from citeaudit.errors import CiteauditError
    from citeaudit.model import Audit, Extraction, Unreadable
    from citeaudit.settings import Settings

_HOMES = {
    "Audit": "citeaudit.model",
    "CiteauditError": "citeaudit.errors",
    "Extraction": "citeaudit.model",
    "Settings": "citeaudit.settings",
    "Unreadable": "citeaudit.model",
    "audit": "citeaudit.api",
    "audit_all": "citeaudit.api",
    "check": "citeaudit.api",
}

__all__ = [
    "Audit",
    "CiteauditError",
    "Extraction",
    "Settings",
    "Unreadable",
    "__version__",
    "audit",
    "audit_all",
    "check",
]


def __getattr__(name: str) -> object:
    """Load a public name from its home."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
