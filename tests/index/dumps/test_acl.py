"""The ACL Anthology's XML as records and tables of contents."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import acl
from citeaudit.index.dumps.acl import paper_id
from citeaudit.index.store.record import Listing, Name, Record, RecordNotice
from citeaudit.model import NoticeType
from tests.index.dumps.xml_reading import SAMPLES, dump, faults, listings, read, records

SAMPLE = SAMPLES / "2020.vst.xml"
OLD = SAMPLES / "W18.xml"


@pytest.fixture(scope="module")
def by_id() -> dict[str | None, Record]:
    return {record.id: record for record in records(read("acl", SAMPLE))}


def written(tmp_path: Path, inside: str, collection: str = "2019.vst") -> Path:
    path = tmp_path / f"{collection}.xml"
    path.write_text(f'<collection id="{collection}">\n{inside}\n</collection>\n')
    return path


def test_a_paper_is_read_in_full(by_id: dict[str | None, Record]) -> None:
    assert by_id["2020.vst-main.1"] == Record(
        title="Learning α-Trees with BERT: a small study",
        authors=(Name("Hollow", "Ada"), Name("Wang", "Wei"), Name("Fir"), Name("Stump", "Maurice J.")),
        year=2020,
        venue="Proceedings of the 10th Annual Meeting on Very Small Trees",
        pages="1–14",
        publisher="Association for Small Trees",
        type="paper-conference",
        doi="10.18653/v1/2020.vst-main.1",
        url="https://aclanthology.org/2020.vst-main.1",
        src="acl",
        id="2020.vst-main.1",
        updated="2021-02-03",
        contents="2020.vst-main",
    )


@pytest.mark.parametrize(
    ("number", "kind", "year"),
    [(2, NoticeType.RETRACTION, 2022), (3, NoticeType.CORRECTION, 2021), (4, NoticeType.WITHDRAWAL, 2020)],
)
def test_what_happened_to_a_paper_is_a_notice(
    by_id: dict[str | None, Record], number: int, kind: NoticeType, year: int
) -> None:
    assert by_id[f"2020.vst-main.{number}"].notices == (RecordNotice(kind, year=year),)


def test_a_doi_is_never_made_up(by_id: dict[str | None, Record]) -> None:
    assert by_id["2020.vst-main.2"].doi is None


def test_a_volume_is_a_book_and_a_table_of_contents(by_id: dict[str | None, Record]) -> None:
    assert listings(read("acl", SAMPLE)) == [
        Listing(
            "2020.vst-main",
            (
                "Proceedings of the 10th Annual Meeting on Very Small Trees",
                "10th Annual Meeting on Very Small Trees",
                "Tenth Meeting on Small Trees",
                "vst 2020",
            ),
            2020,
            4,
        )
    ]
    volume = by_id["2020.vst-main"]
    assert (volume.type, volume.editors, volume.isbn) == ("book", (Name("Štêrn", "Olga"),), "9783161484100")


def test_an_issue_of_a_journal_is_no_table_of_contents(by_id: dict[str | None, Record]) -> None:
    paper = by_id["2020.vst-q.1"]
    assert (paper.type, paper.venue) == ("article-journal", "Quarterly of the Society of Small Trees")
    assert (paper.volume, paper.issue, paper.contents) == ("8", "2", None)


@pytest.mark.parametrize(
    ("collection", "marked", "booktitle", "journal", "paper"),
    [
        ("T89", ' type="journal"', "Arboreal Letters, Volume 15, Number 4, May 1989", "Arboreal Letters", "T89-4001"),
        ("J89", "", "Arboreal Letters, Volume 15, Number 4, May 1989", "Arboreal Letters", "J89-4001"),
        ("2022.cl", "", "Arboreal Letters, Volume 48, Issue 1 - May 2022", "Arboreal Letters", "2022.cl-4.1"),
        ("2022.tacl", "", "Records of Trees, Volume 10", "Records of Trees", "2022.tacl-4.1"),
    ],
)
def test_a_journal_is_known_by_its_type_or_its_collection(
    collection: str, marked: str, booktitle: str, journal: str, paper: str, tmp_path: Path
) -> None:
    meta = f"<meta><booktitle>{booktitle}</booktitle></meta>"
    inside = f'<volume id="4"{marked}>{meta}<paper id="1"><title>Bark</title></paper></volume>'
    found = read("acl", written(tmp_path, inside, collection))
    first = records(found)[0]
    assert (first.venue, first.id) == (journal, paper)
    assert not listings(found)


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (("2020.acl", "main", "12"), "2020.acl-main.12"),
        (("2021.findings", "emnlp", "3"), "2021.findings-emnlp.3"),
        (("2008.tc", "1", "2"), "2008.tc-1.2"),
        (("P18", "1", "1"), "P18-1001"),
        (("W18", "1", "2"), "W18-0102"),
        (("W18", "65", "14"), "W18-6514"),
        (("C69", "2", "1"), "C69-0201"),
        (("D19", "1", "7"), "D19-1007"),
        (("D19", "50", "7"), "D19-5007"),
        (("P18", "x", "1"), "P18-x.1"),
    ],
)
def test_anthology_ids(parts: tuple[str, str, str], wanted: str) -> None:
    assert paper_id(*parts) == wanted


def test_old_collections_have_old_ids_and_a_year_by_their_name(tmp_path: Path) -> None:
    found = read("acl", OLD)
    assert [record.id for record in records(found)] == ["W18-0102", "W18-1"]
    meta = "<meta><booktitle>Proceedings of a Meeting on Trees</booktitle></meta>"
    for name, year in (("C69", 1969), ("P05", 2005), ("2011.x", 2011), ("odd", None)):
        path = written(tmp_path, f'<volume id="1">{meta}<paper id="1"><title>Bark</title></paper></volume>', name)
        again = read("acl", path)
        assert records(again)[0].year == year
        assert bool(listings(again)) == (year is not None)


def test_a_malformed_paper_is_placed_counted_and_the_others_survive(tmp_path: Path) -> None:
    meta = "<meta><booktitle>Proceedings of a Meeting on Small Trees</booktitle><year>2019</year></meta>"
    papers = [
        '<paper id="1"><title>Bark</title></paper>',
        '<paper id="2"><title>Broken <b>off</title></paper>',
        '<paper id="3"><author><last>Elm</last></author></paper>',
        '<paper id="4"><title>Sap</title></paper>',
    ]
    found = read("acl", written(tmp_path, f'<volume id="1">{meta}\n' + "\n".join(papers) + "</volume>"))
    assert [record.title for record in records(found)] == ["Bark", "Sap", "Proceedings of a Meeting on Small Trees"]
    assert [one.where for one in faults(found)] == ["line 4 (2)", "line 5 (2019.vst-1.3)"]
    assert listings(found)[0].works == 4  # so that the volume is not taken for complete


def test_a_volume_whose_heading_is_broken_claims_nothing(tmp_path: Path) -> None:
    meta = "<meta><booktitle>Proceedings <b>of</booktitle></meta>"
    found = read("acl", written(tmp_path, f'<volume id="1">{meta}<paper id="1"><title>Bark</title></paper></volume>'))
    assert [(record.title, record.year, record.venue) for record in records(found)] == [("Bark", 2019, None)]
    assert not listings(found)
    assert len(faults(found)) == 1


def test_a_heading_without_letters_is_a_fault(tmp_path: Path) -> None:
    found = read("acl", written(tmp_path, '<volume id="1"><meta><booktitle>--</booktitle></meta></volume>'))
    assert [one.where for one in faults(found)] == ["line 2 (2019.vst-1)"]


def test_a_collection_beyond_reading_is_one_fault(tmp_path: Path) -> None:
    found = read("acl", written(tmp_path, '<volume id="1"><event></volume>'))
    assert (len(found), len(faults(found))) == (1, 1)


def test_a_collection_that_breaks_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.xml"
    path.write_bytes(SAMPLE.read_bytes()[:2_000])
    with pytest.raises(IndexBuildError, match=r"cut\.xml: breaks off"):
        read("acl", path)


def archive(path: Path, names: dict[str, bytes]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for name, data in names.items():
                made.writestr(name, data)
        return path
    folder = path.parent / "tree"
    with tarfile.open(path, "w:gz") as packed:
        for name, data in names.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            packed.add(file, name)
    return path


@pytest.mark.parametrize("name", ["repository.tar.gz", "repository.zip"])
def test_the_archive_of_the_repository_gives_its_collections_alone(name: str, tmp_path: Path) -> None:
    files = {
        "acl-anthology-master/README.md": b"# hello",
        "acl-anthology-master/data/xml/2020.vst.xml": SAMPLE.read_bytes(),
        "acl-anthology-master/data/xml/W18.xml": OLD.read_bytes(),
        "acl-anthology-master/python/tests/toy/data/xml/W18.xml": OLD.read_bytes(),
        "acl-anthology-master/hugo/layout.xml": b"<?xml version='1.0'?><rss></rss>",
    }
    path = archive(tmp_path / name, files)
    assert read("acl", path) == read("acl", SAMPLE) + read("acl", OLD)
    places = [unit.place for unit in dump("acl").split(path)]
    assert places[1] == "member acl-anthology-master/data/xml/W18.xml: line 1"


@pytest.mark.parametrize("name", ["other.tar.gz", "other.zip"])
def test_an_archive_without_collections_is_refused(name: str, tmp_path: Path) -> None:
    path = archive(tmp_path / name, {"x/a.xml": b"<?xml version='1.0'?><rss></rss>", "x/b.txt": b"y"})
    with pytest.raises(IndexBuildError, match="holds no XML of the ACL Anthology"):
        read("acl", path)


def test_archives_that_are_damaged_too_large_or_gone_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(tmp_path / "a.zip", {"data/xml/W18.xml": OLD.read_bytes() + b" " * 100_000})
    data = path.read_bytes()
    (tmp_path / "cut.zip").write_bytes(data[: len(data) // 2])
    with pytest.raises(IndexBuildError, match="ZIP that cannot be read"):
        read("acl", tmp_path / "cut.zip")
    monkeypatch.setattr(acl, "MAX_COLLECTION", 50_000)
    with pytest.raises(IndexBuildError, match="unpacks to more than"):
        read("acl", path)
    with pytest.raises(IndexBuildError, match="cannot be read"):
        read("acl", tmp_path / "gone.zip")


def test_a_packed_collection_reads_as_the_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "2020.vst.xml.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    assert read("acl", path) == read("acl", SAMPLE)
