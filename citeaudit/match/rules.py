"""The named rules of comparison, and the named ways a record is tied to a reference.

Reports, presets (`Policy.counted`, `Policy.noted`) and the documentation read these tables; nothing else names a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from citeaudit.model import Policy, Relation


class Rule(NamedTuple):
    """What a comparison concluded, in general."""

    description: str
    """One sentence for people."""
    relation: Relation
    """The relation it gives before a policy counts it."""


_SAME, _VARIANT, _DIFFERENT = Relation.SAME, Relation.VARIANT, Relation.DIFFERENT
_NOT_CITED, _UNKNOWN = Relation.NOT_CITED, Relation.UNKNOWN

_TITLE = {
    "title_same": Rule("The titles have the same words.", _SAME),
    "title_version": Rule("The title is that of another version of the work.", _VARIANT),
    "title_subtitle": Rule("One title is the other without its subtitle or heading.", _VARIANT),
    "title_edition": Rule("One side names the edition after the title.", _VARIANT),
    "title_longer": Rule("The reference adds a subtitle or heading that the record does not have.", _VARIANT),
    "title_printed": Rule(
        "The recorded title is printed in full, but was read in part or with what follows.", _VARIANT
    ),
    "title_article": Rule("Only a, an or the differ.", _VARIANT),
    "title_plural": Rule("Only a plural s differs.", _VARIANT),
    "title_spelling": Rule(
        "Only the spelling differs: British or American, an umlaut written out or lost, a number in words.", _VARIANT
    ),
    "title_formula": Rule("Only signs of a formula are lost from one of the titles.", _VARIANT),
    "title_formula_differs": Rule("Both titles have a formula, and signs of one are not in the other.", _VARIANT),
    "title_signs_lost": Rule("Signs of one title, such as + or <, are not in the other.", _VARIANT),
    "title_small_words": Rule("Only words without a subject differ, such as in and of.", _VARIANT),
    "title_inflected": Rule("Only the inflection of a word differs, as of studied and studies.", _VARIANT),
    "title_damaged": Rule("Only single letters of long words differ, and not between two ordinary words.", _VARIANT),
    "title_translated": Rule("One side gives the title with its translation, the other one of the two.", _VARIANT),
    "title_cut_at_formula": Rule(
        "The title breaks off at a formula of the recorded one; identifier and authors agree.", _VARIANT
    ),
    "title_cut_short": Rule(
        "The title is the opening words of the recorded one; identifier and authors agree.", _VARIANT
    ),
    "title_sign_differs": Rule(
        "The letters are the same, but a sign stands in place of another, or a number has lost its point.", _DIFFERENT
    ),
    "title_differs": Rule("At least one word of the title differs.", _DIFFERENT),
    "title_not_cited": Rule("The reference gives no title.", _NOT_CITED),
}
_AUTHORS = {
    "authors_same": Rule("The same authors in the same order.", _SAME),
    "authors_initials": Rule("The same authors, some with initials or a shorter name.", _VARIANT),
    "authors_order": Rule("The same authors in another order.", _VARIANT),
    "authors_incomplete": Rule("The list leaves out authors and does not say so.", _VARIANT),
    "authors_misspelt": Rule("One letter of an author's name differs.", _VARIANT),
    "authors_namesake": Rule(
        "An author's second initial, Jr or III, or the ending of the given name is that of a namesake.", _VARIANT
    ),
    "authors_misread": Rule("The words are those of the record, but names were cut or joined otherwise.", _VARIANT),
    "authors_swapped_parts": Rule("Family and given name of an author have changed places.", _VARIANT),
    "author_not_in_record": Rule("A cited author is not among those the record lists in full.", _DIFFERENT),
    "authors_mostly_differ": Rule(
        "Most of the cited authors are not among those the record lists in full.", _DIFFERENT
    ),
    "authors_stock_names": Rule("A name of no one stands where the record lists other authors in full.", _DIFFERENT),
    "authors_differ": Rule("The cited and the recorded authors have no one in common.", _DIFFERENT),
    "authors_altered": Rule("More names of the list are misspelt or turned round than slips explain.", _DIFFERENT),
    "given_name_differs": Rule("An author's given name belongs to someone else.", _DIFFERENT),
    "authors_and_no_one": Rule("A name of no one stands beside authors of the record.", _VARIANT),
    "authors_and_group": Rule("A group stands beside authors of the record, which does not list it.", _VARIANT),
    "authors_group": Rule("A group stands where the record lists persons in full.", _UNKNOWN),
    "authors_beyond": Rule(
        "The record has the first half of the cited authors or less: it may have been cut there.", _UNKNOWN
    ),
    "authors_unlisted": Rule(
        "Cited authors fit no whole name of the record, which has a group or the rests of names besides.", _UNKNOWN
    ),
    "authors_not_comparable": Rule("A group stands against persons, or the record lists only some authors.", _UNKNOWN),
    "authors_not_recorded": Rule("The record lists no authors.", _UNKNOWN),
    "authors_not_cited": Rule("The reference gives no authors.", _NOT_CITED),
    "authors_placeholder": Rule("The reference has only a placeholder where authors belong.", _NOT_CITED),
}
_YEAR = {
    "year_same": Rule("The year is that of the work or of one of its versions.", _SAME),
    "year_off_by_one": Rule("The year is one away from that of every version.", _VARIANT),
    "year_between_versions": Rule("The year lies between those of two versions.", _VARIANT),
    "year_of_posting": Rule(
        "Without a venue, the year after the only known, published version: a preprint may have been posted then.",
        _VARIANT,
    ),
    "year_turned": Rule("The arXiv id is among the first of a January, the year is the one before.", _VARIANT),
    "year_of_preprint": Rule(
        "The year is that of an arXiv id of the work, and the record is of a later publication.", _VARIANT
    ),
    "year_of_volume": Rule("The year is the one after a meeting of December, whose volume appears then.", _VARIANT),
    "year_preprint": Rule(
        "One side is a preprint, the other a publication some years later: six if it is cited, else three.", _VARIANT
    ),
    "year_of_edition": Rule("The years may be those of two editions or printings of a book.", _VARIANT),
    "year_of_revision": Rule("The arXiv id is the record's, and the year may be that of a later revision.", _VARIANT),
    "year_of_other_calendar": Rule(
        "Read as one of the Buddhist, Persian or Islamic calendar the year can be right.", _VARIANT
    ),
    "year_of_record": Rule(
        "Venue, volume and pages agree; the record may have the year of its deposit or of issue online.", _VARIANT
    ),
    "year_in_future": Rule("The year lies ahead, later than the year after the check.", _DIFFERENT),
    "year_of_other_version": Rule(
        "Year and venue are both those of another publication of the work: its journal version, a reprint.", _VARIANT
    ),
    "year_differs": Rule("The year is more than one away from that of every version.", _DIFFERENT),
    "year_not_recorded": Rule("The record gives no year.", _UNKNOWN),
    "year_not_cited": Rule("The reference gives no year.", _NOT_CITED),
}
_VENUE = {
    "venue_same": Rule("The venue is that of the work or of one of its versions.", _SAME),
    "venue_abbreviated": Rule("One venue name shortens the other.", _VARIANT),
    "venue_series": Rule("One side names the series or journal in which the papers of the other appear.", _VARIANT),
    "venue_part": Rule("The reference names a workshop, a track or a companion of the recorded meeting.", _VARIANT),
    "venue_main": Rule("The reference names a meeting, the record a workshop or a track of it in that year.", _VARIANT),
    "venue_preprint": Rule("One side names a preprint server, the other a venue.", _VARIANT),
    "venue_differs": Rule("The venue names are not recognisably forms of one name.", _VARIANT),
    "venue_posted": Rule("The record names only a preprint server, and the reference names a venue.", _VARIANT),
    "venue_unsupported": Rule("Only a preprint of the work is known, and the reference names a venue.", _VARIANT),
    "venue_unknown": Rule(
        "The venue is neither that of a known version nor in the list of venues, which is far from complete.", _VARIANT
    ),
    "venue_vague": Rule("The words of the cited venue tell none from another.", _UNKNOWN),
    "venue_not_recorded": Rule("The record gives no venue.", _UNKNOWN),
    "venue_not_cited": Rule("The reference gives no venue.", _NOT_CITED),
}
_NUMBERS = {
    f"{field}_{end}": Rule(text.format(field), relation)
    for field in ("volume", "issue", "pages")
    for end, text, relation in (
        ("same", "The {} is that of the work or of one of its versions.", _SAME),
        ("differs", "The {} is not that of any known version.", _VARIANT),
        ("not_recorded", "The record gives no {}.", _UNKNOWN),
        ("not_cited", "The reference gives no {}.", _NOT_CITED),
    )
}
_NUMBERS |= {
    "pages_near": Rule("The ranges differ by one page at one end.", _VARIANT),
    "pages_counted": Rule("The ranges have the same length, so that both may be paginations of one text.", _VARIANT),
    "pages_article": Rule("One side gives a range, the other the number of an article.", _VARIANT),
}
_IDENTIFIERS = {
    f"{scheme}_{end}": Rule(text.format(name), relation)
    for scheme, name in (
        ("doi", "DOI"),
        ("arxiv_id", "arXiv id"),
        ("pmid", "PMID"),
        ("pmcid", "PMCID"),
        ("isbn", "ISBN"),
    )
    for end, text, relation in (
        ("same", "The {} is that of the work or of one of its versions.", _SAME),
        ("other_than_recorded", "The record has another {}; the cited one may be that of a further version.", _VARIANT),
        ("not_recorded", "The record gives no {}.", _UNKNOWN),
        ("not_cited", "The reference gives no {}.", _NOT_CITED),
    )
}
_IDENTIFIERS |= {
    "doi_of_version": Rule("Both DOIs are of Zenodo, which gives every version of a deposit its own.", _VARIANT),
}
_CLAIMS = {
    "arxiv_id_impossible": Rule("No arXiv id can read so: its month, its number or its date cannot be.", _DIFFERENT),
    "arxiv_id_malformed": Rule("The arXiv id has too many or too few digits for its month.", _VARIANT),
    "arxiv_id_unlikely": Rule("The number of the arXiv id is higher than any known of its year.", _VARIANT),
    "arxiv_id_later_than_year": Rule("The arXiv id was given out years after the cited year.", _VARIANT),
    "doi_malformed": Rule("The DOI is cut or misspelt: it does not have the form of one.", _VARIANT),
    "doi_prefix_unknown": Rule(
        "No registrant of DOIs is known to have this prefix; the list ends with the day it was made.", _VARIANT
    ),
    "doi_registrant_unusual": Rule("The DOI's registrant is none under which papers of the venue appear.", _VARIANT),
    "isbn_checksum": Rule("The check digit of the ISBN is wrong.", _VARIANT),
    "pmid_unlikely": Rule(
        "The PMID is beyond those given out, or was given out years before the cited year.", _VARIANT
    ),
    "pmcid_unlikely": Rule("The PMCID is beyond those given out.", _VARIANT),
    "identifiers_disagree": Rule("Two identifiers of the reference name different works.", _VARIANT),
}
_BY_POLICY = {
    "identifier_names_another": Rule("The cited identifier resolves to another work.", _DIFFERENT),
    "identifier_unknown": Rule("The registry of the cited identifier does not know it.", _DIFFERENT),
}

RULES: Mapping[str, Rule] = MappingProxyType(
    {**_TITLE, **_AUTHORS, **_YEAR, **_VENUE, **_NUMBERS, **_IDENTIFIERS, **_CLAIMS, **_BY_POLICY}
)
"""Every value of `FieldMatch.rule`. The last two are given by the policy, which alone sees all answers."""

NO_ONE = frozenset({"authors_differ", "authors_stock_names"})
"""Rules by which a list has no one in common with that of the record."""

ANCHORS: Mapping[str, str] = MappingProxyType(
    {
        "identifier_of_volume": "A cited identifier is that of the volume or the front matter around the work.",
        "companion": "A review, erratum, reply or notice about a work is not that work.",
        "identifier": "A cited identifier is the record's, and title or authors bear it out.",
        "identifier_alone": "A cited identifier is the record's, and the reference gives nothing else to compare.",
        "identifier_other_work": "A cited identifier is the record's, but title and authors are those of another work.",
        "title_authors": "The title is the same or a variant, and a cited author is in the record.",
        "title_year": "A distinctive title is the same, the years agree, and no authors can be compared.",
        "title_alone": "A distinctive title is the same, and neither authors nor years can be compared.",
        "title_other_authors": "A distinctive title is the same and year or venue agrees, but every author differs.",
        "near_title": "The title differs in a word or two, but the authors and the year agree.",
        "neighbour": "The title differs in a word or two, but the cited place is another: perhaps a further paper.",
        "title_exchanged": "Words of the title were exchanged in their places, but all authors and the year agree.",
        "title_form": "The title is cut, goes on, has words abbreviated or is in another language; all else agrees.",
        "title_less": "The reference has no title; venue, volume, first page and first author agree.",
        "place_alone": "The reference has no title; venue, volume, first page and year agree, not the first author.",
        "generic_title": "Many works bear this title, and too little else agrees to choose.",
        "title_only": "The title agrees, but too little else can be compared.",
        "other_form": "One side is a book, chapter or thesis, the other a paper, and title, authors or year differ.",
        "series": "The titles differ in a number, as parts of a series do.",
        "several_works": "Several different works fit as well as this one.",
        "homonym": "The same title, but authors, and venue or year, of another work.",
        "other_work": "Another work.",
        "person_rejected": "A person has decided that this record is another work.",
    }
)
"""Every value of `Candidate.anchor`."""


def unknown_rules(policy: Policy) -> tuple[str, ...]:
    """Give the names in `policy.counted` and `policy.noted` that are no rules of comparison, in their order.

    >>> unknown_rules(Policy(counted=("year_off_by_one", "year_of_by_one"), noted=("year_differ",)))
    ('year_of_by_one', 'year_differ')
    """
    return tuple(name for name in (*policy.counted, *policy.noted) if name not in RULES)
