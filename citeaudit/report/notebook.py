"""An audit in a notebook: the HTML report in a frame of its own, so that neither can restyle or run in the other."""

from __future__ import annotations

from html import escape

from citeaudit.model import Audit
from citeaudit.report.html import page

_SANDBOX = "allow-popups allow-popups-to-escape-sandbox"
"""Links may open beside the notebook; no scripts, no forms, another origin."""

_STYLE = "width: 100%; height: 36rem; border: 0; resize: vertical"


def show(audit: Audit) -> str:
    """Give the report as a frame without scripts; its links open beside the notebook."""
    inside = escape(page([audit], framed=True), quote=True)
    return f'<iframe srcdoc="{inside}" sandbox="{_SANDBOX}" title="Report on references" style="{_STYLE}"></iframe>'
