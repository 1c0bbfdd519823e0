"""dblp's XML as records and tables of contents."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps.proceedings import names_of
from citeaudit.index.store.record import Listing, Name, Record, RecordNotice
from citeaudit.model import NoticeType
from tests.index.dumps.xml_reading import SAMPLES, dump, faults, listings, read, records

SAMPLE = SAMPLES / "dblp.xml"


@pytest.fixture(scope="module")
def by_id() -> dict[str | None, Record]:
    return {record.id: record for record in records(read("dblp", SAMPLE))}


def one(tmp_path: Path, element: str) -> list[Record | Listing]:
    path = tmp_path / "dblp.xml"
    path.write_text(f'<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n{element}\n</dblp>')
    found = read("dblp", path)
    assert not faults(found)
    return [item for item in found if isinstance(item, Record | Listing)]


def test_an_article_is_read_in_full(by_id: dict[str | None, Record]) -> None:
    assert by_id["journals/jtrees/MuellerW19"] == Record(
        title="On the de novo Growth of H2O-Fed Trees: Bounds & Proofs",
        authors=(Name("Müller", "Jürgen"), Name("Wang", "Wei"), Name("van der Berg", "Laura")),
        year=2019,
        venue="J. Trees",
        volume="12",
        issue="3",
        pages="17-42",
        type="article-journal",
        doi="10.1234/jtrees.2019.17",
        src="dblp",
        id="journals/jtrees/MuellerW19",
        updated="2021-03-04",
    )


def test_every_kind_of_work_is_read_and_persons_are_not(by_id: dict[str | None, Record]) -> None:
    assert {key: record.type for key, record in by_id.items()} == {
        "journals/jtrees/MuellerW19": "article-journal",
        "journals/corr/abs-2001-01234": "preprint",
        "journals/corr/cs-DS-0101001": "preprint",
        "journals/jtrees/Gone22": "article-journal",
        "conf/vst/2019": "book",
        "conf/vst/Hollow19": "paper-conference",
        "reference/trees/Fir17": "entry-encyclopedia",
        "books/copse/Oak18": "book",
        "phd/dnb/Ash16": "thesis",
        "ms/Elm15": "thesis",
        "data/10/Yew24": "software",
    }


@pytest.mark.parametrize(
    ("key", "arxiv_id", "title"),
    [
        ("journals/corr/abs-2001-01234", "2001.01234", "Counting Leaves Without Looking?"),
        ("journals/corr/cs-DS-0101001", "cs/0101001", "Old Roots"),
    ],
)
def test_preprints_have_their_arxiv_id(by_id: dict[str | None, Record], key: str, arxiv_id: str, title: str) -> None:
    record = by_id[key]
    assert (record.arxiv_id, record.title, record.volume, record.venue) == (arxiv_id, title, None, "CoRR")


@pytest.mark.parametrize(
    ("links", "doi", "arxiv_id", "url"),
    [
        pytest.param(["https://doi.org/10.48550/arXiv.2001.01234"], "10.48550/arxiv.2001.01234", "2001.01234", None),
        pytest.param(["http://dx.doi.org/10.1234/A%28B%29"], "10.1234/a(b)", None, None),
        pytest.param(["https://a.example/x", "https://doi.org/10.1234/c"], "10.1234/c", None, "https://a.example/x"),
        pytest.param(["https://www.wikidata.org/entity/Q2", "https://b.example/"], None, None, "https://b.example/"),
        pytest.param(["http://arxiv.org/pdf/2001.01234v2"], None, "2001.01234v2", None),
    ],
    ids=["arxiv-doi", "escaped", "second", "wikidata", "arxiv-pdf"],
)
def test_links_become_identifiers(
    links: list[str], doi: str | None, arxiv_id: str | None, url: str | None, tmp_path: Path
) -> None:
    editions = "".join(f"<ee>{link}</ee>" for link in links)
    (record,) = one(tmp_path, f'<article key="journals/a/B"><title>Leaf.</title>{editions}</article>')
    assert isinstance(record, Record)
    assert (record.doi, record.arxiv_id, record.url) == (doi, arxiv_id, url)


def test_the_volume_alone_gives_the_arxiv_id(tmp_path: Path) -> None:
    fields = "<title>Leaf.</title><journal>CoRR</journal><volume>abs/2001.01234</volume>"
    (record,) = one(tmp_path, f'<article key="journals/corr/X" publtype="informal">{fields}</article>')
    assert isinstance(record, Record)
    assert (record.arxiv_id, record.type) == ("2001.01234", "preprint")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Wei Wang 0003", Name("Wang", "Wei")),
        ("Guy L. Stump Jr.", Name("Stump", "Guy L.")),
        ("Tim Elm III", Name("Elm", "Tim")),
        ("Jan van den Ast", Name("van den Ast", "Jan")),
        ("Aristotle", Name(literal="Aristotle")),
        ("Mar&iacute;a Jos&eacute; Arce", Name("Arce", "María José")),
    ],
)
def test_names_are_split(name: str, wanted: Name, tmp_path: Path) -> None:
    (record,) = one(tmp_path, f'<article key="j/a"><author>{name}</author><title>Leaf</title></article>')
    assert isinstance(record, Record)
    assert record.authors == (wanted,)


def test_an_unknown_named_character_stays_readable(by_id: dict[str | None, Record]) -> None:
    assert by_id["conf/vst/Hollow19"].authors[1] == Name("Brook", "Zoë &unheardof;")


def test_a_withdrawn_paper_carries_a_notice(by_id: dict[str | None, Record]) -> None:
    assert by_id["journals/jtrees/Gone22"].notices == (RecordNotice(NoticeType.WITHDRAWAL),)
    assert all(not record.notices for key, record in by_id.items() if key != "journals/jtrees/Gone22")


def test_proceedings_are_a_book_and_a_table_of_contents(by_id: dict[str | None, Record]) -> None:
    (listing,) = listings(read("dblp", SAMPLE))
    assert (listing.key, listing.year, listing.works) == ("conf/vst/2019", 2019, None)
    assert listing.names[1:] == (
        "Proceedings of the 9th Conference on Very Small Trees",
        "9th Conference on Very Small Trees",
        "VST 2019",
    )
    assert by_id["conf/vst/Hollow19"].contents == listing.key
    volume = by_id["conf/vst/2019"]
    assert volume.title == listing.names[0]
    assert (volume.editors, volume.isbn, volume.contents) == ((Name("Štêrn", "Olga"),), "9783161484100", None)


def test_articles_claim_no_table_of_contents(by_id: dict[str | None, Record]) -> None:
    assert by_id["journals/jtrees/MuellerW19"].contents is None


@pytest.mark.parametrize(
    ("title", "acronym", "names"),
    [
        pytest.param("VST 2019", "VST", ["VST 2019"], id="acronym-alone"),
        pytest.param("Trees, Part I", "ICCS (2)", [], id="nothing-of-its-own"),
        pytest.param(
            "Advances in Very Small Tree Systems 33: Annual Meeting on Very Small Tree Systems 2019, TreeIPS 2019, x",
            "TreeIPS",
            [
                "Advances in Very Small Tree Systems 33: Annual Meeting on Very Small Tree Systems 2019",
                "Advances in Very Small Tree Systems 33",
                "Advances in Very Small Tree Systems",
                "TreeIPS 2019",
            ],
            id="series-with-number",
        ),
        pytest.param(
            "Small Trees - EST 2019 - 16th European Conference on Trees, Ulm, 2019, Proceedings, Part II",
            "EST (2)",
            ["Small Trees - EST 2019 - 16th European Conference on Trees", "EST 2019"],
            id="part",
        ),
        pytest.param(
            "Proceedings of the 2019 Workshop on Old Small Trees (WOST)",
            "WOST@VST",
            ["Proceedings of the 2019 Workshop on Old Small Trees", "2019 Workshop on Old Small Trees"],
            id="bracketed",
        ),
    ],
)  # fmt: skip
def test_names_are_those_that_mean_one_event(title: str, acronym: str, names: list[str]) -> None:
    found = names_of(title, acronym, 2019)
    assert found[0] == title
    assert set(names) - {title} <= set(found)
    assert acronym not in found
    assert not any(name in {"ICCS", "Trees", "ICCS 2019", "Small Trees"} for name in found[1:])


@pytest.mark.parametrize(
    ("broken", "place", "why"),
    [
        pytest.param("<book key='b/1'><title>Half</titel></book>", "line 3 (b/1)", "no well-formed XML", id="tag"),
        pytest.param("<book key='b/2'><year>2018</year></book>", "line 3 (b/2)", "no letters or digits", id="no-title"),
        pytest.param("<book key='b/3'><title>...</title></book>", "line 3 (b/3)", "no letters or digits", id="dots"),
        pytest.param("<book key='b/4'><title>a &#0; b</title></book>", "line 3 (b/4)", "no well-formed XML", id="null"),
    ],
)
def test_a_malformed_record_is_placed_and_the_others_survive(broken: str, place: str, why: str, tmp_path: Path) -> None:
    good = '<book key="g{}"><title>Leaf {}</title><year>20189</year></book>'
    path = tmp_path / "dblp.xml"
    path.write_text("<dblp>\n" + "\n".join([good.format(1, 1), broken, good.format(2, 2)]) + "\n</dblp>")
    found = read("dblp", path)
    assert [(record.id, record.year) for record in records(found)] == [("g1", None), ("g2", None)]
    (fault,) = faults(found)
    assert fault.where == place
    assert why in fault.why


@pytest.mark.parametrize(
    ("lost", "keys"),
    [
        pytest.param("<inproceedings key='p/1'><title/><crossref>conf/a/1</crossref></inproceedings>", {"conf/a/1"}),
        pytest.param(
            "<inproceedings key='p/2'><title>A<crossref>conf/a/1</crossref></inproceedings>", {"conf/a/1"}
        ),
        pytest.param(
            "<inproceedings key='p/3'><title>A</title><crossref>conf/a/1</crossref>\n"
            "<inproceedings key='p/4'><title>B</title><crossref>conf/a&amp;b/2</crossref></inproceedings>",
            {"conf/a/1"},
        ),
        pytest.param("<proceedings key='conf/a/1'><title>...</title></proceedings>", {"conf/a/1"}),
        pytest.param("<article key='j/1'><title/></article>", set()),
    ],
    ids=["no-title", "not-well-formed", "unclosed", "proceedings", "in-no-table"],
)  # fmt: skip
def test_what_is_lost_leaves_a_gap_in_its_table_of_contents(lost: str, keys: set[str], tmp_path: Path) -> None:
    path = tmp_path / "dblp.xml"
    path.write_text(f"<dblp>\n{lost}\n</dblp>")
    found = read("dblp", path)
    assert len(faults(found)) == 1
    assert {one.key for one in listings(found) if one.broken} == keys


def test_a_packed_dump_reads_as_the_plain_one_and_half_of_it_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress(SAMPLE.read_bytes())
    whole, half = tmp_path / "dblp.xml.gz", tmp_path / "half.xml.gz"
    whole.write_bytes(packed)
    half.write_bytes(packed[: len(packed) // 2])
    assert read("dblp", whole) == read("dblp", SAMPLE)
    with pytest.raises(IndexBuildError, match=r"half\.xml\.gz"):
        read("dblp", half)


def test_it_is_fast_enough(tmp_path: Path) -> None:
    text = SAMPLE.read_text()
    start = text.index("<article")
    body = text[start : text.index("</dblp>")]
    path = tmp_path / "dblp.xml"
    path.write_text(text[:start] + body * 1_000 + "</dblp>")
    form = dump("dblp")
    units = list(form.split(path))
    assert len(units) > 2
    best = 1.0
    for unit in units:
        started = time.perf_counter()
        count = sum(isinstance(found, Record) for found in form.read(unit))
        best = min(best, (time.perf_counter() - started) / count)
    assert best < 200e-6  # measured: 30 microseconds where nothing else runs
