"""Word documents from small pieces of WordprocessingML."""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
ROOT = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    ' Target="word/document.xml"/>'
    "</Relationships>"
)
STYLES = f"""<w:styles {W}>
<w:style w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:styleId="Zitat"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:styleId="Own"><w:name w:val="Own quotes"/><w:basedOn w:val="Zitat"/></w:style>
<w:style w:styleId="Bib"><w:name w:val="Bibliography"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:styleId="Toc"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="Listed"><w:name w:val="Ref list"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="Circle"><w:name w:val="Circle"/><w:basedOn w:val="Circle"/></w:style>
<w:style w:styleId="Up"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>
</w:styles>"""
NUMBERING = f"""<w:numbering {W}>
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="7"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
</w:numbering>"""


def run(text: str, properties: str = "") -> str:
    """Give a run; `properties` are run properties as XML."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*parts: str, style: str = "", properties: str = "") -> str:
    """Give a paragraph of runs; a part without a tag becomes a run."""
    inner = "".join(part if part.startswith("<") else run(part) for part in parts)
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inner}</w:p>"


def heading(text: str) -> str:
    """Give a heading of the first level."""
    return paragraph(text, style="H1")


def listed(text: str, number: int = 1, level: int = 0) -> str:
    """Give a paragraph of an automatic list."""
    return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def char(kind: str, data: str = "") -> str:
    """Give a run with a field character."""
    inner = f"<w:fldData>{data}</w:fldData>" if data else ""
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'


def code(text: str) -> str:
    """Give a run with a piece of a field's code."""
    return f'<w:r><w:instrText xml:space="preserve">{escape(text)}</w:instrText></w:r>'


def complex_field(instruction: str, shown: str, *, cuts: int = 1, data: str = "") -> str:
    """Give a complex field whose code is cut into runs."""
    size = max(1, len(instruction) // cuts + 1)
    pieces = [instruction[at : at + size] for at in range(0, len(instruction), size)]
    return char("begin", data) + "".join(map(code, pieces)) + char("separate") + run(shown) + char("end")


def csl(title: str, family: str, year: int, **more: object) -> dict[str, object]:
    """Give an item of CSL-JSON."""
    return {
        "id": 1,
        "type": "article-journal",
        "title": title,
        "author": [{"family": family, "given": "A."}],
        "issued": {"date-parts": [[year]]},
        **more,
    }


def zotero(*items: Mapping[str, object], pages: Sequence[str] = ()) -> str:
    """Give the code of a Zotero citation."""
    cited = [
        {"id": place, "itemData": item, **({"locator": pages[place]} if place < len(pages) and pages[place] else {})}
        for place, item in enumerate(items)
    ]
    return f" ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps({'citationItems': cited})} "


def mendeley_tag(*items: Mapping[str, object]) -> str:
    """Give the tag of a citation of Mendeley Cite."""
    cited = {"citationItems": [{"id": "x", "itemData": item} for item in items]}
    return "MENDELEY_CITATION_v3_" + base64.b64encode(json.dumps(cited).encode()).decode()


def control(content: str, *, tag: str = "", properties: str = "") -> str:
    """Give a content control."""
    named = f'<w:tag w:val="{tag}"/>' if tag else ""
    return f"<w:sdt><w:sdtPr>{named}{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def docx(
    path: Path,
    *body: str,
    links: Mapping[str, str] | None = None,
    footnotes: Sequence[str] = (),
    endnotes: Sequence[str] = (),
    parts: Mapping[str, str] | None = None,
) -> Path:
    """Write a document; notes get the ids 2, 3, ... as Word gives them."""
    targets = "".join(
        f'<Relationship Id="{name}" Type="http://x/hyperlink" Target="{escape(target)}" TargetMode="External"/>'
        for name, target in (links or {}).items()
    )
    made = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": ROOT,
        "word/document.xml": f'<?xml version="1.0" encoding="UTF-8"?><w:document'
        f" {W}><w:body>{''.join(body)}</w:body></w:document>",
        "word/_rels/document.xml.rels": f"<Relationships>{targets}</Relationships>",
        "word/styles.xml": STYLES,
        "word/numbering.xml": NUMBERING,
    }
    for kind, notes in (("footnote", footnotes), ("endnote", endnotes)):
        if notes:
            inner = "".join(f'<w:{kind} w:id="{place}">{note}</w:{kind}>' for place, note in enumerate(notes, 2))
            made[f"word/{kind}s.xml"] = (
                f'<w:{kind}s {W}><w:{kind} w:type="separator" w:id="0">{paragraph("---")}</w:{kind}>{inner}</w:{kind}s>'
            )
    made.update(parts or {})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in made.items():
            archive.writestr(name, text)
    return path
