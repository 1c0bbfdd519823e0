"""The words of notes, as patterns: what leads to a citation, what parts two, what points to a page or an archive."""

from __future__ import annotations

import re

_MORE = (
    r"(?:\s(?:auch|dazu|hierzu|etwa|z\.\s?B\.|u\.\s?a\.|insbesondere|insb\.|insbes\.|bes\.|nur|jetzt|ferner|zuletzt|ausführlich|"
    r"beispielsweise|ebenso|jedoch|allerdings|hier|im\sFolgenden|zum\sBeispiel|also|especially|esp\.|further|generally|for\sexample|"
    r"for\sinstance|among\sothers|inter\salia|e\.g\.|aussi|notamment|également|par\sexemple|surtout|también|entre\sotros|"
    r"por\sejemplo|também|por\sexemplo|anche|ad\sesempio|ook|bijvoorbeeld|in\sparticular|again|here)(?!\w)[.,]?|,\se\.g\.,|,\sfor\sexample,|"
    r",\sz\.\s?B\.|,\su\.\s?a\.){0,4}"
)
_VERB = (
    r"(?:vgl\.?|vergl\.?|vergleiche|siehe|s\.(?=\s(?:auch|dazu|hierzu|insb|bes|etwa|u\.))|see|cf\.?|cfr\.?|conf\.|compare|voir|v\.(?=\saussi)|"
    r"véase|véanse|vid\.?|ver(?=\s(?:também|también|[^\W\d_a-z]))|si\sveda|si\svedano|vedi|zie|consult|zit(?:iert)?\.?\s(?:nach|n\.|bei|in)|"
    r"quoted\s(?:in|from|after)|cited\s(?:in|from|after)|cité\s(?:par|dans)|citado\s(?:en|por|em)|apud)"
)
_OPENING = (
    r"(?:(?:for|on|about|regarding|concerning|in\saddition|as|zu|zum|zur|über|für|allgemein|ausführlich|näher|grundlegend|dazu|hierzu|sur|pour|"
    r"à|sobre|para|su|per|over|voor|auf|als|eine|einen|ein|aus|so)\b[^.;“„«\"\d]{0,90}?[\s,:])?"
)
LEAD = re.compile(
    rf"(?:{_OPENING}\(?{_VERB}{_MORE}|(?:so|dazu|hierzu|ausführlich|ausführlich\sdazu|grundlegend|ähnlich|anders|ferner|ebenso|"
    r"dagegen|auch|und|sowie|but|and|also|similarly|e\.g\.|et|y|e)"
    rf"(?:\s(?:auch|dazu|hierzu|ausführlich|etwa|schon|bereits|z\.\s?B\.|bei|noch|{_VERB}))*|zum\sfolgenden|näheres\sbei|belege\sbei)"
    r"(?<!\s)[:,]?\s+(?=[^\W\d_]|[“„«\"\d])",
    re.IGNORECASE,
)
"""The words before a citation."""
BREAKS = re.compile(
    r"\s?;\s{1,9}|(?<=[.\d)\]”“\"»’’])\s{1,3}(?=(?:Vgl\.|Siehe|See|Cf\.|Cfr\.|Voir|Véase|Vedi|Compare|Ferner|So\sauch|Dazu|Sur|For\s|On\s)"
    r"[^;]{0,90}\s)|,\s{1,3}(?=(?:vgl\.|siehe|see\salso|see,|cf\.|voir\saussi|véase|sowie\s(?:ders|dies))\s)|"
    r"\s{1,3}[-–—]\s{1,3}(?=(?:Vgl\.|Siehe|See|Cf\.|Voir)\s)"
)
"""Where one citation of a note ends and the next begins."""
OPENERS = (("(", ")"), ("[", "]"), ("„", "“”"), ("«", "»"))
"""What must be closed before a mark counts as one between citations."""
SENTENCE = re.compile(
    r"(?<![\s.(][^\W\d_])(?<!\bS)(?<!\bp)(?<!\bpp)(?<!\bNr)(?<!\bBd)(?<!\bNo)(?<!\bno)(?<!\bvol)[.!?](?=[”“\"»)]?\s{1,3}[^\W\d_a-z])"
)
"""The end of a sentence; not one of the commonest abbreviations."""
YEAR = re.compile(r"(?:(?<![\d/.–-])|(?<=\s\d/)|(?<=\s\d\d/))(?:1[4-9]\d\d|20[0-4]\d)(?!\d)")
YEAR_MARKED = re.compile(r"(?<![\d/.–-])(?:1[4-9]\d\d|20[0-4]\d)[a-z]?(?:\s?\[\d{4}\])?(?=[).,:;\]]|$)")
"""A year with a mark behind it."""
_NAME = (
    r"(?:[^\W\d_a-z][\w.’'-]{0,40}|von|van|de|der|den|di|du|del|della|la|le|zu|zur|da|dos|des|für|of|for|on|the|pour|para"
    r"|los|dei)"
)
NAMES = re.compile(
    rf"(?:{_NAME}\s){{0,8}}{_NAME}(?:\s?[,/:(]|(?<=[^\W\d_]{{2}}\.)\s?(?=[^\W\d_a-z]|[“„«\"])|\s(?:und|and|et|y|e|u\.|&)\s)"
)
"""Names at the start, as far as the first mark."""
PROSE_HEAD = re.compile(
    r"(?:[^\s,:.;(“„«\"]+\s){0,30}?(?P<name>(?:[^\W\d_a-z](?:[\w’'-]{1,40}|\.?)\s|(?:von|van|de|der|du|zu)\s){1,4}[^\W\d_a-z][\w’'-]+)(?=[,:(])"
)
"""Words and then a name, up to the first mark: `This was first said by Jane Roe,`."""
UNDATED = re.compile(
    r"\b(?:o\.\s?J\.|n\.\s?d\.|s\.\s?d\.|s\.\s?a\.|forthcoming|in\spress|im\sErscheinen|im\sDruck|à\sparaître|en\sprensa|no\sprelo)",
    re.IGNORECASE,
)
"""What stands for a year."""
NAMED = re.compile(
    r"[^\W\d_a-z][\w'’-]{1,40}(?:(?:/|,\s|\sund\s|\sand\s|\s&\s|\set\s|\sy\s)[^\W\d_a-z][\w'’-]{1,40}){0,3}(?:\set\sal\.|\su\.\s?a\.)?,?\s"
    r"[(\[]?(?:1[5-9]|20)\d\d[a-z]?[)\]]?(?:[,:]?\s?(?:S\.|pp?\.)?\s?\d{1,5}(?:\s?[-–]\s?\d{1,5})?(?:\s?ff?\.?)?)?\.?"
)
"""`Smith 1999, 14`: it points to a list."""
LOCATOR = re.compile(r"\b(?:S\.|pp?\.|Sp\.|Bl\.|fol\.|f\.|Abb\.|Kap\.|chap\.|ch\.)\s?[\divxlc]{1,7}", re.IGNORECASE)
"""A page or another place inside a work."""
HERE = re.compile(
    r"[,;(]?\s{0,2}(?:hier|dort|bes\.|insbes\.|insbesondere|here|esp\.|especially|ici|aquí|at)\s(?:S\.|pp?\.|at)?\s?\d{1,5}"
    r"(?:\s?[-–]\s?\d{1,5})?(?:\s?ff?\.?)?\)?\.?$",
    re.IGNORECASE,
)
"""The page that is meant, behind a full citation."""
LINK = re.compile(r"(?:https?://|www\.)\S{3,1000}", re.IGNORECASE)
OWN = re.compile(
    r"(?:quellen?|sources?|eigene|own|tab(?:elle|le)?|abb(?:ildung)?|fig(?:ure)?|anm(?:erkung)?|note|interview|gespräch|brief|schreiben"
    r"|personal|e-?mail|mail|telefon|letter|mitteilung|übersetzung|translation|hervorhebung|emphasis)\b[\s:.]",
    re.IGNORECASE,
)
"""What opens a remark on the text's own tables, talks and letters."""
ARCHIVE = re.compile(
    r"(?:[^\W\d_a-z][\w-]{0,30}\s){0,4}(?:[^\W\d_]{0,24}archiv(?:es?|o|io)?s?\b|Public\sRecord\sOffice\b|PRO\b|TNA\b|NARA\b|BArch\b|GStA\b|"
    r"HStA\b|StadtA\b|AN\sF\b)(?=[^.;]{0,120}(?:\bAbt\.|\bNr\.|\bBl\.|\bBestand\b|\bAkte|\bNachl|\bNL\b|\bRep\.|\bR\s\d|\bMs\b|\bBox\b|"
    r"\bfol\.|\bf\.\s\d|\bFonds\b|\bRecord\sGroup\b|\b[A-Z]{1,3}\s?\d))"
)
"""A file of an archive; a journal called Archiv has no file number behind it."""
ENDNOTES = re.compile(
    r"(?:\d{1,2}\.?\s)?(?:notes|end\s?notes|anmerkungen|endnoten|fußnoten|fussnoten|notas|notas\sfinales|notes\sde\sfin|noten|eindnoten|"
    r"note\sal\stesto)\s?:?",
    re.IGNORECASE,
)
"""The heading above notes that stand together."""
PROSE_WORDS = 0.6
"""Share of words in lower case from which a sentence with a year is prose."""
