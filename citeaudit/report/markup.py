"""Build HTML in which no foreign text can be markup: whatever is not an element of ours is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from citeaudit.text.visible import visible

_VOID = frozenset({"br", "hr", "meta"})


class Markup(str):
    """HTML that is safe to put on a page as it stands."""

    __slots__ = ()


Child = str | Iterable[str]
"""Text, an element, or several of either."""


def text(value: str) -> Markup:
    """Give foreign text as HTML that shows it, hidden characters written out; an element as it is.

    >>> text('<img src=x onerror="1">')
    '&lt;img src=x onerror=&quot;1&quot;&gt;'
    """
    return value if isinstance(value, Markup) else Markup(escape(visible(value), quote=True))


def join(*children: Child) -> Markup:
    """Give children one after the other, each escaped unless it is an element."""
    parts: list[str] = []
    for child in children:
        parts += [text(child)] if isinstance(child, str) else map(text, child)
    return Markup("".join(parts))


def element(tag: str, *children: Child, **attributes: str | None) -> Markup:
    """Give one element; attributes that are `None` are left out, `class_` is `class`, `data_label` is `data-label`.

    >>> element("td", "a < b", class_="found", data_label='"')
    '<td class="found" data-label="&quot;">a &lt; b</td>'
    """
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(visible(value), quote=True)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{told}>" if tag in _VOID else f"<{tag}{told}>{join(*children)}</{tag}>")
