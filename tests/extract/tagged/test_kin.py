"""Formats close to RIS and CSL-JSON that carry the same names: Web of Science's text, Zotero's own JSON."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from citeaudit.errors import ExtractionError
from citeaudit.extract.reader import read
from citeaudit.model import WorkType

SCIENCE = """\
FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Kestrel, M
   Oakes, T
AF Kestrel, Maren
   Oakes, Tim
TI Tides and the timing
   of release
SO JOURNAL OF SHORE WORK
PY 2015
VL 52
BP 436
EP 444
DI 10.1000/tides.1
UT WOS:000355286600030
ER

PT J
AU Harbour, A
TI A second title
PY 2016
ER

EF
"""


def test_web_of_science_text_is_read_with_full_names(tmp_path: Path) -> None:
    path = tmp_path / "savedrecs.txt"
    path.write_text(SCIENCE, encoding="utf-8")
    found = read(path)
    assert found.format == "ris"
    first, second = found.references
    assert [(one.family, one.given) for one in first.authors] == [("Kestrel", "Maren"), ("Oakes", "Tim")]
    assert (first.title, first.year, first.pages) == ("Tides and the timing of release", 2015, "436-444")
    assert (first.container_title, first.identifiers.doi) == ("JOURNAL OF SHORE WORK", "10.1000/tides.1")
    assert first.type is WorkType.ARTICLE_JOURNAL
    assert [one.family for one in second.authors] == ["Harbour"]
    assert (first.locus.line, second.locus.line) == (3, 19)


@pytest.mark.parametrize("cut", range(0, len(SCIENCE), 10))
def test_cut_web_of_science_text_never_raises_but_our_errors(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "a.ris"
    path.write_text(SCIENCE[:cut], encoding="utf-8")
    with contextlib.suppress(ExtractionError):
        assert all(reference.raw for reference in read(path).references)


def test_proceedings_of_a_conference_are_its_container(tmp_path: Path) -> None:
    path = tmp_path / "a.ris"
    text = "TY  - CONF\nTI  - A title of rows\nC3  - Proceedings of Rows\nPY  - 2017\nAU  - Doe, A.\nER  - \n"
    path.write_text(text, encoding="utf-8")
    assert read(path).references[0].container_title == "Proceedings of Rows"


def test_json_of_zotero_itself_is_read(tmp_path: Path) -> None:
    item = {
        "itemType": "journalArticle",
        "title": "Tides and the timing of release",
        "creators": [
            {"firstName": "Maren", "lastName": "Kestrel", "creatorType": "author"},
            {"name": "Harbour Group", "creatorType": "author"},
            {"firstName": "Ed", "lastName": "Itor", "creatorType": "editor"},
        ],
        "date": "2015-05-28",
        "publicationTitle": "Journal of Shore Work",
        "pages": "4-9",
        "DOI": "10.1000/tides.1",
        "citationKey": "kestrel2015",
    }
    path = tmp_path / "lib.json"
    attachment = {"itemType": "attachment", "title": "Full Text PDF"}
    path.write_text(json.dumps({"config": {"id": "x"}, "items": [item, attachment]}), encoding="utf-8")
    (found,) = read(path).references
    assert [one.family or one.literal for one in found.authors] == ["Kestrel", "Harbour Group"]
    assert [one.family for one in found.editors] == ["Itor"]
    assert (found.year, found.container_title, found.pages) == (2015, "Journal of Shore Work", "4-9")
    assert (found.type, found.locus.citekey) == (WorkType.ARTICLE_JOURNAL, "kestrel2015")
