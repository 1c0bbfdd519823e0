"""Addresses that a report may link to: resolvers of identifiers, and questions that can be asked again."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from citeaudit.model import Identifiers

_RESOLVERS = {
    "doi": "https://doi.org/{}",
    "arxiv_id": "https://arxiv.org/abs/{}",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/{}/",
}
"""By scheme: where the registry of the identifier resolves it."""

_KEPT = "/:;.-_"
"""Characters of identifiers that keep their meaning in a path; all else is percent-encoded."""

_ADDRESS = re.compile(r"[!#-;=?-Z\[\]_a-z~]{1,2000}")
"""The characters of RFC 3986 without quotes and the like; anything else is no address to link to."""


def resolvers(identifiers: Identifiers) -> tuple[tuple[str, str | None], ...]:
    """Give each identifier as people write it, with the address of its registry or `None`.

    A web address claimed by a document or a record is shown, never linked: nobody vouches for it.

    >>> resolvers(Identifiers(doi="10.1000/a(b)"))
    (('doi:10.1000/a(b)', 'https://doi.org/10.1000/a%28b%29'),)
    """
    return tuple(
        (
            value if scheme == "url" else f"{scheme.removesuffix('_id')}:{value}",
            _RESOLVERS[scheme].format(quote(value, safe=_KEPT)) if scheme in _RESOLVERS else None,
        )
        for scheme, value in identifiers.pairs()
    )


def web_address(url: str | None) -> str | None:
    """Give an address if it is plain http or https, without user or password; else `None`.

    >>> web_address("https://api.example.org/works?query=a%20b"), web_address("javascript:alert(1)")
    ('https://api.example.org/works?query=a%20b', None)
    """
    if url is None or not _ADDRESS.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc else None
