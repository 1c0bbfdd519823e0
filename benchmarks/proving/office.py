"""Turn a recipe into a flat OpenDocument text: what a word processor makes of typed lists and notes."""

from __future__ import annotations

import random
from xml.sax.saxutils import escape

import notes
from latex import Recipe, Source
from prose import HEADINGS, paragraph, sentence
from typed import Runs, format_work
from works import Work

_NAMES = ("office", "style", "text", "table", "fo")
_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = " ".join(f'xmlns:{name}="{_URN}{"xsl-fo-compatible" if name == "fo" else name}:1.0"' for name in _NAMES)
_FACES = {"i": "Italic", "b": "Bold"}


def _styles(recipe: Recipe) -> str:
    columns = '<style:columns fo:column-count="2" fo:column-gap="0.6cm"/>' if "twocol" in recipe.features else ""
    indent = "" if "ragged" in recipe.features else 'fo:margin-left="1.2cm" fo:text-indent="-1.2cm"'
    size = "10pt" if "twocol" in recipe.features else "12pt"
    return f"""<office:styles><style:default-style style:family="paragraph"><style:text-properties
 style:font-name="Liberation Serif" fo:font-size="{size}" fo:language="{recipe.lang}"
 fo:hyphenate="false"/></style:default-style>
<style:style style:name="Standard" style:family="paragraph"><style:paragraph-properties fo:text-align="justify"
 fo:margin-bottom="0.2cm"/></style:style>
<style:style style:name="Head" style:family="paragraph"><style:paragraph-properties fo:margin-top="0.5cm"
 fo:margin-bottom="0.3cm"/><style:text-properties fo:font-weight="bold" fo:font-size="14pt"/></style:style>
<style:style style:name="Entry" style:family="paragraph"><style:paragraph-properties {indent}
 fo:margin-bottom="0.1cm"/></style:style>
<style:style style:name="Footnote" style:family="paragraph"><style:paragraph-properties fo:margin-left="0.6cm"
 fo:text-indent="-0.6cm"/><style:text-properties fo:font-size="9pt"/></style:style>
<style:style style:name="Italic" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>
<style:style style:name="Bold" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<text:notes-configuration text:note-class="footnote" text:citation-style-name="Up"
 text:citation-body-style-name="Up" text:default-style-name="Footnote" text:start-value="0"
 text:footnotes-position="page"/></office:styles>
<office:automatic-styles><style:page-layout style:name="pl"><style:page-layout-properties fo:page-width="21cm"
 fo:page-height="29.7cm" fo:margin="2.5cm">{columns}</style:page-layout-properties></style:page-layout>
</office:automatic-styles><office:master-styles><style:master-page style:name="Standard"
 style:page-layout-name="pl"><style:footer><text:p><text:page-number/></text:p></style:footer></style:master-page>
</office:master-styles>"""


def _spans(runs: Runs) -> str:
    return "".join(
        f'<text:span text:style-name="{_FACES[face]}">{escape(part)}</text:span>' if face in _FACES else escape(part)
        for part, face in runs
    )


def _para(inner: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{inner}</text:p>'


def _note(place: int, runs: Runs) -> str:
    return (
        f'<text:note text:id="ftn{place}" text:note-class="footnote"><text:note-citation>{place}</text:note-citation>'
        f"<text:note-body>{_para(_spans(runs), 'Footnote')}</text:note-body></text:note>"
    )


def build(recipe: Recipe, works: list[Work], rng: random.Random) -> Source:
    """Write the .fodt of a recipe."""
    with_notes = recipe.kind == "officenotes"
    planned = notes.plan(works, recipe.style, rng, recipe.features) if with_notes else notes.Planned()
    body = [_para(escape(sentence(recipe.lang, rng)), "Head")]
    if with_notes:
        for place, runs in enumerate(planned.notes, 1):
            text = f"{escape(sentence(recipe.lang, rng))}.{_note(place, runs)} {escape(paragraph(recipe.lang, rng, 3))}"
            body.append(_para(text))
    else:
        for start in range(0, len(works), 3):
            marks = "; ".join(f"{work.authors[0][0]} {work.year}" for work in works[start : start + 3])
            body.append(
                _para(
                    f"{escape(paragraph(recipe.lang, rng, 4))} {escape(sentence(recipe.lang, rng))} ({escape(marks)})."
                )
            )
    style = notes.LIST_STYLE[recipe.style] if with_notes else recipe.style
    if not with_notes or "both" in recipe.features:
        body.append(_para(escape(rng.choice(HEADINGS[recipe.lang])), "Head"))
        listed = (
            works
            if "numbers" in recipe.features
            else sorted(works, key=lambda one: (one.authors[0][0].casefold(), one.year))
        )
        for place, work in enumerate(listed, 1):
            label = f"{place}. " if "numbers" in recipe.features else ""
            body.append(_para(label + _spans(format_work(work, style)), "Entry"))
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {_SPACES} office:version="1.2" '
        f'office:mimetype="application/vnd.oasis.opendocument.text">{_styles(recipe)}'
        f"<office:body><office:text>{''.join(body)}</office:text></office:body></office:document>"
    )
    printed = [(work, "".join(part for part, _ in format_work(work, recipe.style))) for work in works]
    return Source({"main.fodt": text}, printed, planned.archives, ("soffice",))
