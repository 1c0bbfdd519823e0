"""`citeaudit index formats`: the forms of dumps, as a user knows them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, cast

from citeaudit import registry

if TYPE_CHECKING:
    from citeaudit.index.dumps.form import DumpFormat

PACKED = (".gz", ".bz2", ".xz", ".zst", ".tgz")

WHAT = {
    "acl": "the ACL Anthology: a file or folder of its data/xml, or the whole repository as tar or ZIP",
    "arxiv": "arXiv's metadata snapshot",
    "bibtex": "BibTeX and BibLaTeX files of any size",
    "crossref": "Crossref's public data file and snapshots",
    "csl": "CSL-JSON, as Zotero and others export it",
    "datacite": "DataCite's public data file, and answers of its API",
    "dblp": "dblp.xml",
    "endnote": "EndNote's tagged export (%A, %T)",
    "endnote-xml": "EndNote's XML export",
    "jsonl": "your own records, one JSON object a line (docs/index.md lists the keys)",
    "nbib": "PubMed's tagged export",
    "openalex": "OpenAlex's works",
    "pubmed": "PubMed's baseline and update files",
    "retraction-watch": "the Retraction Watch CSV: retracted works with their notices",
    "ris": "RIS files",
    "s2": "Semantic Scholar's papers",
}
"""What each form of this program reads; one that another package brings is described by itself."""

PACKING = (
    "Files may be packed (.gz, .bz2, .xz, .zst), alone or in a tar, whatever they are called; a ZIP only for acl: "
    "unpack others first. Of a folder, the files with the suffixes shown are read."
)


def lines() -> list[str]:
    """Give a line for each form, and one on packing."""
    found = []
    for name in registry.names("dump"):
        form = cast("type[DumpFormat]", registry.load("dump", name))  # entry points are untyped
        what = WHAT.get(name) or (inspect.getdoc(form) or "").partition("\n")[0].replace("`", "")
        plain = [suffix for suffix in form.suffixes if not suffix.endswith(PACKED) and suffix != ".tar"]
        found.append(f"{name}: {what} ({', '.join(plain or form.suffixes)})")
    return [*found, PACKING]
