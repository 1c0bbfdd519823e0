"""`citeaudit index`: the commands that show what indexes hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, cast

from citeaudit.cli.getting import size_words
from citeaudit.cli.indexing import telling
from citeaudit.cli.places import index_folder, locate
from citeaudit.errors import IndexDamagedError, UsageError
from citeaudit.index import manifest as manifests
from citeaudit.index.manifest import COUNTED, DATA, PARTS, Counts, Covered, Manifest, SourceInfo
from citeaudit.text.visible import visible

if TYPE_CHECKING:
    from citeaudit.index.asking.candidates import Held
    from citeaudit.index.asking.finding import Seen
    from citeaudit.index.coverage.covering import Share
    from citeaudit.model import Query, Version, Work

SHOWN_VENUES = 40
"""Venues and years that a comparison shows."""

_SILENT = "no coverage statement: what it lacks may exist all the same"
_FIELD_WORDS = {"authors_complete": "whole author lists", "about": "is a notice", "related": "other versions"}
_IDENTIFIERS = ("doi", "arxiv_id", "pmid", "pmcid", "isbn")
_AUTHORS, _SOURCES = 3, 10
_DAMAGED = 1


def show(index: str, *, years: bool, venue: str | None, config: str | None = None) -> int:
    """Print what an index holds.

    Raises:
        UsageError: There is no such index.
        IndexDamagedError: It cannot be used; says what to run.
    """
    from citeaudit.cli import shipped

    today = date.today()  # noqa: DTZ011 - days as the user counts them
    if shipped.is_shipped(index):
        lines, counts = shipped.facts()
        _say([*lines, *_years(counts, today, each=years), f"  {_SILENT}"])
        return 0
    folder = locate(index, config)
    manifest = manifests.read(folder)
    manifests.check_files(folder, manifest)
    size = sum(file.size for part in manifest.parts for file in part.files.values())
    parts = f" in {len(manifest.parts)} parts" if len(manifest.parts) > 1 else ""
    _say(
        [
            f"{manifest.name}: built {manifest.built_at:%Y-%m-%d %H:%M} UTC from {manifest.format}",
            f"  {manifest.records:,} records{parts}, {size_words(size)}; {manifest.malformed:,} left out",
            *_sources(manifest, today),
            f"  {staleness(manifest, today)}",
            *_fields(manifest),
            *_years(manifest, today, each=years),
            *_coverage(folder, manifest),
            *(_venue(folder, venue, manifest) if venue is not None else ()),
        ]
    )
    return 0


def staleness(counts: Counts, today: date) -> str:
    """Say how far an index reaches, in one line.

    >>> staleness(Counts(sources={"farm": SourceInfo(records=1, updated=date(2026, 5, 1))}), date(2026, 11, 30))
    'newest record 2026-05-01, 213 days ago; works of 2026 may be missing'
    """
    ends = [info.end for info in counts.sources.values() if info.end is not None]
    if not ends:
        return "the records carry no date: how far the index reaches is not known"
    end = counts.end or max(ends)
    what = "dump of" if any(info.dump_date == end for info in counts.sources.values()) else "newest record"
    days = (today - end).days
    ago = f"{days:,} days ago" if days != 1 else "1 day ago"
    later = f"{end.year}" if end.year >= today.year else f"{end.year} and later"
    return f"{what} {end}, {ago if days > 0 else 'today'}; works of {later} may be missing"


def search(index: str, asked: Mapping[str, str | None], form: str, config: str | None = None) -> int:
    """Print what an index has for a title, a reference or an identifier.

    Args:
        index: Folder or name.
        asked: One of `text`, `doi`, `arxiv_id` and `pmid`.
        form: `table` or `json`.
        config: The user's settings file.

    Raises:
        UsageError: Not one question, or no identifier of that kind.
        IndexDamagedError: The index cannot be used; says what to run.
    """
    from citeaudit.cli import shipped
    from citeaudit.index.asking.finding import find
    from citeaudit.index.asking.local import LocalCandidates

    if form not in {"table", "json"}:
        raise UsageError(f"unknown format {form!r}; known: table, json")
    query = _query(asked)
    candidates = shipped.candidates() if shipped.is_shipped(index) else LocalCandidates(locate(index, config))
    try:
        found = find(candidates, query)
    finally:
        candidates.close()
    if form == "json":
        rows = [
            {
                "score": round(one.score, 3),
                "is_notice_about": [list(about) for about in one.about],
                "work": _json(one.work),
            }
            for one in found
        ]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    else:
        _say([line for one in found for line in _seen(one)] or [f"nothing in {candidates.manifest.name} is like it"])
    return 0


def compare(index: str, against: str, *, quiet: bool, config: str | None = None) -> int:
    """Print of which venues and years an index holds all that another one lists, and keep it beside the index.

    Raises:
        UsageError: There is no such index.
        IndexBuildError: One of them cannot be used, they are the same, or the other lists nothing.
    """
    from citeaudit.index.building.filling import COMPARING, Progress
    from citeaudit.index.coverage.covering import cover

    folder, other = locate(index, config), locate(against, config)
    total = manifests.read(other).records
    with telling(quiet=quiet) as tell:
        heard = None if tell is None else lambda read: tell(Progress(COMPARING, read, 0.0, read, total, None))
        shares = cover(folder, other, tell=heard)
    whole = sum(share.complete for share in shares)
    lines = [
        f"{folder}: {whole:,} of {len(shares):,} venues and years that {other} lists are held whole",
        *(f"  {one.held / one.listed:7.1%}  {_share(one)}" for one in shares[:SHOWN_VENUES]),
    ]
    if len(shares) > SHOWN_VENUES:
        lines.append(f"  and {len(shares) - SHOWN_VENUES:,} more, less full")
    if whole:
        lines.append("  A miss testifies where a reference gives the year and the full name of such a venue.")
    _say(lines)
    return 0


def _share(one: Share) -> str:
    name = one.full or f"{one.name} (abbreviated; a reference must give the full name, which is not known here)"
    if one.full and one.full != one.name:
        name = f"{one.full} ({one.name})"
    return f"{one.held:,} of {one.listed:,}  {one.year}  {name}"


def show_all(config: str | None = None) -> int:
    """Print the indexes in the data directory; gives exit code 1 if one is damaged.

    Raises:
        UsageError: The data directory cannot be read.
    """
    kept = index_folder(config)
    try:
        next(kept.iterdir(), None)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise UsageError(f"{kept}: cannot be read ({error.strerror}); check the setting data_dir") from error
    lines, code = [], 0
    for folder in manifests.installed(kept):
        try:
            manifest = manifests.read(folder)
            manifests.check_files(folder, manifest)
        except IndexDamagedError as error:
            lines.append(str(error))
            code = _DAMAGED
        else:
            built = f"built {manifest.built_at:%Y-%m-%d}"
            lines.append(f"{folder.name}: {manifest.records:,} records from {manifest.format}, {built}")
    _say(lines or [f"no index in {kept}; see citeaudit index get and citeaudit index build"])
    return code


def show_formats() -> int:
    """Print the forms of dumps that can be read."""
    from citeaudit.cli.forms import lines

    _say(lines())
    return 0


def _sources(manifest: Manifest, today: date) -> list[str]:
    """Give the collections, largest first; most of many are combinations of few."""
    ordered = sorted(manifest.sources.items(), key=lambda item: -item[1].records)
    lines = [f"  {_source(name, info, today)}" for name, info in ordered[:_SOURCES]]
    if rest := ordered[_SOURCES:]:
        lines.append(f"  {sum(info.records for _, info in rest):,} from {len(rest):,} more")
    return lines


def _source(name: str, info: SourceInfo, today: date) -> str:
    dates = [f"dump of {info.dump_date}"] if info.dump_date else []
    dates += [f"newest change {info.updated}"] if info.updated else []
    dates += [f"last year {info.last_year}"] if info.last_year and info.last_year <= today.year else []
    return f"{info.records:,} from {name or 'no named collection'}" + (f" ({', '.join(dates)})" if dates else "")


def _fields(counts: Counts) -> list[str]:
    if not counts.counted:
        return []
    shares = [
        f"{_FIELD_WORDS.get(name, name)} {counts.fields[name] / counts.counted:.0%}"
        for name in COUNTED
        if counts.fields.get(name)
    ]
    return [f"  have: {', '.join(shares)}"] if shares else []


def _years(counts: Counts, today: date, *, each: bool) -> list[str]:
    if not counts.years:
        return []
    known = sum(counts.years.values())
    past = [year for year in counts.years if year <= today.year] or list(counts.years)
    ahead = sum(count for year, count in counts.years.items() if year > max(past))
    later = f", {ahead:,} with a later one" if ahead else ""
    lines = [f"  years {min(past)} to {max(past)}; {counts.counted - known:,} records without a year{later}"]
    return lines + [f"    {year}: {count:,}" for year, count in counts.years.items()] if each else lines


def _coverage(folder: Path, manifest: Manifest) -> list[str]:
    """Say what its silence can testify."""
    from citeaudit.index.coverage.covering import Compared

    lines = [f"  covers {_covered(line)}" for line in manifest.coverage]
    lines += _tables(folder, manifest)
    with closing(Compared(folder, manifest)) as compared:
        against, rows = compared.against(), compared.rows()
    if against is not None:
        name, fresh = against
        whole = sum(row.complete for row in rows.values())
        found = (
            f": {_full_names(whole)} complete"
            if fresh
            else ", but was changed since; compare it again with citeaudit index cover"
        )
        lines.append(f"  was compared with the tables of contents of {name}{found}")
    return lines or [f"  {_SILENT}"]


def _full_names(count: int) -> str:
    return "1 full name of a venue in a year is" if count == 1 else f"{count:,} full names of venues in a year are"


def _tables(folder: Path, manifest: Manifest) -> list[str]:
    """Say of how much it knows tables of contents, and of how much of that it holds all.

    Raises:
        IndexDamagedError: Its tables are damaged.
    """
    import sqlite3

    from citeaudit.index.coverage.counting import combine, members, tables

    rows: dict[tuple[int, int], list[Held]] = {}
    standing: dict[tuple[int, int], set[tuple[int, int]]] = {}
    try:
        for part in manifest.parts:
            data = folder / PARTS / part.name / DATA
            for venue, year, held in tables(data):
                rows.setdefault((venue, year), []).append(held)
            for venue, year, *place in members(data):
                standing.setdefault((venue, year), set()).add((place[0], place[1]))
    except sqlite3.Error as error:
        raise IndexDamagedError(f"{folder}: is damaged ({error}); {manifests.REBUILD}") from error
    if not rows:
        return []
    whole = [place for place, some in rows.items() if (row := combine(some)) is not None and row.complete]
    volumes = len({frozenset(standing.get(place, {place})) for place in whole})
    lines = [
        f"  tables of contents: {'1 venue' if volumes == 1 else f'{volumes:,} venues'} in a year held whole"
        + (
            f", which may be cited by {'1 full name' if len(whole) == 1 else f'{len(whole):,} full names'}"
            if whole
            else ""
        )
    ]
    if left := len(rows) - len(whole):
        names = "name does" if left == 1 else "names do"
        lines.append(f"    {left:,} further {names} not count: not all is held, or the name is shared")
    return lines


def _venue(folder: Path, venue: str, manifest: Manifest) -> list[str]:
    from citeaudit.index.asking.local import LocalCandidates
    from citeaudit.index.coverage.covering import Compared
    from citeaudit.index.store.keys import venue_key

    number = venue_key(venue)
    with closing(Compared(folder, manifest)) as compared:
        years = sorted({*manifest.years, *(year for name, year in compared.rows() if name == number)})
    candidates = LocalCandidates(folder)
    try:
        held = [(year, candidates.held(number, year)) for year in years] if number is not None else []
    finally:
        candidates.close()
    lines = [f"    {year}: {_held(row)}" for year, row in held if row is not None]
    none = "    fewer than five works of any year are held under exactly this name; only full names can be complete"
    return [f"  {venue}:", *(lines or [none])]


def _held(row: Held) -> str:
    if row.listed is None:
        return f"{row.held:,} held, no table of contents known"
    return f"{row.held:,} of {row.listed:,} listed{', complete' if row.complete else ''}"


def _covered(line: Covered) -> str:
    what = line.container_title or ", ".join(line.types) or "nothing"
    return f"{'every work of ' if line.complete and line.container_title else ''}{what}, {line.first} to {line.last}"


def _query(asked: Mapping[str, str | None]) -> Query:
    from citeaudit.identifiers import clean_arxiv_id, clean_doi, clean_pmid
    from citeaudit.model import Query, QueryKind

    given = {name: value for name, value in asked.items() if value is not None}
    if len(given) != 1:
        raise UsageError("ask one question: TEXT, --doi, --arxiv or --pmid")
    ((name, value),) = given.items()
    if name == "text":
        if not any(letter.isalnum() for letter in value):
            raise UsageError("there are no letters or digits in the text to look for")
        return Query(kind=QueryKind.TITLE, text=value)
    clean = {"doi": clean_doi, "arxiv_id": clean_arxiv_id, "pmid": clean_pmid}[name](value)
    if clean is None:
        raise UsageError(f"{value}: is no {name.replace('_', ' ')}")
    return Query(kind=QueryKind(name), text=clean)


def _seen(one: Seen) -> list[str]:
    work = one.work
    names = [author.literal or " ".join(filter(None, (author.given, author.family))) for author in work.authors]
    others = f" and {len(names) - _AUTHORS} more" if len(names) > _AUTHORS else ""
    cut = "" if work.authors_complete or not names else " (list is cut)"
    lines = [f"{one.score:.2f}  {work.title}", f"      {', '.join(names[:_AUTHORS])}{others}{cut}" if names else ""]
    lines.append(f"      {_place(work)}")
    lines += [f"      also: {_place(version)}" for version in work.versions]
    lines += [f"      is a {about.type.replace('_', ' ')} of {about.value}" for about in one.about]
    for notice in work.notices:
        said = ", ".join(str(part) for part in (notice.doi, notice.year) if part)
        lines.append(f"      {notice.type.replace('_', ' ')}{f' ({said})' if said else ''}")
    return [line for line in lines if line.strip()]


def _place(work: Work | Version) -> str:
    identifiers = [value for name in _IDENTIFIERS if (value := getattr(work.identifiers, name))]
    parts = [work.type.value if work.type.value != "unknown" else None, work.container_title, work.year]
    return ", ".join(str(part) for part in (*parts, *identifiers) if part)


def _json(work: Work) -> dict[str, object]:
    return cast("dict[str, object]", work.model_dump(mode="json", exclude_defaults=True))


def _say(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
