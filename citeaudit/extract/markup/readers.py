"""The readers of Markdown and HTML."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import Decoded, read_document
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.extract.markup.assemble import Found, find_references, finish
from citeaudit.extract.markup.bibliography import Front, cited_only, read_bibliography, read_front
from citeaudit.extract.markup.blocks import Document, SpanKind
from citeaudit.extract.markup.html import parse_html
from citeaudit.extract.markup.markdown import front_matter, parse_markdown
from citeaudit.extract.markup.published import with_published
from citeaudit.model.reference import Extraction

MAX_CHARACTERS = 30_000_000
"""Characters of a document; a book has about one million."""

_BIBTEX = re.compile(r"^[ \t]{0,20}@[A-Za-z]{1,40}[ \t]{0,20}[{(]", re.MULTILINE)
_CHARSET = re.compile(rb"<meta[^<>]{0,300}?charset\s{0,3}=\s{0,3}[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_HEAD_BYTES = 8_192
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,200}(?:<\?xml[^>]{0,300}>\s{0,200})?(?:<!--.{0,2000}?-->\s{0,200})?"
    rb"<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd", ".rmd", ".qmd", ".mdx"})


def _small(decoded: Decoded, path: Path) -> None:
    if len(decoded.text) > MAX_CHARACTERS:
        message = f"holds more than {MAX_CHARACTERS // 1_000_000} million characters of text; split it"
        raise UnreadableDocumentError(message, path=str(path))


class MarkdownExtractor:
    """Reads Markdown: manuscripts for pandoc, R Markdown and Quarto, and the reports of chat assistants."""

    name = "markdown"
    suffixes = (".md", ".markdown", ".mdown", ".mkd", ".rmd", ".qmd")

    def read(self, path: Path) -> Extraction:
        """Read the references of a Markdown document.

        A bibliography that it names is followed, in its own folder; else its lists are read, else its notes, else
        each address that its text links to.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds and names no reference.
        """
        decoded = read_document(path)
        _small(decoded, path)
        head, text = front_matter(decoded.text)
        front = read_front(head)
        document = parse_markdown(text, keys=front.any)
        document.remarks += [decoded.note] if decoded.note else []
        found = self._followed(document, front, path) if front.any else None
        document.remarks += front.remarks if found is None else ()
        if found is None:
            try:
                found = find_references(document, path=str(path))
            except NoReferencesError:
                if _BIBTEX.search(decoded.text):
                    return read_bibtex(decoded.text, path=str(path), notes=tuple(document.remarks))
                raise
        return finish(document, found, path=str(path), form=self.name)

    def _followed(self, document: Document, front: Front, path: Path) -> Found | None:
        references, remarks = read_bibliography(front, path)
        document.remarks += remarks
        blocks = [*document.blocks, *(block for blocks in document.notes.values() for block in blocks)]
        keys = {key for block in blocks for span in block.spans if span.kind is SpanKind.CITE for key in span.keys}
        kept, left = cited_only(references, keys, front.nocite)
        if not kept:
            return None
        if left:
            entries, were = ("entry", "was") if left == 1 else ("entries", "were")
            document.remarks.append(f"{left} {entries} of the bibliography that the text does not cite {were} left out")
        return Found(references=kept, method="entries")


class HtmlExtractor:
    """Reads HTML and XHTML: saved articles, exported reports, encyclopedia pages; nothing is fetched."""

    name = "html"
    suffixes = (".html", ".htm", ".xhtml")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by its first element, unless the name says Markdown, which may open with one."""
        return _HTML.match(head) is not None and path.suffix.lower() not in _MARKDOWN

    def read(self, path: Path) -> Extraction:
        """Read the references of a page.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no reference and links to no source.
        """
        decoded = _decoded(path)
        _small(decoded, path)
        page = parse_html(decoded.text)
        page.document.remarks += [decoded.note] if decoded.note else []
        try:
            found: Found | None = find_references(page.document, path=str(path))
        except NoReferencesError:
            if not page.cited:
                raise
            found = None
        return finish(page.document, with_published(found, page.cited, str(path)), path=str(path), form=self.name)


def _decoded(path: Path) -> Decoded:
    """Decode a page; what its `meta` declares counts where the bytes are neither marked nor valid UTF-8."""
    decoded = read_document(path)
    if decoded.note is None or decoded.encoding.startswith("utf"):
        return decoded
    data = path.read_bytes()
    match = _CHARSET.search(data[:_HEAD_BYTES])
    if match is None:
        return decoded
    name = match.group(1).decode("ascii")
    try:
        codec = codecs.lookup({"iso-8859-1": "cp1252", "latin-1": "cp1252"}.get(name.lower(), name))
        if not getattr(codec, "_is_text_encoding", True):
            return decoded
        text = data.decode(codec.name, errors="replace")
    except (LookupError, ValueError):
        return decoded
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", ""), codec.name, None)
