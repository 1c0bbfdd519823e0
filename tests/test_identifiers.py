"""Identifiers are cleaned to one form, found in running text, and refused when they cannot be right."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit import identifiers as ids

Cleaner = Callable[[str | None], str | None]
CLEANERS: tuple[Cleaner, ...] = (
    ids.clean_doi,
    ids.clean_arxiv_id,
    ids.clean_pmid,
    ids.clean_pmcid,
    ids.clean_isbn,
    ids.clean_issn,
    ids.clean_url,
)
SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("10.1000/ABC.Def", "10.1000/abc.def", id="lower-case"),
        pytest.param("https://doi.org/10.1000/abc", "10.1000/abc", id="resolver"),
        pytest.param("http://dx.doi.org/10.1000/abc", "10.1000/abc", id="old-resolver"),
        pytest.param("doi:10.1000/abc", "10.1000/abc", id="scheme"),
        pytest.param("DOI: 10.1000/abc.", "10.1000/abc", id="closing-stop"),
        pytest.param("(10.1000/abc)", "10.1000/abc", id="unopened-bracket"),
        pytest.param("10.1000/(abc)", "10.1000/(abc)", id="own-bracket"),
        pytest.param("10.1016/s0140-6736(05)67889-0", "10.1016/s0140-6736(05)67889-0", id="elsevier-pii"),
        pytest.param("10.1000/abc%2Fdef", "10.1000/abc/def", id="percent"),
        pytest.param("10.1000/abc?via=ihub", "10.1000/abc", id="query"),
        pytest.param("10.3389/fpsyg.2014.01582/full", "10.3389/fpsyg.2014.01582", id="page-of-publisher"),
        pytest.param("10.1000/abc.pdf", "10.1000/abc", id="pdf"),
        pytest.param("10.1000/abc\u200b", "10.1000/abc", id="zero-width"),
        pytest.param("10.1000/abc–1", "10.1000/abc-1", id="dash"),
        pytest.param("10.1000/abc;10.1000/def", "10.1000/abc", id="two"),
        pytest.param("10.1000/abc</a>", "10.1000/abc", id="markup"),
        pytest.param("10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2", SICI, id="sici"),
        pytest.param(SICI.replace("<", "&lt;").replace(">", "&gt;"), SICI, id="sici-entities"),
        pytest.param("10.48550/arXiv.1706.03762v3", "10.48550/arxiv.1706.03762", id="arxiv-version"),
        pytest.param("10.1000.10/123", "10.1000.10/123", id="sub-registrant"),
        pytest.param("10.100/abc", None, id="short-prefix"),
        pytest.param("11.1000/abc", None, id="other-directory"),
        pytest.param("10.1000/", None, id="no-suffix"),
        pytest.param("10.1000/...", None, id="only-stops"),
        pytest.param("", None, id="empty"),
        pytest.param(None, None, id="none"),
    ],
)
def test_doi_has_one_form(raw: str | None, expected: str | None) -> None:
    assert ids.clean_doi(raw) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("J. Things 1 (2001). doi: 10.1000/abc.", "10.1000/abc", id="plain"),
        pytest.param("doi: 10. 4049/jimmunol. 1700893.", "10.4049/jimmunol.1700893", id="ocr-spaces"),
        pytest.param("10.1016/j. neunet. 2014. 09.003. 2014", "10.1016/j.neunet.2014.09.003", id="elsevier-spaces"),
        pytest.param("10.1007/978-3-319- 10590-1_53 p. 3", "10.1007/978-3-319-10590-1_53", id="broken-at-hyphen"),
        pytest.param("https://doi.org/ 10.1000/abc Smith", "10.1000/abc", id="broken-after-resolver"),
        pytest.param("doi:10.1000/xyz. 2010", "10.1000/xyz", id="a-year-is-no-part"),
        pytest.param("doi:10.1000/xyz1. Berlin", "10.1000/xyz1", id="next-sentence"),
        pytest.param(f"see {SICI}", SICI, id="sici"),
        pytest.param("10.1000/abc, 10.1000/def", "10.1000/abc", id="first-of-two"),
        pytest.param("no identifier in 10 of 1000/2 cases", None, id="none"),
    ],
)
def test_doi_is_found_and_repaired(text: str, expected: str | None) -> None:
    assert ids.find_doi(text) == expected


def test_span_of_a_found_doi_includes_its_cue() -> None:
    text = "Title. doi: 10.1000/abc and more"
    found = ids.locate_doi(text)
    assert found is not None
    assert text[found.start : found.end] == "doi: 10.1000/abc"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("1706.03762", "1706.03762", id="new"),
        pytest.param("1706.03762v7", "1706.03762v7", id="version-kept"),
        pytest.param("arXiv:1706.03762", "1706.03762", id="scheme"),
        pytest.param("https://arxiv.org/abs/1706.03762", "1706.03762", id="abs"),
        pytest.param("http://arxiv.org/pdf/1706.03762v7.pdf", "1706.03762v7", id="pdf"),
        pytest.param("https://www.arxiv.org/html/1706.03762", "1706.03762", id="html"),
        pytest.param("10.48550/arXiv.1706.03762", "1706.03762", id="doi"),
        pytest.param("2412. 08905", "2412.08905", id="ocr-space"),
        pytest.param("1706.03762 [cs.CL]", "1706.03762", id="class-after"),
        pytest.param("0704.0001", "0704.0001", id="first-of-the-new"),
        pytest.param("1412.6980", "1412.6980", id="four-digits-until-2014"),
        pytest.param("hep-th/9901001", "hep-th/9901001", id="old"),
        pytest.param("math.GT/0309136", "math/0309136", id="old-with-class"),
        pytest.param("cond-mat/0501234v2", "cond-mat/0501234v2", id="old-with-version"),
        pytest.param("2413.01234", None, id="month-13"),
        pytest.param("2400.01234", None, id="month-0"),
        pytest.param("1412.69801", None, id="five-digits-too-early"),
        pytest.param("1501.1234", None, id="four-digits-too-late"),
        pytest.param("0703.1234", None, id="before-the-new-scheme"),
        pytest.param("1706.00000", None, id="number-zero"),
        pytest.param("hep-th/9913001", None, id="old-month-13"),
        pytest.param("hep-th/0801001", None, id="old-scheme-too-late"),
        pytest.param("nothing/9901001", None, id="no-such-archive"),
        pytest.param("", None, id="empty"),
        pytest.param(None, None, id="none"),
    ],
)
def test_arxiv_id_is_checked_against_its_date(raw: str | None, expected: str | None) -> None:
    assert ids.clean_arxiv_id(raw) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("arXiv preprint arXiv:1312.4400, 2013", "1312.4400", id="scheme"),
        pytest.param("arXiv preprint arXiv:2412. 08905, 2024", "2412.08905", id="ocr-space"),
        pytest.param("CoRR, abs/1412.6980, 2014", "1412.6980", id="corr"),
        pytest.param("arXiv 1412.6980 (2014)", "1412.6980", id="name-only"),
        pytest.param("URL https://arxiv.org/ abs/2312.06674.", "2312.06674", id="broken-url"),
        pytest.param("1412.6980 [cs.LG]", "1412.6980", id="class"),
        pytest.param("Nucl. Phys. B 1, 2 (1999) [hep-th/9901001]", "hep-th/9901001", id="old"),
        pytest.param("arXiv:2413.01234", None, id="impossible"),
        pytest.param("pages 1412.6980", None, id="no-cue"),
        pytest.param("arXiv preprint, 2015", None, id="year"),
    ],
)
def test_arxiv_id_needs_a_cue(text: str, expected: str | None) -> None:
    assert ids.find_arxiv_id(text) == expected


def test_arxiv_id_and_doi_convert() -> None:
    assert ids.bare_arxiv_id("hep-th/9901001v2") == "hep-th/9901001"
    assert ids.bare_arxiv_id("1706.03762") == "1706.03762"
    assert ids.doi_arxiv_id("10.48550/arXiv.1706.03762v1") == "1706.03762"
    assert ids.doi_arxiv_id("10.1000/arxiv.1706.03762") is None
    assert ids.doi_arxiv_id(None) is None


@pytest.mark.parametrize(
    ("clean", "raw", "expected"),
    [
        pytest.param(ids.clean_pmid, "PMID: 12345678", "12345678", id="pmid-cue"),
        pytest.param(ids.clean_pmid, "0012345", "12345", id="pmid-zeros"),
        pytest.param(ids.clean_pmid, "https://pubmed.ncbi.nlm.nih.gov/12345678/", "12345678", id="pmid-url"),
        pytest.param(ids.clean_pmid, "123456789", None, id="pmid-too-long"),
        pytest.param(ids.clean_pmid, "000", None, id="pmid-zero"),
        pytest.param(ids.clean_pmcid, "PMC5334499", "PMC5334499", id="pmcid"),
        pytest.param(ids.clean_pmcid, "5334499", "PMC5334499", id="pmcid-digits"),
        pytest.param(ids.clean_pmcid, "PMCID: PMC5334499", "PMC5334499", id="pmcid-cue"),
        pytest.param(ids.clean_pmcid, "PMC000", None, id="pmcid-zero"),
        pytest.param(ids.clean_pmcid, "PMX1234", None, id="pmcid-wrong"),
        pytest.param(ids.clean_isbn, "0-306-40615-2", "9780306406157", id="isbn-10"),
        pytest.param(ids.clean_isbn, "ISBN-13: 978-0-306-40615-7", "9780306406157", id="isbn-13"),
        pytest.param(ids.clean_isbn, "080442957X", "9780804429573", id="isbn-x"),
        pytest.param(ids.clean_isbn, "0-306-40615-3", None, id="isbn-10-digit"),
        pytest.param(ids.clean_isbn, "978-0-306-40615-8", None, id="isbn-13-digit"),
        pytest.param(ids.clean_isbn, "12345", None, id="isbn-short"),
        pytest.param(ids.clean_issn, "ISSN 0378-5955", "0378-5955", id="issn"),
        pytest.param(ids.clean_issn, "2434-561X", "2434-561X", id="issn-x"),
        pytest.param(ids.clean_issn, "0378-5956", None, id="issn-digit"),
        pytest.param(ids.clean_issn, "", None, id="issn-empty"),
        pytest.param(ids.clean_url, "https://example.org/a_b?c=d#e).", "https://example.org/a_b?c=d#e", id="url"),
        pytest.param(ids.clean_url, "www.example.org/x", "http://www.example.org/x", id="url-www"),
        pytest.param(ids.clean_url, r"\url{https://example.org/}", "https://example.org/", id="url-latex"),
        pytest.param(ids.clean_url, "<https://example.org/A(b)>", "https://example.org/A(b)", id="url-brackets"),
        pytest.param(ids.clean_url, "https://localhost/x", None, id="url-no-dot"),
        pytest.param(ids.clean_url, "javascript:alert(1)", None, id="url-scheme"),
        pytest.param(ids.clean_url, "https://exa mple.org", None, id="url-space"),
        pytest.param(ids.clean_url, "https://[::1", None, id="url-broken-host"),
        pytest.param(ids.clean_url, None, None, id="url-none"),
    ],
)
def test_other_identifiers_have_one_form(clean: Cleaner, raw: str | None, expected: str | None) -> None:
    assert clean(raw) == expected


@pytest.mark.parametrize(
    ("locate", "text", "expected"),
    [
        pytest.param(ids.locate_pmid, "J. Things. PMID: 1234567.", "1234567", id="pmid"),
        pytest.param(ids.locate_pmid, "1234567", None, id="pmid-bare"),
        pytest.param(ids.locate_pmcid, "(PMC5334499)", "PMC5334499", id="pmcid"),
        pytest.param(ids.locate_pmcid, "PM", None, id="pmcid-none"),
        pytest.param(ids.locate_isbn, "Berlin, ISBN 978-0-306-40615-7 (2003)", "9780306406157", id="isbn"),
        pytest.param(ids.locate_isbn, "ISBN 978-0-306-40615-8", None, id="isbn-wrong"),
        pytest.param(ids.locate_issn, "ISSN: 0378-5955, pp. 1", "0378-5955", id="issn"),
        pytest.param(ids.locate_issn, "pp. 0378-5955", None, id="issn-pages"),
        pytest.param(
            ids.locate_url,
            "see https://example.org/ neco/a-b/27/4.",
            "https://example.org/neco/a-b/27/4",
            id="url-broken",
        ),
        pytest.param(
            ids.locate_url, "https://some-site. github.io/x/", "https://some-site.github.io/x/", id="url-host-broken"
        ),
        pytest.param(ids.locate_url, "https://example.org/ 2016.", "https://example.org/", id="url-then-year"),
        pytest.param(ids.locate_url, "http://localhost and www.example.org", "http://www.example.org", id="url-second"),
        pytest.param(ids.locate_url, "nothing", None, id="url-none"),
    ],
)
def test_identifiers_are_found_in_running_text(
    locate: Callable[[str], ids.Found | None], text: str, expected: str | None
) -> None:
    found = locate(text)
    assert (found.value if found else None) == expected


@given(st.sampled_from(CLEANERS), st.text(max_size=60))
def test_cleaners_are_idempotent_on_any_text(clean: Cleaner, raw: str) -> None:
    once = clean(raw)
    assert once is None or clean(once) == once


@given(
    st.sampled_from(["10.1000/", "https://doi.org/10.1234/", "doi:10.48550/arXiv.", "10.1002/(SICI)"]),
    st.text(alphabet="aB1.(/)<>;:%25v[]_-,&", max_size=30),
)
def test_doi_cleaner_is_idempotent_on_odd_suffixes(prefix: str, suffix: str) -> None:
    once = ids.clean_doi(prefix + suffix)
    assert once is None or ids.clean_doi(once) == once


@given(st.integers(7, 40), st.integers(0, 99), st.integers(0, 99_999))
def test_arxiv_id_with_an_impossible_month_is_none(year: int, month: int, number: int) -> None:
    cleaned = ids.clean_arxiv_id(f"{year:02}{month:02}.{number:05}")
    assert cleaned is None or 1 <= month <= 12


@pytest.mark.parametrize("unit", ["a", "(", "10.1234/", "arxiv:", "isbn 9", "http://a ", "doi ", " ", "1"])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    started = time.perf_counter()
    for locate in (ids.locate_doi, ids.locate_arxiv_id, ids.locate_url, ids.locate_isbn, ids.locate_pmid):
        locate(text)
    assert time.perf_counter() - started < 20
