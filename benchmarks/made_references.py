"""Make labelled reference strings from invented records, for training the labeller of the field reader.

Names, words and journals below are combined at random into records that do not exist; templates print them in
styles that the permissive labelled sets hold few of: German, French, Spanish and Portuguese lists, footnotes of the
humanities, title-less physics and chemistry, astronomy, title-first lists, GB/T 7714, IOP, Chicago, MLA.
"""

# ruff: noqa: E501 - templates stay on one line, as they are printed

from __future__ import annotations

from collections.abc import Callable, Iterator

from made_parts import Parts, Row
from made_words import (
    ASTRO,
    CITIES,
    CITIES_EN,
    CITIES_ROM,
    EN_NOUN,
    ES,
    ES_NOUN,
    FR,
    FR_NOUN,
    JOURNALS_SHORT,
    PRESS,
    PRESS_EN,
    PRESS_ROM,
    PT,
    PT_NOUN,
    ZH_JOURNALS,
    ZH_NAMES,
    ZH_WORDS,
)


class Maker(Parts):
    """Prints invented records; the same seed gives the same strings."""

    def __init__(self, seed: int) -> None:
        """Start a series."""
        super().__init__(seed)
        self.styles: list[tuple[int, Callable[[], Row]]] = [
            (9, self.german_book),
            (6, self.german_chapter),
            (5, self.german_article),
            (4, self.humanities),
            (3, self.romance),
            (3, self.physics),
            (3, self.chemistry),
            (2, self.astronomy),
            (8, self.title_first),
            (5, self.vancouver),
            (4, self.software),
            (3, self.compound),
            (2, self.chinese),
            (1, self.stopless),
            (4, self.english),
        ]

    def rows(self, count: int) -> Iterator[Row]:
        """Give `count` labelled strings."""
        weights = [weight for weight, _ in self.styles]
        for _, style in self.random.choices(self.styles, weights, k=count):
            yield style()

    # --- German

    def _names_de(self) -> str:
        people = self._people()
        style = self.random.randint(0, 6)
        short = self._chance(0.4)
        inverted = [f"{name.family}, {name.initials if short else name.given}" for name in people]
        direct = [f"{name.given} {name.family}" for name in people]
        if style <= 1:
            out = self._pick(("/", " / ", "/ ")).join(inverted)
        elif style == 2:  # noqa: PLR2004
            out = "; ".join(inverted)
        elif style == 3:  # noqa: PLR2004
            out = ", ".join(inverted[:-1]) + (" und " if len(inverted) > 1 else "") + inverted[-1]
        elif style == 4:  # noqa: PLR2004
            out = self._pick(("/", ", ", " und ")).join(direct)
        elif style == 5:  # noqa: PLR2004
            out = inverted[0] + "".join(f" und {name}" for name in direct[1:2])
        else:
            out = self._pick(
                (
                    self._noun_de() + "samt",
                    "Bundesministerium für " + self._noun_de(),
                    "Stadt " + self._pick(CITIES),
                    "Institut für " + self._noun_de(),
                    "OECD",
                )
            )
        if len(people) > 2 and self._chance(0.2):  # noqa: PLR2004
            out = inverted[0] + self._pick((" u.a.", " et al.", " u. a."))
        return out

    def _opening(self) -> tuple[str, str, str]:
        """Give authors, year and what stands between them and the title."""
        names, year = self._names_de(), self._year()
        role = self._pick((" (Hrsg.)", " (Hg.)", " (Hrsg.)", ", Hrsg.")) if self._chance(0.15) else ""
        letter = self._pick("ab") if self._chance(0.1) else ""
        dated = self._pick(
            (
                f" ({year}{letter}): ",
                f" ({year}{letter}): ",
                f", {year}{letter}: ",
                f" {year}{letter}: ",
                f" ({year}), ",
                f" ({year}). ",
                f" ({year}) ",
                f". {year}. ",
            )
        )
        if self._chance(0.3):
            return names, "", names + role + self._pick((": ", ": ", ", "))
        return names, year, names + role + dated

    def german_book(self) -> Row:
        """`Müller, Hans (2003): Titel. Untertitel. Berlin: Verlag.`."""
        names, year, lead = self._opening()
        title, city, press = self._title_de(), self._pick(CITIES), self._pick(PRESS)
        edition = self._pick(("2. Aufl. ", "3., überarb. Auflage. ", "4. Aufl., ")) if self._chance(0.15) else ""
        series = (
            f"({self._pick(('Reihe', 'Schriften zur', '='))} {self._noun_de()}, Bd. {self.random.randint(1, 90)}). "
            if self._chance(0.1)
            else ""
        )
        late = "" if year else f" {self._year()}"
        stop = self._pick((". ", ". ", ". ", ", ")) if title[-1] not in "?!" else " "
        if stop == ", ":
            series = ""
        venue: str | None = press
        tail = self._pick(
            (
                f"{city}: {press}{late}",
                f"{city}: {press}{late}",
                f"{city}{late}",
                f"{press}, {city}{late}",
                f"{press}: {city}{late}",
                f"{city}, {press}{late}",
            )
        )
        if press not in tail:
            venue = None
        if self._chance(0.08):
            tail = f"{self._pick(('Arbeitspapier', 'Discussion Paper', 'Working Paper', 'Diskussionspapier', 'Materialien'))} Nr. {self.random.randint(1, 99)}, {city}"
            venue = None
        raw = f"{lead}{title}{stop}{edition}{series}{tail}{self._pick(('.', '', '.'))}"
        return self._row(raw, title, names, year or late.strip(), venue)

    def german_chapter(self) -> Row:
        """`Müller, Hans (2003): Titel. In: Roth, Eva (Hrsg.): Buch. Berlin: Verlag, S. 1-9.`."""
        names, year, lead = self._opening()
        title, book = self._title_de(0.35), self._title_de()
        editors = self._names_de()
        hrsg = self._pick((" (Hrsg.): ", " (Hg.): ", " (Hrsg.), ", " (Hg.), ", " (eds.): "))
        into = self._pick((". In: ", ". In: ", ", in: ", ". in: ", ", In: "))
        into = into.lstrip(".,") if title[-1] in "?!" else into
        late = "" if year else f" {self._year()}"
        tail = self._pick(
            (
                f"{self._pick(CITIES)}: {self._pick(PRESS)}{late}, S. {self._pages()}",
                f"{self._pick(CITIES)}{late}, S. {self._pages()}",
                f"{self._pick(CITIES)}: {self._pick(PRESS)}{late}, {self._pages()}",
                f"{self._pick(CITIES)}{late}",
            )
        )
        if self._chance(0.2):
            hrsg, editors = "", ""
        raw = f"{lead}{title}{into}{editors}{hrsg}{book}{self._pick(('. ', '. ', ', '))}{tail}{self._pick(('.', ''))}"
        return self._row(raw, title, names, year or late.strip(), book)

    def german_article(self) -> Row:
        """`Müller, Hans (2003): Titel. In: Zeitschrift für Dinge 12, S. 1-9.`."""
        names, year, lead = self._opening()
        title, journal = self._title_de(0.35), self._journal_de()
        into = self._pick((". In: ", ". In: ", ", in: ", ". ", ", "))
        into = into.lstrip(".,") if title[-1] in "?!" else into
        if self._chance(0.2):
            title_printed = self._pick(("„{}“", "“{}”", "»{}«")).format(title)
            into = self._pick((", in: ", ". In: ", ", "))
        else:
            title_printed = title
        volume, issue = self.random.randint(1, 90), self.random.randint(1, 12)
        late = "" if year else f" ({self._year()})"
        tail = self._pick(
            (
                f" {volume}{late}, S. {self._pages()}",
                f", {volume}. Jg.{late}, Heft {issue}, S. {self._pages()}",
                f" {volume} ({issue}), {self._pages()}",
                f", Jg. {volume}, H. {issue}, S. {self._pages()}",
                f", {volume}: {self._pages()}",
                f" Nr. {issue}{late}",
                f" vom {issue}. {self.random.randint(1, 12)}. {year or self._year()}",
            )
        )
        raw = f"{lead}{title_printed}{into}{journal}{tail}{self._pick(('.', ''))}"
        return self._row(raw, title, names, year or late.strip(" ()") or None, journal)

    # --- English and romance

    def _names_en(self, style: int) -> str:
        people = self._people()
        if style == 0:
            listed = [f"{people[0].family}, {people[0].given}", *(f"{name.given} {name.family}" for name in people[1:])]
        elif style == 1:
            listed = [f"{name.given} {name.family}" for name in people]
        elif style == 2:  # noqa: PLR2004
            listed = [f"{name.initials} {name.family}" for name in people]
        else:
            listed = [f"{name.family}, {name.initials}" for name in people]
        if len(listed) == 1:
            return listed[0]
        return ", ".join(listed[:-1]) + self._pick((", and ", " and ", " & ")) + listed[-1]

    def humanities(self) -> Row:
        """`Paul Reynolds, Title, with Commas (Oxford: Press, 1995).` and its kin."""
        names, title, year = self._names_en(self.random.randint(0, 1)), self._title_en(), self._year()
        city, press = self._pick(CITIES_EN), self._pick(PRESS_EN)
        quoted = self._pick(("‘{}’", "“{}”", "« {} »"))
        role = (
            self._pick((", trans. {}", ", ed. {}", ", edited by {}", ", tr. {}")).format(" ".join(self._person()))
            if self._chance(0.25)
            else ""
        )
        form = self.random.randint(0, 6)
        venue: str | None = press
        if form == 0:
            raw = f"{names}, {title}{role} ({city}: {press}, {year}){self._pick(('.', f', p. {self.random.randint(2, 300)}.', f', pp. {self._pages()}.'))}"
        elif form == 1:
            raw = f"{names}, {title}{role} ({press}, {year})."
        elif form == 2:  # noqa: PLR2004
            dot = "" if names.endswith(".") else "."
            raw = f"{names}{dot} {title}{'' if title[-1] == '?' else '.'} {role.strip(', ').capitalize() + '. ' if role else ''}{city}: {press}, {year}."
        elif form == 3:  # noqa: PLR2004
            raw = f"{names}, {title}, {city}, {year}."
            venue = None
        elif form == 4:  # noqa: PLR2004
            journal = self._journal_en()
            raw = f"{names}, {quoted.format(title)}, {journal}, {self.random.randint(1, 90)} ({year}), {self._pages()}."
            venue = journal
        elif form == 5:  # noqa: PLR2004
            book = self._title_en()
            raw = f"{names}, {quoted.format(title)}, in {book}, ed. {' '.join(self._person())} ({city}: {press}, {year}), pp. {self._pages()}."
            venue = book
        else:
            raw = f"{names}, {title}, {city}: {press}, {year}."
        return self._row(raw, title, names, year, venue)

    def english(self) -> Row:
        """Books and articles of numbered and dated lists."""
        names, title, year = self._names_en(self.random.randint(0, 3)), self._title_en(), self._year()
        press, city, journal = self._pick(PRESS_EN), self._pick(CITIES_EN), self._journal_en()
        dot = "" if names.endswith(".") else "."
        end = "" if title[-1] == "?" else "."
        volume, issue = self.random.randint(1, 200), self.random.randint(1, 12)
        book = self._title_en()
        raw, venue = self.random.choice(
            (
                (f"{names} ({year}). {title}{end} {press}.", press),
                (f"{names} ({year}). {title}{end} {city}: {press}.", press),
                (f"{names}{dot} {year}. {title}{end} {press}, {city}.", press),
                (f"{names}, {title}, {self.random.randint(2, 5)}th ed. {city}: {press}, {year}.", press),
                (f"{names}, {title} ({press}; 1 edition, {year}).", press),
                (f"{names}{dot} {title}{end} {press}, {year}.", press),
                (f"{names}{dot} {title}{end} {press}, {city}, {self.random.randint(2, 5)}nd edition, {year}.", press),
                (f"{names}{dot} {title}{end} {journal}, {volume}({issue}):{self._pages('--')}, {year}.", journal),
                (f"{names} {year}, {title}, {journal}, {volume}, {self._pages()}.", journal),
                (f"{names}, {year}. {title}{end} {journal} {volume}, {self._pages()}.", journal),
                (
                    f"{names}{dot} {year} {title}{end} In {book}. {' '.join(self._person())}, ed. Pp. {self._pages()}. {city}: {press}.",
                    book,
                ),
                (f"{names}{dot} {title}{end} In {book}, {year}.", book),
                (f"{names}{dot} {title}{end} Ph.D. thesis, University of {city.split(',')[0]}, {year}.", None),
                (f"{names}{dot} {title}{end} arXiv preprint, {year}.", None),
                (f"{names}{dot} {title}{end} {year}.", None),
            )
        )
        return self._row(raw, title, names, year, venue)

    def romance(self) -> Row:
        """French, Spanish and Portuguese books and articles."""
        patterns, nouns, joint, into = self.random.choice(
            ((FR, FR_NOUN, " et ", ", dans "), (ES, ES_NOUN, " y ", ". En: "), (PT, PT_NOUN, "; ", ". In: "))
        )
        make = lambda: self._fill(self._pick(patterns), lambda: self._pick(nouns), "")  # noqa: E731
        title, year, city, press = make(), self._year(), self._pick(CITIES_ROM), self._pick(PRESS_ROM)
        people = self._people(3)
        capital = self._chance(0.4)
        listed = [
            f"{name.family.upper() if capital else name.family}, {name.initials if self._chance(0.4) else name.given}"
            for name in people
        ]
        names = joint.join(listed)
        dot = "" if names.endswith(".") else "."
        if self._chance(0.3):
            title += ": " + make().lower()
        journal = "Revista de " + self._pick(nouns) if joint != " et " else "Revue de " + self._pick(nouns)
        volume = self.random.randint(1, 60)
        raw, venue = self.random.choice(
            (
                (f"{names}{dot} {title}. {city}: {press}, {year}.", press),
                (f"{names} ({year}). {title}. {city}: {press}.", press),
                (f"{names}, {title}, {city}, {press}, {year}.", press),
                (f"{names}, {title}, {press}, {city}, {year}, {self.random.randint(80, 600)} p.", press),
                (f"{names} ({year}), {title}, {city}, {press}.", press),
                (f"{names}{dot} {title}. {journal}, v. {volume}, n. 2, p. {self._pages()}, {year}.", journal),
                (f"{names}, « {title} », {journal}, vol. {volume}, n° 3, {year}, p. {self._pages()}.", journal),
                (f"{names}{dot} {title}{into}{make()}. {city}: {press}, {year}. p. {self._pages()}.", None),
                (f"{names} ({year}). {title}. {journal}, {volume}(2), {self._pages()}.", journal),
            )
        )
        return self._row(raw, title, names, year, venue)

    # --- without titles, and other orders

    def _initialled(self, joint: str = " and ", *, most: int = 4) -> str:
        people = [f"{name.initials} {name.family}" for name in self._people(most)]
        return people[0] if len(people) == 1 else ", ".join(people[:-1]) + joint + people[-1]

    def physics(self) -> Row:
        """`A. Doe and B. Roe, Phys. Rev. Lett. 94, 207004 (2005).`, with a book or a title now and then."""
        names, year, journal = (
            self._initialled(self._pick((" and ", ", and "))),
            self._year(),
            self._pick(JOURNALS_SHORT),
        )
        volume, page = self.random.randint(1, 400), self.random.randint(1, 99999)
        form = self.random.randint(0, 5)
        if form == 0:
            title, press = self._title_en(0.2), self._pick(PRESS_EN)
            raw = f"{names}, {title} ({press}, {self._pick(CITIES_EN)}, {year})."
            return self._row(raw, title, names, year, press)
        if form == 1:
            title = self._title_en()
            return self._row(f"{names}, {title}, {journal} {volume}, {page} ({year}).", title, names, year, journal)
        raw = self._pick(
            (
                f"{names}, {journal} {volume}, {page} ({year}).",
                f"{names}, {journal} {volume} ({year}) {page}.",
                f"{names}, {journal}, {year}, {volume}, {page}.",
                f"{names}, {journal}, {volume}, {page} ({year})",
            )
        )
        return self._row(raw, None, names, year, journal)

    def chemistry(self) -> Row:
        """`Doe, J.; Roe, B. J. Am. Chem. Soc. 2010, 132, 1-4.`, titled or not."""
        names = "; ".join(f"{name.family}, {name.initials}" for name in self._people())
        names += "; et al." if self._chance(0.1) else ""
        year, journal, volume = self._year(), self._pick(JOURNALS_SHORT), self.random.randint(1, 200)
        tail = f"{year}, {volume}, {self._pages()}."
        form = self.random.randint(0, 3)
        if form == 0:
            title = self._title_en()
            return self._row(f"{names} {title}. {journal} {tail}", title, names, year, journal)
        if form == 1:
            title, press = self._title_en(0.2), self._pick(PRESS_EN)
            return self._row(f"{names} {title}; {press}: {self._pick(CITIES_EN)}, {year}.", title, names, year, press)
        return self._row(f"{names} {journal} {tail}", None, names, year, journal)

    def astronomy(self) -> Row:
        """`Doe J., Roe B., 2001, MNRAS, 134, 51`."""
        names = ", ".join(f"{name.family}{self._pick((' ', ', '))}{name.initials}" for name in self._people())
        names += self._pick((" et al.", ", et al.")) if self._chance(0.2) else ""
        year, journal = self._year(), self._pick(ASTRO)
        if self._chance(0.12):
            title, press = self._title_en(0), self._pick(PRESS_EN)
            return self._row(f"{names}, {year}, {title}. {press}, {self._pick(CITIES_EN)}", title, names, year, press)
        raw = f"{names}{self._pick((', ', ' ', ', '))}{year}, {journal}, {self.random.randint(1, 900)}, {self._pick(('', 'L'))}{self.random.randint(1, 900)}"
        return self._row(raw, None, names, year, journal)

    def title_first(self) -> Row:
        """`Title Jane Doe, John Roe Journal (2018-01-31)`, the lines of a Manubot list put together."""
        title = self._pick((self._title_en(), self._title_en(0.7), self._title_en(0), self._pick(EN_NOUN) + "R"))
        journal, year = (
            self._pick(
                (
                    self._journal_en(),
                    self._journal_en(),
                    "Zenodo",
                    "bioRxiv",
                    "arXiv",
                    "PeerJ",
                    "GitHub",
                    "Figshare",
                    self._pick(PRESS_EN),
                )
            ),
            self._year(),
        )
        people = self._people(4)
        listed = [f"{name.initials if self._chance(0.15) else name.given} {name.family}" for name in people]
        names = ", ".join(listed) + (", … " + " ".join(self._person()) if self._chance(0.15) else "")
        if self._chance(0.06):
            names = self._journal_en() + " Consortium"
        month, day = self.random.randint(1, 12), self.random.randint(1, 28)
        date = self._pick(
            (f"({year}-{month:02d}-{day:02d})", f"({year}-{month:02d}-{day:02d})", f"({year})", f"({year}-{month:02d})")
        )
        role = " (editors)" if self._chance(0.04) else ""
        return self._row(f"{title} {names}{role} {journal} {date}", title, names, year, journal)

    def _glued(self, most: int = 5) -> str:
        people = [f"{name.family} {''.join(part[0] for part in name.given.split())}" for name in self._people(most)]
        return ", ".join(people) + (", et al" if len(people) > 2 and self._chance(0.2) else "")  # noqa: PLR2004

    def vancouver(self) -> Row:
        """`Doe J, Roe BC. Title. City: Press; 1999.`, JSS and PLOS among them."""
        names, title, year = self._glued(), self._title_en(), self._year()
        press, city = self._pick(PRESS_EN + PRESS_ROM), self._pick(CITIES_EN + CITIES_ROM)
        journal = self._pick((self._journal_en(), self._short_journal().replace(".", ""), self._short_journal()))
        end = "" if title[-1] == "?" else "."
        volume = self.random.randint(1, 200)
        raw, venue = self.random.choice(
            (
                (f"{names}. {title}{end} {city}: {press}; {year}.", press),
                (f"{names}. {title}{end} {city}: {press}; {year}. p. {self.random.randint(50, 600)}.", press),
                (f"{names}. {title}{end} {press}: {city}; {year}.", press),
                (f"{names}. {title}{end} {press}. {year}.", press),
                (f"{names}. {title}{end} PhD thesis. {city}: University of {city.split(',')[0]}; {year}.", None),
                (
                    f"{names}. {title}{end} In: {self._glued(3)}, editors. {self._title_en()}. {city}: {press}; {year}. p. {self._pages()}.",
                    None,
                ),
                (f"{names}. {title}{end} {journal}. {year};{volume}:{self._pages()}.", journal),
                (f"{names}. {title}{end} {journal} {year}, {volume}:{self._pages()}.", journal),
                (f"{names} ({year}). {title}{end} {press}, {city}.", press),
                (f"{names} ({year}). \u201c{title}.\u201d {self._journal_en()}, {volume}(2), {self._pages()}.", None),
                (f"{names} ({year}) {title}{end} {journal} {volume}: {self._pages()}.", journal),
                (f"{names}, {title}; {year}. {self._pick(('Zenodo.', '', press + '.'))}", None),
                (f"{names}. {title}{end} {journal}. {year}; {volume}(3):{self._pages()}.", journal),
                (f"{names}, {title}; {year}.", None),
            )
        )
        return self._row(raw, title, names, year, venue)

    def software(self) -> Row:
        """Packages, programs and web pages; titles of one word among them."""
        name = (
            self._pick(("lib", "py", "Open", "Fast", "Net", "", "r", "Go"))
            + self._pick(EN_NOUN).capitalize()
            + self._pick(("", "", "R", "2", "Kit", "DB"))
        )
        names = self._pick(
            (
                self._glued(4),
                self._names_en(self.random.randint(0, 3)),
                self._pick(("Team", "Group", "Foundation")) + " " + self._pick(EN_NOUN).capitalize(),
            )
        )
        title = self._pick(
            (
                name,
                f"{name}: {self._title_en(0)}",
                f"{name}: {self._title_en(0)} in R",
                f"{name}: {self._title_en(0)} with Python",
                f"{name} {self.random.randint(2, 20)}",
            )
        )
        year, version = (
            self._year(),
            f"{self.random.randint(0, 9)}.{self.random.randint(0, 20)}-{self.random.randint(0, 9)}",
        )
        dot = "" if names.endswith(".") else "."
        raw = self._pick(
            (
                f"{names} ({year}). {title}. R package version {version}.",
                f"{names} ({year}). {title}. R package version {version}, URL http://CRAN.",
                f"{names} ({year}). {title}.",
                f"{names}, {title}; {year}.",
                f"{names}, {title}; {year}. Zenodo.",
                f"{names}{dot} {title}, {year}.",
                f"{names}{dot} {title} (Version {version}) [Computer software]. {year}.",
                f"{names}{dot} {title}. Version {version}. {year}.",
                f"{names}{dot} {title}. {year}.",
            )
        )
        return self._row(raw, title, names, year, None)

    def _short_journal(self) -> str:
        if self._chance(0.4):
            return self._pick(JOURNALS_SHORT)
        stems = [
            "Electrochim",
            "Biochem",
            "Microbiol",
            "Pharmacol",
            "Immunol",
            "Mater",
            "Catal",
            "Geophys",
            "Astron",
            "Biol",
            "Environ",
            "Neurosci",
            "Chem",
            "Phys",
            "Opt",
            "Mech",
            "Eng",
            "Clin",
            "Med",
            "Psychol",
            "Econ",
            "Math",
            "Comput",
            "Polym",
            "Anal",
            "Struct",
            "Ecol",
            "Genet",
        ]
        heads = (
            "J.",
            "Ann.",
            "Eur. J.",
            "Int. J.",
            "Am. J.",
            "Acta",
            "Adv.",
            "Curr. Opin.",
            "Trends",
            "Rev.",
            "Proc.",
            "Bull.",
            "Arch.",
            "",
        )
        tails = ("Acta", "Lett.", "Rev.", "Res.", "Sci.", "Technol.", "A", "B", "Today", "Interfaces", "")
        parts = [self._pick(heads), self._pick(stems) + ".", self._pick((*tails, self._pick(stems) + "."))]
        return " ".join(part for part in parts if part)

    def compound(self) -> Row:
        """MDPI, ACS and RSC lists with shortened journals."""
        tight = self._chance(0.5)
        names = "; ".join(
            f"{name.family}, {name.initials.replace(' ', '') if tight else name.initials}" for name in self._people()
        )
        year, journal, volume, title = (
            self._year(),
            self._short_journal(),
            self.random.randint(1, 300),
            self._title_en(),
        )
        end = " " if title[-1] == "?" else ". "
        tail = self._pick(("", " [CrossRef]", " [CrossRef] [PubMed]"))
        form = self.random.randint(0, 3)
        if form == 0:
            press, city = self._pick(PRESS_EN), self._pick(CITIES_EN)
            return self._row(
                f"{names} {title}; {press}: {city}, {year}; pp. {self._pages()}.", title, names, year, press
            )
        if form == 1:
            listed = self._initialled()
            return self._row(f"{listed}, {journal}, {year}, {volume}, {self._pages()}.", None, listed, year, journal)
        return self._row(
            f"{names} {title}{end}{journal} {year}, {volume}, {self._pages()}.{tail}", title, names, year, journal
        )

    def chinese(self) -> Row:
        """`张伟, 王芳. 基于网络的方法研究[J]. 计算机学报, 2010, 33(2): 1-10.`."""
        names = self._pick((", ", "，", ",")).join(self._pick(ZH_NAMES) for _ in range(self.random.randint(1, 3)))
        names += self._pick((", 等", "，等")) if self._chance(0.2) else ""
        title = "".join(self._pick(ZH_WORDS) for _ in range(self.random.randint(3, 7)))
        journal, year = self._pick(ZH_JOURNALS), self._year()
        stop = self._pick((". ", ".", "．"))
        mark = self._pick(("[J]", "[J]", "[J]", ""))
        raw = f"{names}{stop}{title}{mark}{stop}{journal}, {year}, {self.random.randint(1, 50)}({self.random.randint(1, 12)}): {self._pages()}."
        return self._row(raw, title, names, year, journal)

    def stopless(self) -> Row:
        """IOP: `Doe J and Roe B 1995 Title of things Phys. Rev. Lett. 75 1226-9`."""
        people = [f"{name.family} {name.initials.replace('.', '')}" for name in self._people(3)]
        names = people[0] if len(people) == 1 else ", ".join(people[:-1]) + " and " + people[-1]
        year, journal = self._year(), self._pick(JOURNALS_SHORT)
        title = self._title_en(0.2) if self._chance(0.7) else None
        raw = f"{names} {year} {title + ' ' if title else ''}{journal} {self.random.randint(1, 99)} {self._pages()}"
        return self._row(raw, title, names, year, journal)
