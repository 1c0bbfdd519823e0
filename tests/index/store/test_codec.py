"""What is packed comes back as it was; what is damaged is an error, never a wrong record."""

from __future__ import annotations

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.index.manifest import COUNTED
from citeaudit.index.store.codec import FEWEST, MAX_PACKED, Codec, train
from citeaudit.index.store.keys import record_keys
from citeaudit.index.store.prepare import fields_of, prepare
from citeaudit.index.store.record import About, Name, Record, RecordNotice, Related
from citeaudit.index.store.terms import text_of
from citeaudit.model import NoticeType

RECORDS = [
    Record(
        f"On Widgets number {place}: a study of {word}s",
        authors=(Name("Roe", "Jane"), Name("Doe", word)),
        year=1990 + place % 30,
        venue="Journal of Widgets",
        doi=f"10.1234/w.{place}",
        src="made",
    )
    for place in range(2 * FEWEST)
    for word in ("lever", "gear", "spring")
]
TRAINED = train(RECORDS)

TEXT = st.none() | st.text(max_size=30)
NAMES = st.lists(st.builds(Name, TEXT, TEXT, TEXT), max_size=5).map(tuple)
KINDS = st.sampled_from(NoticeType)
ANY = st.builds(
    Record,
    title=st.text(min_size=1, max_size=60),
    authors=NAMES,
    authors_complete=st.none() | st.booleans(),
    year=st.none() | st.integers(1000, 2100),
    venue=TEXT,
    volume=TEXT,
    doi=TEXT,
    url=TEXT,
    id=TEXT,
    notices=st.lists(st.builds(RecordNotice, KINDS, TEXT, st.none() | st.integers(1000, 2100)), max_size=2).map(tuple),
    titles=st.lists(st.text(max_size=20), max_size=2).map(tuple),
    related=st.lists(st.builds(Related, *[st.text(max_size=9)] * 3), max_size=2).map(tuple),
    about=st.lists(st.builds(About, KINDS, st.text(max_size=9), st.text(max_size=9)), max_size=2).map(tuple),
    editors=NAMES,
    years=st.lists(st.integers(1000, 2100), max_size=2).map(tuple),
    updated=st.none() | st.just("2020-01-01"),
    contents=st.none() | st.just("x"),
)


@given(ANY)
def test_what_is_packed_comes_back(record: Record) -> None:
    for codec in (Codec(), TRAINED):
        again = codec.unpack(codec.pack(record))
        assert again == record._replace(updated=None, contents=None)
        assert (text_of(again), record_keys(again)) == (text_of(record), record_keys(record))


def test_what_only_informs_the_counts_is_not_stored() -> None:
    record = RECORDS[0]._replace(updated="2020-01-01", contents="x")
    assert TRAINED.unpack(TRAINED.pack(record)) == RECORDS[0]


def test_training_pays_and_is_repeatable() -> None:
    assert train(RECORDS).dictionary == TRAINED.dictionary
    assert sum(len(TRAINED.pack(one)) for one in RECORDS) < 0.5 * sum(len(Codec().pack(one)) for one in RECORDS)


@pytest.mark.parametrize("records", [[], RECORDS[: FEWEST - 1]], ids=["none", "few"])
def test_too_little_to_learn_from_makes_a_codec_without_dictionary(records: list[Record]) -> None:
    codec = train(records)
    assert codec.dictionary is None
    assert codec.unpack(codec.pack(Record("On Widgets"))) == Record("On Widgets")


def test_another_process_packs_the_same() -> None:
    other = Codec(pickle.loads(pickle.dumps(TRAINED.dictionary)))  # noqa: S301 - our own bytes
    assert [other.pack(one) for one in RECORDS[:50]] == [TRAINED.pack(one) for one in RECORDS[:50]]


def test_threads_may_share_a_codec() -> None:
    packed = [TRAINED.pack(one) for one in RECORDS]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(TRAINED.unpack, packed)) == RECORDS


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff", TRAINED.pack(RECORDS[0])[:-3], Codec().pack(RECORDS[0])[::-1]])
def test_damaged_data_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="damaged"):
        TRAINED.unpack(data)


@pytest.mark.parametrize("content", [b"[]", b"{}", b"[1]", b'["a",1]', b'["a",[["b"]],null,1,2' + b",1" * 30 + b"]"])
def test_json_of_another_shape_is_a_value_error(content: bytes) -> None:
    codec = Codec()
    with pytest.raises(ValueError, match="damaged"):
        codec.unpack(codec._tools.compress(content))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    codec = Codec()
    with pytest.raises(ValueError, match="would unpack to"):
        codec.unpack(codec._tools.compress(b" " * (MAX_PACKED + 1)))


@settings(max_examples=200)
@given(st.integers(0, 2**32))
def test_changed_bytes_never_end_in_another_error(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    data = bytearray(TRAINED.pack(RECORDS[chance.randrange(len(RECORDS))]))
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    with suppress(ValueError):
        TRAINED.unpack(bytes(data))


def test_a_row_counts_the_fields_that_are_there() -> None:
    record = Record("t", (Name("Roe", "J."),), year=2000, doi="10.1234/a")
    named = {name for place, name in enumerate(COUNTED) if fields_of(record) >> place & 1}
    assert named == {"authors", "year", "doi", "authors_complete"}
    assert fields_of(Record("t")) == 0


def test_a_notice_is_kept_with_the_work_it_is_about() -> None:
    from citeaudit.index.store.keys import identifier_key

    about = (About(NoticeType.RETRACTION, "doi", "10.1234/a"), About(NoticeType.CORRECTION, "pmid", "7"))
    row = prepare(Record("Retraction of On Widgets", doi="10.1234/r", year=2021, about=about), Codec())
    assert row.about == (
        (identifier_key("doi", "10.1234/a"), "retraction", "10.1234/r", 2021),
        (identifier_key("pmid", "7"), "correction", "10.1234/r", 2021),
    )
